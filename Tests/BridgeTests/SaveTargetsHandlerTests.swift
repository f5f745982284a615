import Bridge
import BridgeState
import EventLoop
import PasteboardWire
import SelectionProtocol
import Testing
import X11Bridge

@Suite struct SaveTargetsHandlerTests {
    private let fixture: ServiceFixture

    init() throws { fixture = try ServiceFixture(display: ":0") }

    private func save(
        _ number: Int, targets: [String]? = nil, by window: UInt32 = 0x40_0001,
        within timeout: Duration = SaveTargetsHandler.timeout
    ) {
        fixture.report(
            .saveRequested(
                number, by: WindowID(window), targets: targets, asked: ServerTime(500), within: timeout))
        fixture.succeed()
    }

    private var pasteboard: PasteboardState { get throws { try fixture.service.registry.existing("general") } }

    @Test("The bridge owns saved contents before it answers, and the takeover is not a step")
    func saved() throws {
        fixture.copy(.text("x"))
        let count = try pasteboard.count
        save(1)
        #expect(fixture.saved == [1: true])
        #expect(fixture.takenOverFrom.first?.targets.contains { $0.name == "UTF8_STRING" } == true)
        #expect(try pasteboard.version != nil)
        #expect(try pasteboard.count == count)
    }

    /// Plays a program that releases the bridge's selection at a time of the server.
    private func release(at time: UInt32) {
        var change = OwnershipTracker.Change(owner: .none, isDeath: false, acquired: ServerTime(time))
        change.endsOurs = true
        fixture.report(.changed(selection: "CLIPBOARD", change))
        fixture.succeed()
    }

    @Test("Saved contents are kept if their program then releases the selection, as wxWidgets does at exit")
    func released() throws {
        fixture.copy(.text("x"))
        save(1)
        let version = try #require(try pasteboard.version?.id)
        let count = try pasteboard.count
        release(at: 600)
        #expect(try pasteboard.version?.id == version && pasteboard.count == count)
        #expect(fixture.offers.last?.id == version, "the bridge owns the selection again")
        release(at: 9_000)
        #expect(try pasteboard.version == nil && pasteboard.count == count + 1)
    }

    @Test("The bridge's own contents stay even if a program that asked to save them releases the selection")
    func oursReleased() throws {
        let client = try fixture.client()
        try client.set(.text(on: "general"))
        fixture.succeed()
        let version = try #require(try pasteboard.version?.id)
        release(at: 400)
        #expect(try pasteboard.version == nil, "no program had asked to save them")
        try client.set(.text(on: "general"))
        fixture.succeed()
        save(1)
        release(at: 600)
        #expect(try pasteboard.version != nil && pasteboard.version?.id != version)
    }

    @Test("A client's clear right after a program saved its contents empties the pasteboard")
    func cleared() throws {
        fixture.copy(.text("x"))
        save(1)
        let client = try fixture.client()
        try client.call(Methods.Clear.self, .init(pasteboards: ["general"]))
        fixture.succeed()
        release(at: 600)
        #expect(try pasteboard.version == nil)
    }

    @Test("Only the listed targets are captured")
    func some() throws {
        fixture.copy(
            ForeignProgram(offers: [
                ("UTF8_STRING", .text("x")), ("text/html", .text("<b>x</b>")), ("text/rtf", .text("{}")),
                ("application/x-a", .text("a")), ("application/x-b", .text("b")),
            ]))
        save(1, targets: ["text/html", "application/x-b"])
        #expect(fixture.saved == [1: true])
        #expect(fixture.asked == ["TARGETS", "text/html", "application/x-b"])
    }

    @Test("A request to save the bridge's own contents is answered at once")
    func ours() throws {
        let client = try fixture.client()
        try client.set(.text(on: "general"))
        fixture.succeed()
        save(1)
        #expect(fixture.saved == [1: true])
        #expect(fixture.asked.isEmpty && fixture.takenOverFrom.isEmpty)
    }

    @Test("A request is refused if the clipboard is empty")
    func nothing() {
        save(1)
        #expect(fixture.saved == [1: false])
    }

    @Test("A secret is refused, and its program keeps the selection")
    func secret() throws {
        fixture.copy(
            ForeignProgram(offers: [("UTF8_STRING", .text("x")), ("x-kde-passwordManagerHint", .text("secret"))]))
        save(1)
        #expect(fixture.saved == [1: false])
        #expect(fixture.asked == ["TARGETS"])
        #expect(fixture.takenOverFrom.isEmpty)
    }

    @Test("A program that does not answer conversions is refused in time")
    func silent() throws {
        fixture.copy(ForeignProgram(offers: [("text/html", .later)]))
        let start = ContinuousClock.now
        save(1)
        #expect(fixture.saved.isEmpty)
        fixture.pass(until: start + .seconds(2))
        #expect(fixture.saved.isEmpty)
        fixture.pass(SaveTargetsHandler.timeout)
        #expect(fixture.saved == [1: false])
    }

    @Test("A program that waits longer gets more time")
    func patient() throws {
        fixture.copy(ForeignProgram(offers: [("image/png", .later)]))
        let start = ContinuousClock.now
        save(1, within: .seconds(9))
        fixture.pass(until: start + .seconds(8))
        #expect(fixture.saved.isEmpty)
        fixture.answer("image/png", ForeignProgram.bytes(Array("png".utf8), "image/png"))
        #expect(fixture.saved == [1: true])
    }

    @Test("Contents that were captured earlier are not requested again")
    func known() throws {
        fixture.copy(ForeignProgram(offers: [("image/png", .text("png")), ("application/pdf", .text("pdf"))]))
        fixture.pass()
        #expect(fixture.asked == ["TARGETS", "image/png"])
        save(1)
        #expect(fixture.saved == [1: true])
        #expect(fixture.asked == ["TARGETS", "image/png", "application/pdf"])
        #expect(fixture.takenOverFrom.first?.targets.contains { $0.name == "image/png" } == true)
    }

    @Test("A large picture is captured in one form only, so that its program can end")
    func largePicture() throws {
        let offers = ["image/png", "image/bmp", "image/tiff"].map { ($0, ForeignProgram.Answer.bytes(5 << 20)) }
        fixture.copy(ForeignProgram(offers: offers))
        save(1, targets: ["image/png", "image/bmp", "image/tiff"])
        #expect(fixture.saved == [1: true])
        #expect(fixture.asked == ["TARGETS", "image/png"])
    }

    @Test("Contents that have been captured completely are owned as they are, and not stored again")
    func repetition() throws {
        fixture.copy(ForeignProgram(offers: [("UTF8_STRING", .text("x")), ("text/html", .text("<b>x</b>"))]))
        fixture.pass()
        let captured = try #require(try pasteboard.stored.contents)
        save(1)
        #expect(fixture.saved == [1: true])
        #expect(try pasteboard.version != nil && pasteboard.stored.contents === captured)
    }

    @Test("When the program of a large document ends, further forms are not requested, but reported as lost")
    func largeDocument() throws {
        let document = "application/x-openoffice-embed-source-xml"
        fixture.copy(
            ForeignProgram(offers: [
                (document, .text("ods")), ("text/html", .bytes(5 << 20)), ("UTF8_STRING", .text("x")),
            ]))
        save(1)
        #expect(fixture.saved == [1: true])
        #expect(fixture.asked == ["TARGETS", "UTF8_STRING", "text/html"])
        let loss = try #require(fixture.service.captures.losses.first)
        #expect(loss.types == [document] && loss.reason == CaptureRefusal.tooSlow.reason)
    }

    @Test("If another program asks, nothing is reported as lost until the owner ends")
    func anotherLargeDocument() throws {
        var program = ForeignProgram(offers: [
            ("application/x-openoffice-embed-source-xml", .text("ods")), ("text/html", .bytes(5 << 20)),
            ("UTF8_STRING", .text("x")),
        ])
        program.process = 41
        fixture.copy(program)
        fixture.processes[WindowID(0x60_0001)] = 42
        save(1, by: 0x60_0001)
        #expect(fixture.saved == [1: true])
        #expect(fixture.service.captures.losses.isEmpty)
        fixture.die()
        #expect(fixture.service.captures.losses.map(\.types) == [["application/x-openoffice-embed-source-xml"]])
    }

    @Test("A picture that does not arrive in time is reported as lost when its program ends")
    func tooSlow() throws {
        fixture.copy(ForeignProgram(offers: [("image/png", .later)]))
        save(1, within: .seconds(9))
        fixture.pass(.seconds(9))
        #expect(fixture.saved == [1: false])
        fixture.die()
        let loss = try #require(fixture.service.captures.losses.first)
        #expect(loss.pasteboard == "general" && loss.count == 1 && loss.types == ["image/png"])
        #expect(loss.reason == "image/png did not arrive within 8.5 s")
    }

    @Test("A request by a program that does not own the clipboard takes nothing from the owner")
    func another() throws {
        var program = ForeignProgram.text("x")
        program.process = 41
        fixture.copy(program)
        fixture.processes[WindowID(0x60_0001)] = 42
        save(1, by: 0x60_0001)
        #expect(fixture.saved == [1: true])
        #expect(fixture.takenOverFrom.isEmpty)
        #expect(try pasteboard.version == nil && pasteboard.captured != nil)
        fixture.processes[WindowID(0x40_0009)] = 41
        save(2, by: 0x40_0009)
        #expect(fixture.saved == [1: true, 2: true])
        #expect(fixture.takenOverFrom.count == 1)
    }

    @Test("A failed takeover leaves no offer behind")
    func lost() throws {
        fixture.copy(.text("x"))
        fixture.rival = WindowID(0x50_0001)
        save(1)
        #expect(fixture.saved == [1: false])
        #expect(fixture.service.ownership.offers.isEmpty)
    }

    @Test("A takeover that the display reports too late leaves no offer behind either")
    func late() throws {
        fixture.copy(.text("x"))
        fixture.isBlocked = true
        save(1)
        #expect(fixture.saved == [:])
        fixture.pass(.seconds(2))
        #expect(fixture.saved == [1: false])
        fixture.rival = WindowID(0x50_0001)
        fixture.isBlocked = false
        fixture.succeed()
        #expect(fixture.takenOverFrom.count == 1)
        #expect(fixture.service.ownership.offers.isEmpty)
        #expect(fixture.executor.timers.earliest != nil, "the rival's contents are captured")
    }

    @Test("If a program copies during the takeover, its contents stay")
    func rival() throws {
        fixture.copy(.text("x"))
        fixture.rival = WindowID(9)
        save(1)
        #expect(fixture.saved == [1: false])
        #expect(try pasteboard.owner.window == 9)
    }

    @Test("A program that is replaced during the capture is refused, and the newer contents stay")
    func replaced() throws {
        fixture.copy(ForeignProgram(offers: [("text/html", .later)]))
        save(1)
        fixture.copy(.text("newer", window: 0x50_0001))
        fixture.succeed()
        #expect(fixture.saved == [1: false])
        #expect(fixture.takenOverFrom.isEmpty)
    }

    @Test("A bridge that is leaving answers pending requests, and refuses new ones")
    func leaving() throws {
        fixture.copy(ForeignProgram(offers: [("text/html", .later)]))
        save(1)
        var hasEnded = false
        fixture.service.lifetime.isLeaving = true
        fixture.executor.start { [service = fixture.service] in
            await service.prepareShutdown()
            hasEnded = true
        }
        save(2)
        #expect(fixture.saved == [2: false])
        #expect(!hasEnded)
        fixture.answer("text/html", ForeignProgram.bytes(Array("<b>x</b>".utf8), "text/html"))
        #expect(fixture.saved == [1: true, 2: false])
        #expect(hasEnded)
    }
}
