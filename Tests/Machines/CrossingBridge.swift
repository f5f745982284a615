import DataControlProtocol
import SelectionCrossing
import SelectionProtocol

/// The bridge around a ``CrossingMachine``, in a session with an X display and a seat.
struct CrossingBridge {
    var machine = CrossingMachine()
    /// False after the bridge was killed.
    private(set) var isRunning = true
    /// True once a seat is attached.
    var isAttached = true
    /// The contents that the next bridge restores from the store.
    private(set) var stored: (id: CrossingContents, model: ModelContents)?
    var wakes: [ContinuousClock.Instant] = []
    /// The last number of the bridge's contents.
    private var versions = 0
    /// The number of the X11 selection's changes that the bridge knows of.
    var seenSerial = 0
    /// The contents of the X11 selection that the bridge knows of.
    var seenOnDisplay: ModelContents?
    /// True if the last answer to the machine said that an X11 window has the focus.
    var sawFocus = false
    private(set) var count = 0
    private(set) var contents: ModelContents?
    private var capturedID: CrossingContents?
    /// The contents that a client is writing.
    private var writing: CrossingContents?
    /// The contents that the bridge knows, by their holders.
    private(set) var known: [CrossingContents: ModelContents] = [:]
    /// True if an X11 program owns the selection, as far as the bridge knows.
    var isProgramOnDisplay = false
    var offers: [ForeignOfferID: ModelContents] = [:]
    /// The selections of the seat that have a type that no compositor's copy has.
    var uncopied: Set<ForeignOfferID> = []
    var windows: [WindowID: ModelContents] = [:]

    // MARK: Versions

    /// Returns new contents, written by a client.
    mutating func version(of model: ModelContents) -> CrossingContents {
        versions += 1
        let contents = CrossingContents(OfferID(versions), isConcealed: model.isSecret)
        known[contents] = model
        writing = contents
        return contents
    }

    mutating func capture(_ model: ModelContents) -> CrossingContents {
        versions += 1
        let contents = CrossingContents(OfferID(versions), isWhole: !model.isLarge)
        known[contents] = model
        capturedID = contents
        return contents
    }

    // MARK: The pasteboard

    mutating func add(_ steps: Int) { count += steps }

    mutating func hold(_ holder: CrossingHolder) {
        capturedID = nil
        if let writing, holder == .bridge(writing) { self.writing = nil }
        contents =
            switch holder {
            case .nobody: nil
            case .bridge(let contents): known[contents]
            case .window(let window), .compositor(let window): windows[window]
            case .offer(let offer): offers[offer]
            }
    }

    /// Returns the answer to the machine's query.
    func answer(isFocused: Bool, isCopyOfNothing: Bool) -> CrossingAnswer {
        guard isProgramOnDisplay else {
            let alike = offers.keys.filter { !uncopied.contains($0) }
            return CrossingAnswer(
                isFocused: isFocused, alike: Set(alike),
                isCopyOfNothing: isCopyOfNothing && machine.mayBeCopyOfNothing)
        }
        // A secret is not read for the comparison.
        let isReadable = seenOnDisplay?.isSecret != true
        let alike = offers.filter { offer, model in
            isReadable && machine.comparesContents(of: offer, isFocused: isFocused)
                ? model == seenOnDisplay : model.types == seenOnDisplay?.types
        }.keys
        return CrossingAnswer(isFocused: isFocused, alike: Set(alike))
    }

    // MARK: The bridge's end

    mutating func kill() {
        (isRunning, isAttached) = (false, false)
        wakes = []
        // Contents are in the store before their selection is claimed.
        var last = writing ?? capturedID
        if writing == nil, case .bridge(let contents) = machine.holder { last = contents }
        stored = last.flatMap { id in known[id].flatMap { $0.isSecret ? nil : (id, $0) } }
    }

    /// Starts another bridge with this bridge's stored contents.
    mutating func restart(serial: Int) {
        isRunning = true
        machine = CrossingMachine(holder: stored.map { .bridge($0.id) } ?? .nobody, isSeatExpected: true)
        (capturedID, writing, contents) = (nil, nil, stored?.model)
        (seenSerial, seenOnDisplay) = (serial, nil)
        (offers, windows) = ([:], [:])
    }
}
