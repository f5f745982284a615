import Bridge
import BridgeState
import Configuration
import FormatConversion
import LinuxSystem
import PasteboardModel
import PasteboardWire
import SelectionProtocol
import Testing
import X11Bridge

@Suite struct PasteboardSyncTests {
    private let fixture: ServiceFixture
    private let general: PasteboardState
    private let find: PasteboardState
    private var service: Service { fixture.service }

    init() throws {
        fixture = try ServiceFixture(display: ":99")
        general = try #require(fixture.pasteboard("general"))
        find = try #require(fixture.pasteboard("find"))
    }

    private func set(_ sync: Configuration.Sync) { service.settings.configuration.sync = sync }

    /// Returns the text of contents that the bridge has.
    private func text(on pasteboard: PasteboardState) throws -> String? {
        guard let version = pasteboard.version else { return nil }
        return String(decoding: try #require(version.sources.first?.bytes).bytes(), as: UTF8.self)
    }

    /// Lets captures, copies and their timers end.
    private func settle() { for _ in 0..<4 { fixture.pass() } }

    // MARK: Directions

    @Test(
        "A program's copy is copied to the other pasteboard in the directions of the setting",
        arguments: Configuration.Sync.allCases)
    func directions(sync: Configuration.Sync) throws {
        set(sync)
        fixture.copy(.text("a"))
        settle()
        let followsGeneral = [.generalToFind, .both].contains(sync)
        #expect(try text(on: find) == (followsGeneral ? "a" : nil))
        fixture.copy(.text("b", window: 0x40_0002), to: "PRIMARY")
        settle()
        let followsFind = [.findToGeneral, .both].contains(sync)
        #expect(try text(on: general) == (followsFind ? "b" : nil))
        #expect(find.isForeign)
    }

    @Test("A client's contents are copied when no newer contents have come for the length of the delay")
    func clients() throws {
        set(.generalToFind)
        let client = try fixture.client()
        try client.set(.text(on: "general"))
        fixture.succeed()
        #expect(find.count == 0)
        settle()
        #expect(try text(on: find) == "a" && find.count == 1)
    }

    @Test("Many changes in a row are copied as one")
    func storm() throws {
        set(.both)
        for number in 0..<100 {
            fixture.copy(.text("\(number)"), to: "PRIMARY")
            fixture.succeed()
        }
        settle()
        #expect(try text(on: general) == "99" && general.count == 1)
    }

    // MARK: Owners

    @Test("A copy is not copied back, and the program with the highlighted text keeps PRIMARY")
    func echo() throws {
        set(.both)
        fixture.copy(.text("a"), to: "PRIMARY")
        settle()
        #expect(try text(on: general) == "a")
        #expect((general.count, find.count) == (1, 1) && find.isForeign)
        #expect(fixture.claimed == ["CLIPBOARD"])
    }

    @Test("A program keeps PRIMARY if it has the text that is copied to CLIPBOARD", arguments: [true, false])
    func highlight(isSame: Bool) throws {
        set(.generalToFind)
        fixture.copy(.text(isSame ? "a" : "b", window: 0x40_0002), to: "PRIMARY")
        fixture.copy(.text("a"))
        settle()
        #expect(find.isForeign == isSame)
    }

    @Test("Contents that came in the meantime are not replaced")
    func overtaken() throws {
        set(.generalToFind)
        fixture.copy(.text("a"))
        fixture.unseen = .foreign(WindowID(0x40_0002))
        settle()
        #expect(find.isForeign && find.count == 1)
    }

    // MARK: Limits

    @Test(
        "Secrets, contents that are removed by themselves, and promises are not copied",
        arguments: [
            Methods.Set.Parameters.text(on: "general", options: WireOptions(concealed: true)),
            .text(on: "general", options: WireOptions(once: true)),
            .text(on: "general", options: WireOptions(expires: 1_000_000)),
        ])
    func uncopied(parameters: Methods.Set.Parameters) throws {
        set(.generalToFind)
        let client = try fixture.client()
        try client.set(parameters)
        settle()
        try client.promise(.promising(on: "general"))
        settle()
        #expect(general.version?.promises.count == 1)
        #expect(find.count == 0)
    }

    @Test("A copy on PRIMARY, and PRIMARY's captured contents, are not written to the disk")
    func stored() throws {
        set(.both)
        fixture.copy(.text("a"), to: "PRIMARY")
        settle()
        #expect(find.captured?.options.memoryOnly == true)
        #expect(general.version?.options.memoryOnly == false)
        fixture.copy(.text("b"))
        settle()
        #expect(find.version?.options.memoryOnly == true)
    }

    // MARK: Removal

    @Test("A copy on PRIMARY is removed with its contents, or when empty text replaces them", arguments: [true, false])
    func removed(clears: Bool) throws {
        set(.generalToFind)
        let client = try fixture.client()
        try client.set(.text(on: "general"))
        settle()
        #expect(try text(on: find) == "a")
        if clears {
            try client.call(Methods.Clear.self, .init(pasteboards: ["general"]))
        } else {
            fixture.copy(.text(""))
        }
        settle()
        #expect(find.isHeldByNobody)
        #expect(find.undo.undoable.isEmpty)
    }

    @Test("A copy that other text has replaced on PRIMARY cannot be restored by undo")
    func replaced() throws {
        set(.generalToFind)
        fixture.copy(.text("secret"))
        settle()
        fixture.copy(.text("selected", window: 0x40_0002), to: "PRIMARY")
        settle()
        fixture.copy(.text(""))
        settle()
        #expect(find.isForeign && find.undo.undoable.allSatisfy { !$0.value.isRestorable })
    }

    @Test("A password on PRIMARY that empty text replaces leaves CLIPBOARD and its undo, even behind other text")
    func forgotten() throws {
        set(.both)
        fixture.copy(.text("secret"), to: "PRIMARY")
        settle()
        #expect(try text(on: general) == "secret")
        fixture.copy(.text(""), to: "PRIMARY")
        settle()
        #expect(general.isHeldByNobody && general.undo.undoable.isEmpty)
        fixture.copy(.text("secret"), to: "PRIMARY")
        settle()
        try fixture.client().set(.text(on: "general"))
        fixture.copy(.text(""), to: "PRIMARY")
        settle()
        #expect(general.undo.undoable.allSatisfy { !$0.value.isRestorable })
    }

    @Test("Contents that are found when a display is attached are not copied")
    func found() throws {
        set(.both)
        let program = ForeignProgram.text("old")
        fixture.programs["CLIPBOARD"] = program
        fixture.report(.found(selection: "CLIPBOARD", .foreign(program.window)))
        settle()
        #expect(general.captured != nil && find.count == 0 && find.isHeldByNobody)
    }

    @Test("CLIPBOARD keeps the copy of a text that is no longer highlighted")
    func unhighlighted() throws {
        set(.both)
        fixture.copy(.text("a"), to: "PRIMARY")
        settle()
        fixture.give("PRIMARY", to: .none)
        settle()
        #expect(try text(on: general) == "a")
    }
}
