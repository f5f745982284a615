import Bridge
import EventLoop
import PasteboardWire
import SelectionProtocol
import Testing
import X11Bridge

@Suite struct SaveTargetsHandlerTests {
    private let fixture: ServiceFixture

    init() throws { fixture = try ServiceFixture(display: ":0") }

    private func save(_ number: Int, targets: [String]? = nil, by window: UInt32 = 0x40_0001) {
        fixture.report(.wantedSaved(number, by: WindowID(window), targets: targets, asked: ServerTime(500)))
        fixture.succeed()
    }

    private var pasteboard: PasteboardState { get throws { try fixture.service.registry.existing("general") } }

    @Test("What a program wants saved is owned in its place before it is answered, and is no step")
    func saved() throws {
        fixture.copy(.text("x"))
        let count = try pasteboard.count
        save(1)
        #expect(fixture.saved == [1: true])
        #expect(fixture.relieved.first?.targets.contains { $0.name == "UTF8_STRING" } == true)
        #expect(try pasteboard.version != nil)
        #expect(try pasteboard.count == count)
    }

    @Test("Only what is asked for is taken")
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

    @Test("What the bridge has already is answered at once")
    func ours() throws {
        let client = try fixture.client()
        try client.set(.text(on: "general"))
        fixture.succeed()
        save(1)
        #expect(fixture.saved == [1: true])
        #expect(fixture.asked.isEmpty && fixture.relieved.isEmpty)
    }

    @Test("Where nothing is on the clipboard there is nothing to save")
    func nothing() {
        save(1)
        #expect(fixture.saved == [1: false])
    }

    @Test("A secret is refused, and stays its program's")
    func secret() throws {
        fixture.copy(
            ForeignProgram(offers: [("UTF8_STRING", .text("x")), ("x-kde-passwordManagerHint", .text("secret"))]))
        save(1)
        #expect(fixture.saved == [1: false])
        #expect(fixture.asked == ["TARGETS"])
        #expect(fixture.relieved.isEmpty)
    }

    @Test("A program that does not answer what it is asked is refused in time")
    func silent() throws {
        fixture.copy(ForeignProgram(offers: [("text/html", .later)]))
        save(1)
        #expect(fixture.saved.isEmpty)
        fixture.pass(.seconds(2))
        #expect(fixture.saved.isEmpty)
        fixture.pass(SaveTargetsHandler.timeout)
        #expect(fixture.saved == [1: false])
    }

    @Test("A program that wants something saved and is not the one that has it takes nothing from that one")
    func another() throws {
        var program = ForeignProgram.text("x")
        program.process = 41
        fixture.copy(program)
        fixture.processes[WindowID(0x60_0001)] = 42
        save(1, by: 0x60_0001)
        #expect(fixture.saved == [1: true])
        #expect(fixture.relieved.isEmpty)
        #expect(try pasteboard.version == nil && pasteboard.captured != nil)
        fixture.processes[WindowID(0x40_0009)] = 41
        save(2, by: 0x40_0009)
        #expect(fixture.saved == [1: true, 2: true])
        #expect(fixture.relieved.count == 1)
    }

    @Test("Nothing is left of a selection that could not be owned in its program's place")
    func lost() throws {
        fixture.copy(.text("x"))
        fixture.rival = WindowID(0x50_0001)
        save(1)
        #expect(fixture.saved == [1: false])
        #expect(fixture.service.ownership.takeovers.isEmpty && fixture.service.ownership.offers.isEmpty)
    }

    @Test("A display that answers too late leaves nothing behind either")
    func late() throws {
        fixture.copy(.text("x"))
        fixture.isStandingStill = true
        save(1)
        #expect(fixture.saved == [:])
        fixture.pass(.seconds(2))
        #expect(fixture.saved == [1: false])
        fixture.rival = WindowID(0x50_0001)
        fixture.isStandingStill = false
        fixture.succeed()
        #expect(fixture.relieved.count == 1)
        #expect(fixture.service.ownership.takeovers.isEmpty && fixture.service.ownership.offers.isEmpty)
        #expect(fixture.executor.timers.earliest != nil, "what the rival has is captured")
    }

    @Test("When another program copies meanwhile, its contents are left alone")
    func rival() throws {
        fixture.copy(.text("x"))
        fixture.rival = WindowID(9)
        save(1)
        #expect(fixture.saved == [1: false])
        #expect(try pasteboard.owner.window == 9)
    }

    @Test("A program that is replaced while its contents are taken is refused, and the newer ones are left alone")
    func replaced() throws {
        fixture.copy(ForeignProgram(offers: [("text/html", .later)]))
        save(1)
        fixture.copy(.text("newer", window: 0x50_0001))
        fixture.succeed()
        #expect(fixture.saved == [1: false])
        #expect(fixture.relieved.isEmpty)
    }

    @Test("A bridge that ends answers first, and takes nothing new")
    func leaving() throws {
        fixture.copy(ForeignProgram(offers: [("text/html", .later)]))
        save(1)
        var hasEnded = false
        fixture.service.isLeaving = true
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
