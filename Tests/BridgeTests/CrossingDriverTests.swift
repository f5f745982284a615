import Bridge
import BridgeState
import FormatConversion
import PasteboardModel
import PasteboardWire
import SelectionProtocol
import Testing
import UniformTypes
import X11Bridge

/// A session whose compositor shows the copies from Wayland programs only on X11, as mutter does: see
/// ``CompositorTracker``.
@Suite struct CrossingDriverTests {
    private static let secret: [(target: String, answer: ForeignProgram.Answer)] = [
        ("text/plain;charset=utf-8", .text("s3cret")), ("x-kde-passwordManagerHint", .text("secret")),
    ]
    private static let kept: [(target: String, answer: ForeignProgram.Answer)] = [
        ("text/plain;charset=utf-8", .text("s3cret")), ("UTF8_STRING", .text("s3cret")),
    ]

    private let fixture: ServiceFixture
    private let pasteboard: PasteboardState
    private var service: Service { fixture.service }
    /// The compositor's window and its contents.
    private var window = ForeignProgram(window: WindowID(0x20_0004), process: 4_711, offers: [])

    init() throws {
        fixture = try ServiceFixture(display: ":99")
        pasteboard = try #require(fixture.pasteboard("general"))
        service.seat.becomeAbsent()
    }

    /// Makes the compositor's window own CLIPBOARD with these contents.
    private mutating func offer(
        _ offers: [(target: String, answer: ForeignProgram.Answer)], at time: UInt32, afterDeath: Bool = false
    ) {
        window.offers = offers
        window.listed = ["TARGETS", "TIMESTAMP"]
        fixture.programs["CLIPBOARD"] = window
        var change = OwnershipTracker.Change(
            owner: .compositor(window.window), isDeath: false, acquired: ServerTime(time))
        change.followsDeath = afterDeath
        fixture.report(.changed(selection: "CLIPBOARD", change))
    }

    private func text(of version: PasteboardState.Version?) throws -> String {
        let bytes = try #require(version?.sources.lazy.compactMap(\.bytes).last)
        return String(decoding: try bytes.bytes(), as: UTF8.self)
    }

    private func captured() throws -> String {
        fixture.pass()
        return try text(of: pasteboard.captured)
    }

    @Test("A copy from a Wayland program is one change, and is captured at once")
    mutating func copied() throws {
        offer([("text/html", .text("<b>a</b>")), ("text/plain;charset=utf-8", .text("a"))], at: 1_000)
        fixture.succeed()
        #expect(pasteboard.count == 1)
        #expect(pasteboard.captured?.contents.types.map(\.identifier) == ["public.html", "public.utf8-plain-text"])
        #expect(pasteboard.owner.kind == .wayland && pasteboard.owner.window == nil)
    }

    @Test("A program's second copy, for which the window takes the selection twice, is one change")
    mutating func pair() throws {
        offer([("text/plain;charset=utf-8", .text("one"))], at: 1_000)
        #expect(try captured() == "one")
        offer([("text/plain;charset=utf-8", .text("one"))], at: 2_000)
        offer([("text/plain;charset=utf-8", .text("two")), ("com.example.a", .text("a"))], at: 2_001)
        #expect(pasteboard.count == 2)
        fixture.pass()
        #expect(pasteboard.captured?.contents.types.count == 2)
    }

    @Test("The second half of a pair is captured while the first half is being read", arguments: [true, false])
    mutating func pairDuringRead(isPart: Bool) throws {
        offer([("text/plain;charset=utf-8", .text("one")), ("com.example.a", .text("a"))], at: 1_000)
        #expect(try captured() == "a")
        let other: [(target: String, answer: ForeignProgram.Answer)] = isPart ? [] : [("com.example.b", .later)]
        offer([("text/plain;charset=utf-8", .later)] + other, at: 2_000)
        fixture.succeed()
        offer([("text/plain;charset=utf-8", .text("two")), ("com.example.a", .text("b"))], at: 2_001)
        #expect(try captured() == "b")
        #expect(pasteboard.count == 2)
    }

    @Test(
        "The captured contents of an X11 program that has died are claimed again, at the same count",
        arguments: [true, false])
    mutating func rescued(afterReport: Bool) throws {
        fixture.copy(ForeignProgram(offers: [("text/html", .text("<b>a</b>")), ("UTF8_STRING", .text("a"))]))
        fixture.pass()
        // On a busy machine the death is reported before the compositor owns the selection.
        if afterReport { fixture.die() }
        offer([("text/plain;charset=utf-8", .text("a"))], at: 1_000, afterDeath: !afterReport)
        #expect(pasteboard.count == 1)
        #expect(pasteboard.version?.contents.types.map(\.identifier) == ["public.html", "public.utf8-plain-text"])
        fixture.succeed()
        #expect(fixture.claimed.contains("CLIPBOARD"))
        #expect(pasteboard.count == 1 && pasteboard.version != nil)
    }

    @Test("The captured contents of a Wayland program that has ended are claimed again, at the same count")
    mutating func ended() throws {
        let kept: [(target: String, answer: ForeignProgram.Answer)] = [
            ("text/plain;charset=utf-8", .text("a")), ("UTF8_STRING", .text("a")),
        ]
        offer([("text/html", .text("<b>a</b>"))] + kept, at: 1_000)
        fixture.pass()
        offer(kept, at: 2_000)
        fixture.succeed()
        #expect(pasteboard.version?.contents.types.map(\.identifier) == ["public.html", "public.utf8-plain-text"])
        #expect(fixture.claimed.contains("CLIPBOARD") && pasteboard.count == 1)
    }

    @Test("A copy of different contents is a change, in one format or in several", arguments: ["a", "b"])
    mutating func changed(text: String) throws {
        let text: [(target: String, answer: ForeignProgram.Answer)] = [("text/plain", .text(text))]
        offer([("text/html", .text("<b>a</b>")), ("text/plain", .text("a"))], at: 1_000)
        fixture.pass()
        offer([("text/html", .text("<b>b</b>"))] + text, at: 2_000)
        fixture.pass()
        #expect(pasteboard.count == 2)
        offer([("text/plain", .text("c"))], at: 3_000)
        fixture.pass()
        #expect(pasteboard.count == 3 && pasteboard.captured?.contents.types.count == 1)
    }

    @Test("The empty text that GNOME sets when the screen is locked changes nothing", arguments: [true, false])
    mutating func locked(isCaptured: Bool) throws {
        if isCaptured {
            offer([("text/html", .text("<b>a</b>")), ("text/plain", .text("a"))], at: 1_000)
        } else {
            let client = try fixture.client()
            try client.set(.text(on: "general"))
        }
        fixture.pass()
        fixture.succeed()
        offer([("text/plain;charset=utf-8", .text(""))], at: 2_000)
        fixture.succeed()
        #expect(pasteboard.version != nil && pasteboard.count == 1)
    }

    @Test("A Wayland program's secret remains a secret when the compositor keeps it")
    mutating func secret() throws {
        offer(Self.secret, at: 1_000)
        // The second offer comes after the first has been recognized.
        for time in [2_000, 3_000] as [UInt32] {
            fixture.pass()
            offer(Self.kept, at: time)
            fixture.pass()
            #expect(pasteboard.captured == nil)
            #expect(service.captures.status(of: [pasteboard]).first?.reason == "it is a secret")
        }
    }

    @Test("The compositor is made to forget the secret of an X11 program that has died", arguments: [true, false])
    mutating func forgotten(afterReport: Bool) throws {
        fixture.copy(ForeignProgram(offers: Self.secret))
        fixture.pass()
        if afterReport { fixture.die() }
        offer(Self.kept, at: 2_000, afterDeath: !afterReport)
        fixture.succeed()
        #expect(fixture.claimed == ["CLIPBOARD"])
        fixture.pass()
        #expect(pasteboard.isHeldByNobody && pasteboard.count == 2 && fixture.withdrawn.count == 1)
    }

    @Test("A copy after a secret is captured if it has several formats, or is the second half of a pair")
    mutating func afterSecret() throws {
        offer(Self.secret, at: 1_000)
        fixture.pass()
        offer([("text/plain", .text("new")), ("text/plain;charset=utf-8", .text("new"))], at: 2_000)
        #expect(try captured() == "new")
        offer(Self.secret, at: 3_000)
        fixture.pass()
        offer(Self.kept, at: 4_000)
        offer([("text/plain;charset=utf-8", .text("next"))], at: 4_000)
        #expect(try captured() == "next")
    }

    @Test("If a program dies before the bridge has examined its secret, the single format that remains is not captured")
    mutating func unknown() throws {
        fixture.copy(ForeignProgram(offers: Self.secret))
        offer(Self.kept, at: 1_000, afterDeath: true)
        fixture.pass()
        #expect(pasteboard.captured == nil)
    }

    @Test("Contents that the compositor has when the bridge starts are not captured if they have a single format")
    mutating func found() throws {
        let fixture = try ServiceFixture(display: ":99")
        window.offers = Self.kept
        fixture.programs["CLIPBOARD"] = window
        fixture.report(.found(selection: "CLIPBOARD", .compositor(window.window)))
        let pasteboard = try #require(fixture.pasteboard("general"))
        // The window may be a copy of the seat's selection until it is known that there is no seat.
        #expect(pasteboard.isHeldByNobody)
        fixture.service.seat.becomeAbsent()
        fixture.pass()
        // Another attempt to connect to the compositor has failed.
        fixture.service.seat.becomeAbsent()
        #expect(pasteboard.owner.kind == .wayland && pasteboard.captured == nil && pasteboard.count == 0)
    }

    @Test("A selection whose targets the compositor refuses becomes empty without another step")
    mutating func cleared() throws {
        offer([("text/plain;charset=utf-8", .text("one"))], at: 1_000)
        fixture.pass()
        window.refusesList = true
        offer([], at: 2_000)
        fixture.pass()
        #expect(pasteboard.isHeldByNobody && pasteboard.count == 2)
    }
}
