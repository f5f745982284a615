import SelectionCrossing
import SelectionProtocol

/// The bridge around a ``CrossingMachine``, in a session that shows the bridge no seat.
struct WindowBridge {
    typealias Contents = WindowSession.Contents

    var machine = CrossingMachine()
    /// True once it is known that there is no seat.
    var isAttached = true
    /// False after the bridge was killed.
    private(set) var isRunning = true
    /// The contents that the next bridge restores from the store.
    private(set) var stored: (id: CrossingContents, model: Contents)?
    var wake: ContinuousClock.Instant?
    /// The last number of the bridge's contents.
    private var versions = 0
    var seen = WindowSession.Owner.nobody
    var seenSerial = 0
    private(set) var count = 0
    private(set) var contents: Contents?
    private(set) var known: [CrossingContents: Contents] = [:]
    private var capturedID: CrossingContents?
    /// The contents that a client is writing.
    private var writing: CrossingContents?
    /// True once the present holder's formats are known.
    var isListed = false

    var captured: Contents? { capturedID.flatMap { known[$0] } }

    // MARK: Versions

    /// Returns new contents, written by a client.
    mutating func version(of model: Contents) -> CrossingContents {
        versions += 1
        let contents = CrossingContents(OfferID(versions), isConcealed: model.isSecret)
        known[contents] = model
        writing = contents
        return contents
    }

    /// Returns empty contents, which make mutter forget a secret.
    mutating func nothing() -> CrossingContents {
        versions += 1
        return CrossingContents(OfferID(versions))
    }

    mutating func capture(_ model: Contents) -> CrossingContents {
        versions += 1
        let contents = CrossingContents(OfferID(versions))
        known[contents] = model
        capturedID = contents
        return contents
    }

    // MARK: The pasteboard

    mutating func step(to holder: CrossingHolder, steps: Int) {
        count += steps
        hold(holder)
    }

    mutating func hold(_ holder: CrossingHolder) {
        (isListed, capturedID) = (false, nil)
        if let writing, holder == .bridge(writing) { self.writing = nil }
        contents =
            switch (holder, seen) {
            case (.bridge(let contents), _): known[contents]
            case (.window, .program(_, let model)): model
            case (.compositor, .compositor(let model)): model
            default: nil
            }
    }

    /// The secrecy of the present contents.
    var secrecy: FormerSecrecy {
        if case .bridge = machine.holder { return contents?.isSecret == true ? .secret : .open }
        if machine.holder == .nobody { return .open }
        guard isListed else { return .unknown }
        if contents?.isMarked == true { return .secret }
        return capturedID == nil ? .unknown : .open
    }

    /// Returns the answer to the machine's query about the compositor's contents.
    func meaning(of model: Contents?) -> OwnerContents {
        guard let model else { return .other }
        if case .program = seen { return model == contents ? .same : .other }
        guard model.formats == 1 else { return model == contents ? .same : .other }
        if model.isBlank { return .blank }
        let known: Contents?
        if case .bridge = machine.holder {
            known = contents
        } else {
            // A program whose contents had a single format may have copied them again.
            known = captured.flatMap { $0.formats > 1 ? $0 : nil }
        }
        return model.number == known?.number ? .part : .other
    }

    // MARK: The bridge's end

    mutating func kill() {
        (isRunning, isAttached) = (false, false)
        wake = nil
        // Contents are in the store before their selection is claimed.
        var last = writing ?? capturedID
        if writing == nil, case .bridge(let contents) = machine.holder { last = contents }
        stored = last.flatMap { id in known[id].flatMap { $0.isSecret ? nil : (id, $0) } }
    }

    /// Starts another bridge with this bridge's stored contents.
    mutating func restart(_ owner: WindowSession.Owner, serial: Int) {
        isRunning = true
        machine = CrossingMachine(holder: stored.map { .bridge($0.id) } ?? .nobody, isSeatExpected: true)
        (isListed, capturedID, writing) = (false, nil, nil)
        contents = stored?.model
        (seen, seenSerial) = (owner, serial)
    }
}
