import Bridge
import BridgeState
import Configuration
import EventLoop
import FormatConversion
import Glibc
import LinuxSystem
import PasteboardModel
import PasteboardWire
import SelectionProtocol
import Testing
import UniformTypes
import X11Bridge

@Suite struct CaptureControllerTests {
    private let fixture: ServiceFixture
    private let pasteboard: PasteboardState
    private var service: Service { fixture.service }

    init() throws {
        fixture = try ServiceFixture(display: ":99")
        pasteboard = try #require(fixture.pasteboard("general"))
    }

    private static func rich(_ html: ForeignProgram.Answer = .text("<b>a</b>")) -> ForeignProgram {
        ForeignProgram(offers: [("text/html", html), ("UTF8_STRING", .text("a")), ("com.example.a", .bytes(10))])
    }

    private var captures: [WireCapture] { service.captures.status(of: service.registry.all) }

    private func capture() throws -> WireCapture {
        try #require(captures.first { $0.pasteboard == "general" })
    }

    private func text(of version: PasteboardState.Version?) throws -> String {
        let bytes = try #require(version?.sources.lazy.compactMap(\.bytes).last)
        return String(decoding: try bytes.bytes(), as: UTF8.self)
    }

    // MARK: Capturing

    @Test("Contents are captured when no newer contents have come for the length of the delay, and not before")
    func delay() throws {
        let first = ContinuousClock.now
        fixture.copy(.text("one"))
        #expect(try capture() == WireCapture(pasteboard: "general", count: 1, state: .waiting))
        fixture.pass(until: first + .milliseconds(100))
        let second = ContinuousClock.now
        fixture.copy(.text("two"))
        fixture.pass(until: second + .milliseconds(100))
        #expect(fixture.asked == [])
        fixture.pass(.milliseconds(201))
        #expect(fixture.asked == ["TARGETS", "UTF8_STRING"])
        #expect(try text(of: pasteboard.captured) == "two")
        #expect(
            try capture()
                == WireCapture(
                    pasteboard: "general", count: 2, state: .captured, types: ["public.utf8-plain-text"], length: 3))
        #expect(pasteboard.captured != nil && pasteboard.stored.contents != nil && pasteboard.count == 2)
    }

    @Test("The representations are requested one after the other, and stored in the owner's order")
    func order() throws {
        fixture.copy(Self.rich(.later))
        fixture.pass()
        #expect(fixture.asked == ["TARGETS", "UTF8_STRING", "text/html"])
        #expect(try capture().state == .taking)
        fixture.answer("text/html", ForeignProgram.bytes(Array("<b>".utf8), "text/html"))
        #expect(fixture.asked.last == "com.example.a")
        #expect(try capture().types == ["public.html", "public.utf8-plain-text", "com.example.a"])
    }

    @Test("A newer copy ends the capture of the older copy, and the result of that capture is not used")
    func superseded() throws {
        fixture.copy(Self.rich(.later))
        fixture.pass()
        fixture.copy(.text("new"))
        fixture.succeed()
        #expect(fixture.cancelled == 1)
        #expect(pasteboard.captured == nil)
        #expect(pasteboard.captured == nil && pasteboard.stored.contents == nil)
        fixture.pass()
        #expect(try text(of: pasteboard.captured) == "new")
    }

    @Test("A clear ends a capture, and so does a client's write")
    func ended() throws {
        fixture.copy(Self.rich(.later))
        fixture.pass()
        fixture.report(.changed(selection: "CLIPBOARD", .init(owner: .none, isDeath: false)))
        fixture.succeed()
        #expect(fixture.cancelled == 1)
        #expect(captures.isEmpty)
        fixture.copy(.text("a"))
        try fixture.client().set(.text(on: "general"))
        fixture.succeed()
        #expect(captures.isEmpty)
        #expect(service.executor.timers.earliest == nil)
    }

    @Test("A program whose process has ended is skipped while an excepted program is running, as after a fork")
    func exceptedAfterFork() throws {
        let name = try #require(ProcessName.of(getpid()))
        var forked = ForeignProgram.text("a")
        forked.process = .max
        service.settings.configuration.captureExcept = ["another program"]
        fixture.copy(forked)
        fixture.pass()
        #expect(try capture().state == .captured)
        service.settings.configuration.captureExcept = [name]
        fixture.copy(forked)
        fixture.pass()
        #expect(try capture().state == .skipped)
        #expect(try capture().reason == CaptureRefusal.excepted(name).reason)
        // A program on another machine has no process here.
        forked.process = nil
        fixture.copy(forked)
        fixture.pass()
        #expect(try capture().state == .captured)
    }

    @Test("A representation over the limit is left out, and the status says so")
    func limit() throws {
        service.settings.configuration.captureLimit = 8
        fixture.copy(Self.rich(.bytes(8)))
        fixture.pass()
        #expect(try capture().types == ["public.html", "public.utf8-plain-text"])
        #expect(try capture().reason?.contains("capture-limit") == true)
        service.settings.configuration.captureTotal = 8
        fixture.copy(Self.rich(.bytes(8)))
        fixture.pass()
        #expect(try capture().types == ["public.utf8-plain-text"])
    }

    @Test("Nothing is captured if neither the text nor the first type fits")
    func neitherFits() throws {
        service.settings.configuration.captureLimit = 8
        fixture.copy(ForeignProgram(offers: [("image/png", .bytes(100)), ("com.example.a", .bytes(1))]))
        fixture.pass()
        #expect(pasteboard.captured == nil)
        #expect(try capture().state == .skipped)
        #expect(try capture().reason == CaptureRefusal.tooLong.reason)
    }

    @Test(
        "A limit or shortage of the bridge is reported as such, not as a refusal by the program",
        arguments: [
            (Conversion.Failure.limit(.programTransfers), "limit-program-transfers"),
            (.limit(.bytes), "limit-transfer-bytes"),
            (.names, "limit-atoms"), (.tooSlow(received: 1), "limit-drip-rate"), (.noRoom, "memory"),
        ])
    func ownLimit(failure: Conversion.Failure, named: String) throws {
        fixture.copy(ForeignProgram(offers: [("UTF8_STRING", .failure(failure))]))
        fixture.pass()
        #expect(try capture().state == .skipped)
        let reason = try #require(try capture().reason)
        #expect(reason.contains(named) && !reason.contains("program refuses") && !reason.contains("its program"))
    }

    @Test("Text that is refused under its best name is requested under the next name")
    func refused() throws {
        fixture.copy(
            ForeignProgram(offers: [("UTF8_STRING", .refusal), ("STRING", .text("latin")), ("COMPOUND_TEXT", .refusal)])
        )
        fixture.pass()
        #expect(fixture.asked == ["TARGETS", "UTF8_STRING", "COMPOUND_TEXT", "STRING"])
        #expect(try text(of: pasteboard.captured) == "latin")
    }

    @Test("An owner that stops answering is asked for nothing more, and complete representations are kept")
    func silent() throws {
        fixture.copy(Self.rich(.later))
        fixture.pass()
        fixture.answer("text/html", .failure(.silent))
        #expect(fixture.asked.last == "text/html")
        #expect(try capture().types == ["public.utf8-plain-text"])
        #expect(try capture().reason?.contains("text/html did not arrive within 5 s") == true)
    }

    @Test("A capture ends after half a minute, and complete representations are kept")
    func endless() throws {
        fixture.copy(Self.rich(.later))
        let start = ContinuousClock.now
        fixture.pass()
        fixture.pass(until: start + .seconds(5))
        #expect(try capture().state == .taking)
        fixture.pass(.seconds(31))
        #expect(try capture().types == ["public.utf8-plain-text"])
        #expect(fixture.cancelled == 1)
        #expect(service.executor.timers.earliest == nil)
    }

    @Test("Text that is the source of a drawing is not captured without the drawing")
    func sourceAlone() throws {
        func drawing(_ svg: ForeignProgram.Answer, text: String) -> ForeignProgram {
            ForeignProgram(offers: [("image/x-inkscape-svg", svg), ("text/plain", .text(text))])
        }
        fixture.copy(drawing(.failure(.silent), text: "\u{FEFF}<?xml version=\"1.0\"?><svg/>"))
        fixture.pass()
        #expect(fixture.asked == ["TARGETS", "text/plain", "image/x-inkscape-svg"])
        #expect(try capture().state == .skipped && pasteboard.captured == nil)
        fixture.copy(drawing(.failure(.silent), text: "a label"))
        fixture.pass()
        #expect(try capture().types == ["public.plain-text"])
        fixture.copy(drawing(.text("<svg/>"), text: "<svg/>"))
        fixture.pass()
        #expect(try capture().types.count == 2)
    }

    @Test("Contents that are lost with their program are reported, unless they were not to be captured")
    func losses() throws {
        fixture.copy(ForeignProgram(offers: [("image/png", .later)]))
        fixture.pass()
        fixture.die()
        #expect(service.captures.losses.map(\.reason) == ["image/png had not arrived"])
        fixture.copy(Self.rich(.later))
        fixture.pass()
        fixture.die()
        fixture.succeed()
        #expect(service.captures.losses.last?.types == ["text/html", "com.example.a"])
        #expect(service.captures.losses.count == 2)
        service.settings.configuration.capture = false
        fixture.copy(.text("a"))
        fixture.die()
        #expect(service.captures.losses.count == 2)
    }

    @Test("A bridge that is leaving captures nothing")
    func leaving() throws {
        service.lifetime.isLeaving = true
        fixture.copy(.text("a"))
        fixture.pass()
        #expect(fixture.asked == [])
        #expect(service.executor.timers.earliest == nil)
    }

    @Test("PRIMARY is captured only if the settings say so, and nothing is captured if capture is off")
    func configured() throws {
        fixture.copy(.text("a"), to: "PRIMARY")
        fixture.pass()
        #expect(fixture.asked == [])
        #expect(captures.first?.reason == CaptureRefusal.primary.reason)
        service.settings.configuration.capturePrimary = true
        fixture.copy(.text("a"), to: "PRIMARY")
        fixture.pass()
        #expect(fixture.asked.count == 2)
        service.settings.configuration.capture = false
        fixture.copy(.text("a"))
        fixture.pass()
        #expect(fixture.asked.count == 2)
        #expect(try capture().reason == CaptureRefusal.off.reason)
    }

    @Test("The owner of PRIMARY is not asked while the user selects; the owner of CLIPBOARD is")
    func selecting() throws {
        service.settings.configuration.capturePrimary = true
        fixture.isSelecting = true
        fixture.copy(.text("a"), to: "PRIMARY")
        for _ in 0..<3 { fixture.pass() }
        #expect(fixture.asked == [])
        fixture.copy(.text("a"))
        fixture.pass()
        #expect(fixture.asked.count == 2)
        fixture.isSelecting = false
        fixture.pass()
        #expect(fixture.asked.count == 4)
    }

    @Test("Nothing is captured or taken over on the display of another machine")
    func forwarded() throws {
        let fixture = try ServiceFixture(display: "localhost:10.0")
        let pasteboard = try #require(fixture.pasteboard("general"))
        fixture.copy(.text("a"))
        fixture.pass()
        var isHeld: Bool?
        fixture.capture(everythingOn: pasteboard) { isHeld = $0 }
        #expect(isHeld == false)
        #expect(fixture.asked == [])
        fixture.die()
        #expect(pasteboard.isHeldByNobody)
        #expect(pasteboard.count == 2)
    }

    // MARK: After a death

    @Test("When the owner dies, the pasteboard takes over the captured contents without a step, under all target names")
    func takeOver() throws {
        let watcher = try fixture.client()
        try watcher.call(Methods.Monitor.self, .init(pasteboards: ["general"]), more: true)
        var program = Self.rich()
        program.offers += [("STRING", .text("a")), ("text/plain;charset=UTF-8", .text("a\r\n"))]
        fixture.copy(program)
        fixture.pass()
        fixture.die(at: ServerTime(77))
        fixture.succeed()
        #expect(pasteboard.count == 1)
        #expect(pasteboard.version != nil && pasteboard.captured == nil)
        let claim = try #require(fixture.takenOver.first)
        #expect(claim.death == ServerTime(77))
        #expect(Set(program.offers.map(\.target)).isSubset(of: Set(claim.offer.targets.map(\.name))))
        #expect(captures.isEmpty)
        #expect(try watcher.replies(to: Methods.Monitor.self).map(\.count) == [1])
        let reader = try fixture.client()
        try reader.call(Methods.Get.self, .init(pasteboard: "general", types: ["text/html"], descriptors: true))
        #expect(try reader.reply(to: Methods.Get.self)?.bytes.length == 8)
    }

    /// Makes a reader wait for the owner of captured contents, and then for an owner whose contents are not captured.
    /// Expects the reader to get the captured contents, and then an error, after `end` has ended the owner.
    private func expectCapturedContents(after end: () -> Void) throws {
        let reader = try fixture.client()
        for isCaptured in [true, false] {
            fixture.copy(.text("a"))
            if isCaptured { fixture.pass() }
            fixture.programs["CLIPBOARD"]?.offers = [("UTF8_STRING", .later)]
            try reader.call(Methods.Get.self, .init(pasteboard: "general", descriptors: true))
            fixture.succeed()
            #expect(fixture.asked.last == "UTF8_STRING")
            end()
            fixture.succeed()
            if isCaptured {
                #expect(try reader.reply(to: Methods.Get.self)?.bytes.length == 1)
            } else {
                #expect(throws: (any Error).self) { try reader.reply(to: Methods.Get.self) }
            }
        }
    }

    @Test("A reader that waits while the owner dies gets the captured contents, or an error if nothing was captured")
    func diesWhileAsked() throws {
        try expectCapturedContents {
            // The X thread answers no request during the grace period after a death.
            fixture.answer("UTF8_STRING", .failure(.ownerGone), plays: false)
            fixture.die()
        }
    }

    @Test("A reader that waits while the X server goes away gets the captured contents, or an error")
    func detachedWhileAsked() throws {
        try expectCapturedContents {
            fixture.report(.detached(display: ":99"))
            fixture.display.attach(":99")
            fixture.report(.attached(display: ":99"))
        }
    }

    @Test("If a new owner follows a death, its change is the only step")
    func rival() throws {
        fixture.copy(.text("a"))
        fixture.pass()
        fixture.rival = WindowID(0x50_0001)
        fixture.die()
        fixture.succeed()
        #expect(pasteboard.count == 2)
        guard case .foreign(.window(0x50_0001)) = pasteboard.holder else {
            Issue.record("held by \(pasteboard.holder)"); return
        }
        #expect(
            service.ownership.offered(try #require(fixture.takenOver.first).offer.id) == nil,
            "its bytes are no longer needed")
    }

    @Test("The death of an owner before the capture empties the pasteboard, and counts as a step")
    func tooEarly() throws {
        fixture.copy(.text("a"))
        fixture.die()
        fixture.succeed()
        #expect(pasteboard.isHeldByNobody)
        #expect(pasteboard.count == 2)
        #expect(fixture.takenOver.isEmpty)
        #expect(service.executor.timers.earliest == nil)
    }

    @Test("A selection that its owner releases is not taken over")
    func released() throws {
        fixture.copy(.text("a"))
        fixture.pass()
        fixture.report(.changed(selection: "CLIPBOARD", .init(owner: .none, isDeath: false)))
        fixture.succeed()
        #expect(pasteboard.isHeldByNobody)
        #expect(fixture.takenOver.isEmpty)
    }

    @Test(
        "An offer has the bridge's marker if the compositor is expected but not yet connected",
        arguments: [true, false])
    func marked(isExpected: Bool) throws {
        service.seat.isExpected = isExpected
        try fixture.set(by: fixture.client())
        fixture.succeed()
        let names = try #require(fixture.offers.first).targets.map(\.name)
        #expect(names.contains { $0.hasPrefix("application/x-xpb-version;id=") } == isExpected)
    }

    @Test(
        "A program found with the bridge's contents makes no change, unless it may not be captured and so is not asked",
        arguments: [nil, "off", "running"])
    func found(rule: String?) throws {
        if rule == "off" { service.settings.configuration.capture = false }
        // An excepted program that is not running is not the owner.
        service.settings.configuration.captureExcept = ["no program"]
        if rule == "running" {
            service.settings.configuration.captureExcept = [try #require(ProcessName.of(getpid()))]
        }
        try fixture.set(by: fixture.client())
        fixture.succeed()
        let program = ForeignProgram.text("a")
        fixture.programs["CLIPBOARD"] = program
        fixture.report(.found(selection: "CLIPBOARD", .foreign(program.window)))
        fixture.succeed()
        #expect(pasteboard.version == nil && pasteboard.count == (rule == nil ? 1 : 2))
        #expect(fixture.asked.contains("UTF8_STRING") == (rule == nil))
    }

    @Test("Captured contents are claimed again once it is known whether there is a seat")
    func unknownSeat() throws {
        service.seat.isExpected = true
        fixture.copy(.text("a"))
        fixture.pass()
        fixture.die()
        fixture.succeed()
        #expect(fixture.takenOver.isEmpty && pasteboard.version != nil)
        service.seat.startHasEnded()
        fixture.succeed()
        #expect(fixture.takenOver.count == 1 && pasteboard.count == 1)
    }

    @Test("A selection that is released right after its owner's death, as when a GTK program quits, is taken over")
    func releasedAfterDeath() throws {
        fixture.copy(.text("a"))
        fixture.pass()
        var change = OwnershipTracker.Change(owner: .none, isDeath: false)
        change.followsDeath = true
        fixture.report(.changed(selection: "CLIPBOARD", change))
        fixture.succeed()
        #expect(pasteboard.version != nil && pasteboard.count == 1)
        #expect(fixture.claimed == ["CLIPBOARD"])
    }

    /// Reports a program that owns the selection right after the death of the previous owner.
    private func follow(_ program: ForeignProgram) {
        fixture.programs["CLIPBOARD"] = program
        var change = OwnershipTracker.Change(owner: .foreign(program.window), isDeath: false)
        (change.followsDeath, change.mayBeRefill) = (true, true)
        fixture.report(.changed(selection: "CLIPBOARD", change))
        fixture.succeed()
    }

    @Test("A manager that puts back the text of a dead program makes no change, and all types are available again")
    func refilled() throws {
        let mark = (target: "application/x-kde-onlyReplaceEmpty", answer: ForeignProgram.Answer.text("1"))
        let refills: [[(target: String, answer: ForeignProgram.Answer)]] = [
            [("UTF8_STRING", .text("a"))], [("text/plain;charset=utf-8", .text("older")), mark],
        ]
        for (number, offers) in refills.enumerated() {
            fixture.copy(ForeignProgram(offers: [("UTF8_STRING", .text("a")), ("text/html", .text("<b>a</b>"))]))
            fixture.pass()
            follow(ForeignProgram(window: WindowID(0x60_0001), offers: offers))
            #expect(pasteboard.count == number + 1)
            #expect(pasteboard.version?.contents.types.map(\.identifier).contains("public.html") == true)
            let owned = try #require(fixture.offers.last)
            #expect(owned.targets.contains { $0.name == "text/html" })
            #expect(!owned.targets.contains { $0.name == mark.target })
        }
    }

    @Test("The owner of a secret, or a GTK 4 program, is not asked for text to find out whether the text was put back")
    func unasked() throws {
        let mark = (target: "x-kde-passwordManagerHint", answer: ForeignProgram.Answer.text("secret"))
        let text = (target: "UTF8_STRING", answer: ForeignProgram.Answer.text("a"))
        let secret = ForeignProgram(window: WindowID(0x60_0001), offers: [text, mark])
        var gtk4 = ForeignProgram(window: WindowID(0x60_0001), offers: [text])
        gtk4.listed = ["SAVE_TARGETS", "TIMESTAMP", "TARGETS"]
        for (number, program) in [secret, gtk4].enumerated() {
            fixture.copy(.text("a"))
            fixture.pass()
            let asked = fixture.asked.count { $0 == "UTF8_STRING" }
            follow(program)
            fixture.pass()
            #expect(fixture.asked.count { $0 == "UTF8_STRING" } == asked)
            #expect(pasteboard.count == 2 * (number + 1))
        }
    }

    @Test("Older text that a manager named in the settings puts back is not a change")
    func refilledWithOlder() throws {
        let program = try #require(ProcessName.of(getpid()))
        for isManager in [false, true] {
            service.settings.configuration.managers = isManager ? [program] : []
            fixture.copy(.text("a"))
            fixture.pass()
            let count = pasteboard.count
            follow(
                ForeignProgram(
                    window: WindowID(0x60_0001), process: getpid(), offers: [("UTF8_STRING", .text("older"))]))
            #expect(pasteboard.count == (isManager ? count : count + 1))
            #expect((pasteboard.version == nil) == !isManager)
        }
    }

    @Test("The death of a secret's owner clears the pasteboard")
    func secret() throws {
        fixture.copy(
            ForeignProgram(offers: [("UTF8_STRING", .text("a")), ("x-kde-passwordManagerHint", .text("secret"))]))
        fixture.pass()
        #expect(fixture.asked == ["TARGETS"])
        #expect(try capture().reason == "it is a secret")
        fixture.die()
        #expect(pasteboard.isHeldByNobody)
        #expect(pasteboard.count == 2)
    }

    @Test("A secret among several items is found in their archive, and is not stored")
    func secretInArchive() throws {
        let archive = ItemArchive(items: [
            [.init(type: "public.utf8-plain-text", length: 1)],
            [.init(type: "org.nspasteboard.ConcealedType", length: 0)],
        ])
        fixture.copy(
            ForeignProgram(offers: [
                (ItemArchive.mediaType, .text(String(decoding: archive.header + [0x61], as: UTF8.self))),
                ("UTF8_STRING", .text("a")),
            ]))
        fixture.pass()
        #expect(try capture().reason == "it is a secret")
        #expect(pasteboard.captured == nil)
        fixture.die()
        #expect(pasteboard.isHeldByNobody)
    }

    @Test("If an owner dies during the capture, its complete representations are kept if they include the text")
    func partial() throws {
        fixture.copy(Self.rich(.later))
        fixture.pass()
        // The X thread reports this failure at once, and the death after the grace period.
        fixture.answer("text/html", .failure(.ownerGone))
        #expect(pasteboard.captured == nil && pasteboard.stored.contents == nil)
        fixture.die()
        #expect(try text(of: pasteboard.version) == "a")
        #expect(pasteboard.count == 1)
        #expect(pasteboard.version != nil && pasteboard.stored.contents != nil && pasteboard.count == 1)
    }

    @Test("An owner that dies during the capture leaves nothing if neither its text nor its first type has arrived")
    func partialWithoutText() throws {
        fixture.copy(ForeignProgram(offers: [("image/png", .later), ("com.example.a", .bytes(1))]))
        fixture.pass()
        #expect(fixture.asked.contains("com.example.a"))
        fixture.answer("image/png", .failure(.ownerGone))
        fixture.die()
        #expect(pasteboard.isHeldByNobody)
        #expect(pasteboard.count == 2)
    }

    @Test("When the X server goes away, the pasteboard takes over captured contents, and other contents are lost")
    func detached() throws {
        let find = try #require(fixture.pasteboard("find"))
        fixture.copy(.text("a"))
        fixture.copy(.text("b"), to: "PRIMARY")
        fixture.pass()
        fixture.report(.detached(display: ":99"))
        fixture.succeed()
        #expect(try text(of: pasteboard.version) == "a")
        #expect(pasteboard.count == 1)
        #expect(find.isHeldByNobody && find.count == 2)
        #expect(fixture.takenOver.isEmpty)
    }

    // MARK: Captures on request

    @Test("A capture that an owner asks for starts at once, with larger limits")
    func everything() throws {
        service.settings.configuration.captureLimit = 8
        service.settings.configuration.captureTotal = 16
        fixture.copy(Self.rich(.bytes(16)))
        var isHeld: [Bool] = []
        fixture.capture(everythingOn: pasteboard) { isHeld.append($0) }
        fixture.succeed()
        #expect(isHeld == [true])
        #expect(pasteboard.captured != nil && pasteboard.stored.contents != nil && pasteboard.count == 1)
        #expect(try capture().types == ["public.html", "public.utf8-plain-text", "com.example.a"])
        #expect(service.executor.timers.earliest == nil)
    }

    @Test("A capture of listed targets has all of them, and nothing else")
    func list() throws {
        fixture.copy(Self.rich())
        var isHeld: [Bool] = []
        fixture.capture(everythingOn: pasteboard, targets: ["text/html", "TARGETS"]) { isHeld.append($0) }
        fixture.succeed()
        #expect(isHeld == [true])
        #expect(try capture().types == ["public.html"])
    }

    @Test("A capture of listed targets keeps the representations of an earlier capture")
    func listAfterCapture() throws {
        fixture.copy(
            ForeignProgram(offers: [
                ("UTF8_STRING", .text("a")), ("text/html", .text("b")), ("image/png", .text("c")),
                ("image/bmp", .text("d")),
            ]))
        fixture.pass()
        let first = try capture().types
        fixture.capture(everythingOn: pasteboard, targets: ["image/png", "image/bmp"]) { _ in }
        fixture.succeed()
        #expect(fixture.asked.contains("image/bmp"))
        #expect(try Set(capture().types).isSuperset(of: first))
        fixture.die()
        #expect(try text(of: pasteboard.version) == "d")
    }

    @Test("A capture on request ends at its timeout, and complete representations are stored")
    func deadline() throws {
        fixture.copy(Self.rich(.later))
        var isHeld: [Bool] = []
        fixture.capture(everythingOn: pasteboard) { isHeld.append($0) }
        fixture.succeed()
        #expect(isHeld == [])
        fixture.pass(.seconds(3))
        #expect(isHeld == [false])
        #expect(try capture().types == ["public.utf8-plain-text"])
        fixture.die()
        #expect(pasteboard.count == 1)
        #expect(isHeld == [false])
    }

    @Test("A capture on request reports one result, even if the owner dies or is replaced", arguments: [true, false])
    func oneResult(dies: Bool) throws {
        fixture.copy(Self.rich(.later))
        var isHeld: [Bool] = []
        fixture.capture(everythingOn: pasteboard) { isHeld.append($0) }
        fixture.succeed()
        if dies { fixture.die() } else { fixture.copy(.text("new")) }
        #expect(isHeld == [false])
        fixture.pass(.seconds(3))
        #expect(isHeld == [false])
    }

    @Test("An earlier capture is kept if the owner does not answer a capture on request")
    func stillThere() throws {
        fixture.copy(ForeignProgram(offers: [("application/pdf", .later), ("UTF8_STRING", .text("a"))]))
        fixture.pass()
        var isHeld: Bool?
        fixture.capture(everythingOn: pasteboard) { isHeld = $0 }
        fixture.succeed()
        fixture.pass(.seconds(3))
        #expect(isHeld == false)
        #expect(fixture.asked == ["TARGETS", "UTF8_STRING", "application/pdf"])
        #expect(try capture().state == .captured)
        fixture.die()
        #expect(try text(of: pasteboard.version) == "a")
    }

    @Test("The bridge's own contents count as captured, and an empty pasteboard does not")
    func notForeign() throws {
        var isHeld: Bool?
        fixture.capture(everythingOn: pasteboard) { isHeld = $0 }
        #expect(isHeld == false)
        try fixture.client().set(.text(on: "general"))
        fixture.succeed()
        fixture.capture(everythingOn: pasteboard) { isHeld = $0 }
        #expect(isHeld == true)
    }
}
