import DataControlProtocol
import MutterProtocol
import Testing

/// A state machine of the protocol, with mutter played by the test.
private struct Session {
    var machine = MutterClipboard()
    private(set) var reports: [MutterClipboard.Effect] = []
    var calls: [MutterClipboard.Call] = []

    /// Sorts effects into calls and reports.
    mutating func note(_ effects: [MutterClipboard.Effect]) {
        for effect in effects {
            if case .call(let call) = effect { calls.append(call) } else { reports.append(effect) }
        }
    }

    /// Opens the session, with an owner that offers `types` if they are not nil.
    mutating func open(owner types: [String]? = nil) {
        note(machine.open())
        note(machine.answered(calls.removeFirst(), .done))
        if let types { note(machine.ownerChanged(to: types, isOwn: false)) }
        answer()
    }

    mutating func copies(_ types: [String]?) { note(machine.ownerChanged(to: types, isOwn: false)) }

    mutating func sets(_ types: [String], marker: String, isWithheld: Bool = false) throws -> SourceID {
        let (source, effects) = machine.set(types: types, marker: marker, isWithheld: isWithheld)
        note(effects)
        return try #require(source)
    }

    /// Answers all calls as mutter does: sources become the owner.
    mutating func answer() {
        while !calls.isEmpty {
            let call = calls.removeFirst()
            if case .set(_, let types) = call { note(machine.ownerChanged(to: types, isOwn: true)) }
            if call == .unset { note(machine.ownerChanged(to: nil, isOwn: false)) }
            note(machine.answered(call, .done))
        }
    }

    /// Returns and clears the reports so far.
    mutating func takeReports() -> [MutterClipboard.Effect] {
        defer { reports = [] }
        return reports
    }
}

@Suite("The clipboard of mutter on the session bus")
struct MutterClipboardTests {
    private static let text = "text/plain;charset=utf-8"
    private static let rich = [text, "text/html"]

    private func opened() -> Session {
        var session = Session()
        session.open()
        _ = session.takeReports()
        return session
    }

    private func offer(_ number: Int, _ types: [String]) -> MutterClipboard.Effect {
        .changed(.foreign(ForeignOfferID(number), types: types))
    }

    @Test("The owner that the selection has at first is reported once the session is open")
    func opening() {
        var session = Session()
        session.open(owner: Self.rich)
        #expect(session.takeReports() == [.attached, offer(1, Self.rich), .settled])
        #expect(session.machine.isAttached)
    }

    @Test("Each copy is one change, with its types")
    func copies() {
        var session = opened()
        session.copies(Self.rich)
        session.copies(["text/uri-list"])
        #expect(session.takeReports() == [offer(1, Self.rich), offer(2, ["text/uri-list"])])
        #expect(!session.machine.has(ForeignOfferID(1), type: "text/html"))
        #expect(session.machine.has(ForeignOfferID(2), type: "text/uri-list"))
        #expect(!session.machine.has(ForeignOfferID(2), type: "text/html"))
    }

    @Test("A second copy by the same program is one change, whatever mutter keeps in between")
    func again() {
        var session = opened()
        session.copies(Self.rich)
        _ = session.takeReports()
        session.copies(nil)
        session.copies([Self.text])
        session.copies(["text/plain"])
        session.answer()
        #expect(session.takeReports() == [offer(2, ["text/plain"])])
    }

    @Test("A program's end and the contents that mutter keeps are reported once no copy can follow")
    func end() {
        var session = opened()
        session.copies(Self.rich)
        _ = session.takeReports()
        session.copies(nil)
        session.copies([Self.text])
        #expect(session.takeReports() == [])
        session.answer()
        #expect(session.takeReports() == [.changed(.nobody), offer(2, [Self.text])])
    }

    @Test("After a program's end, a single type is a copy if mutter keeps nothing of the previous contents")
    func noRescue() {
        var session = opened()
        session.copies(["application/x-own"])
        _ = session.takeReports()
        session.copies(nil)
        session.copies(["text/plain"])
        #expect(session.takeReports() == [offer(2, ["text/plain"])])
        session.answer()
        #expect(session.takeReports() == [])
    }

    @Test("A secret that mutter keeps is not reported, and mutter forgets it")
    func secret() {
        var session = opened()
        session.copies(["text/plain", "x-kde-passwordManagerHint"])
        _ = session.takeReports()
        session.copies(nil)
        session.copies(["text/plain"])
        let fence = session.calls.removeFirst()
        session.note(session.machine.answered(fence, .done))
        #expect(session.calls.count == 2)
        guard case .set(_, let types) = session.calls.first else { return #expect(Bool(false)) }
        #expect(types.count == 1 && !types[0].hasPrefix("text/") && !types[0].hasPrefix("image/"))
        #expect(session.calls.last == .unset)
        session.answer()
        #expect(session.takeReports() == [.changed(.nobody)])
        session.copies(["text/html"])
        #expect(session.takeReports() == [offer(2, ["text/html"])])
    }

    @Test("A selection that a program clears is reported as cleared")
    func cleared() {
        var session = opened()
        session.copies(Self.rich)
        session.copies([])
        #expect(session.takeReports() == [offer(1, Self.rich), .changed(.cleared)])
    }

    @Test("A source becomes the owner, and ends when another owner follows")
    func source() throws {
        var session = opened()
        let first = try session.sets(Self.rich, marker: "m/1")
        session.answer()
        let second = try session.sets(Self.rich, marker: "m/2")
        session.answer()
        #expect(
            session.takeReports() == [.changed(.ours(first)), .changed(.ours(second)), .ended(first, .superseded)])
        session.copies(["text/html"])
        #expect(session.takeReports() == [offer(1, ["text/html"]), .ended(second, .replaced)])
    }

    @Test("A source that mutter refuses ends")
    func refused() throws {
        var session = opened()
        let source = try session.sets(Self.rich, marker: "m/1")
        session.note(session.machine.answered(session.calls.removeFirst(), .failed("no")))
        #expect(session.takeReports() == [.ended(source, .refused)])
    }

    @Test(
        "mutter's clipboard manager cannot read a withheld source; programs can read any source",
        arguments: [true, false])
    func withheld(_ isWithheld: Bool) throws {
        var session = opened()
        let source = try session.sets(Self.rich, marker: "m/1", isWithheld: isWithheld)
        let call = session.calls.removeFirst()
        session.note(session.machine.ownerChanged(to: Self.rich + ["m/1"], isOwn: true))
        // The manager reads before the answer.
        session.note(session.machine.transfer(Self.text, serial: 1))
        session.note(session.machine.answered(call, .done))
        session.note(session.machine.transfer(Self.text, serial: 2))
        let first: MutterClipboard.Call = isWithheld ? .refuse(1) : .write(source, type: Self.text, serial: 1)
        #expect(session.calls == [first, .write(source, type: Self.text, serial: 2)])
    }

    @Test("Clearing leaves nothing for mutter to keep, and is one change")
    func clear() throws {
        var session = opened()
        _ = try session.sets(Self.rich, marker: "m/1")
        session.answer()
        _ = session.takeReports()
        let (_, effects) = session.machine.clear()
        session.note(effects)
        session.answer()
        #expect(session.takeReports() == [.ended(SourceID(1), .superseded), .changed(.nobody)])
    }

    @Test(
        "Empty text of a locked screen is not a change by the user, but other text is", arguments: [true, false])
    func locked(_ isBlank: Bool) {
        var session = opened()
        session.copies(Self.rich)
        _ = session.takeReports()
        session.copies([Self.text])
        #expect(session.takeReports() == [.look(ForeignOfferID(2), type: Self.text)])
        session.note(session.machine.looked(at: ForeignOfferID(2), isBlank: isBlank, isLocked: false))
        #expect(session.takeReports() == [isBlank ? .changed(.nobody) : offer(2, [Self.text])])
    }

    @Test("While the screen is locked, nothing is reported; once it is unlocked, the present owner is reported")
    func lockedScreen() {
        var session = opened()
        session.copies(Self.rich)
        session.copies([Self.text])
        _ = session.takeReports()
        session.note(session.machine.looked(at: ForeignOfferID(2), isBlank: true, isLocked: true))
        #expect(session.takeReports() == [.detached])
        #expect(session.machine.set(types: Self.rich, marker: "m/1", isWithheld: false).source == nil)
        session.copies([Self.text])
        session.copies(nil)
        #expect(session.takeReports() == [])
        session.note(session.machine.open())
        #expect(session.takeReports() == [.attached, .changed(.nobody), .settled])
        #expect(session.calls == [])
    }

    @Test("A copy shows that the screen is unlocked")
    func unlockedByCopy() {
        var session = opened()
        session.copies([Self.text])
        session.note(session.machine.looked(at: ForeignOfferID(1), isBlank: true, isLocked: true))
        _ = session.takeReports()
        session.copies(Self.rich)
        #expect(session.takeReports() == [.attached, offer(2, Self.rich), .settled])
    }

    @Test("A session that begins on a locked screen is unavailable until the screen is unlocked")
    func lockedAtFirst() {
        var session = Session()
        session.open(owner: [Self.text])
        session.note(session.machine.looked(at: ForeignOfferID(1), isBlank: true, isLocked: true))
        let look = MutterClipboard.Effect.look(ForeignOfferID(1), type: Self.text)
        #expect(session.takeReports() == [look, .attached, .unavailable("the screen is locked")])
        session.note(session.machine.open())
        #expect(session.takeReports() == [.attached, .changed(.nobody), .settled])
    }

    @Test("Text that was not examined before the next copy counts as a copy")
    func lookedLate() {
        var session = opened()
        session.copies([Self.text])
        session.copies(Self.rich)
        session.note(session.machine.looked(at: ForeignOfferID(1), isBlank: true, isLocked: false))
        #expect(
            session.takeReports() == [
                .look(ForeignOfferID(1), type: Self.text), offer(1, [Self.text]), offer(2, Self.rich),
            ])
    }

    @Test("A single text type that is there at first is marked as secret, since mutter may have kept it from a secret")
    func foundText() {
        var session = Session()
        session.open(owner: ["text/plain"])
        #expect(session.takeReports() == [.attached, offer(1, ["text/plain", "x-kde-passwordManagerHint"]), .settled])
        session.copies(["text/plain"])
        #expect(session.takeReports() == [offer(2, ["text/plain"])])
    }

    @Test("The first owner's text is examined before the session is settled")
    func lockedFirst() {
        var session = Session()
        session.open(owner: [Self.text])
        #expect(session.takeReports() == [.look(ForeignOfferID(1), type: Self.text), .attached])
        session.note(session.machine.looked(at: ForeignOfferID(1), isBlank: true, isLocked: false))
        #expect(session.takeReports() == [.settled])
    }

    @Test("A closed session is reopened after growing pauses")
    func closed() {
        var session = opened()
        session.note(session.machine.closed())
        #expect(session.takeReports() == [.detached, .retry(after: .seconds(1))])
        var delays: [Duration] = []
        for _ in 0..<8 {
            session.note(session.machine.open())
            session.note(session.machine.answered(session.calls.removeFirst(), .failed("locked")))
            for case .retry(let delay) in session.takeReports() { delays.append(delay) }
        }
        #expect(delays == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        session.open()
        #expect(session.takeReports() == [.attached, .changed(.nobody), .settled])
    }

    @Test("A session that is refused at first is reported, and is opened later")
    func refusedFirst() {
        var session = Session()
        session.note(session.machine.open())
        session.note(session.machine.answered(session.calls.removeFirst(), .failed("locked")))
        #expect(session.takeReports() == [.unavailable("locked"), .retry(after: .seconds(1))])
        session.open()
        #expect(session.takeReports() == [.attached, .changed(.nobody), .settled])
    }

    @Test("If mutter is not on the bus, no call is repeated")
    func noService() {
        var session = Session()
        session.note(session.machine.open())
        session.note(session.machine.answered(session.calls.removeFirst(), .noService))
        #expect(session.takeReports() == [.unavailable(nil)])
        session.note(session.machine.open())
        #expect(session.calls.isEmpty)
    }

    @Test("Types that are empty, too long, repeated or too many are left out")
    func limits() {
        var session = opened()
        let many = (0..<5_000).map { "a/\($0)" }
        session.copies(["", "a/0", "a/0", String(repeating: "x", count: 2_000)] + many)
        #expect(session.takeReports() == [offer(1, (0..<1_024).map { "a/\($0)" })])
    }
}
