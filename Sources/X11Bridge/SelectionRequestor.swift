import EventLoop
import LinuxSystem
package import SelectionProtocol
package import X11Display

/// The requestor's side on one display: the conversions under way, each on a window of its own.
///
/// A window is never used again: GTK 3, Qt and xclip lose one of two conversions on the same window, and an answer that
/// comes late must find the window it was meant for.
package final class SelectionRequestor {
    /// What most readers look for.
    static let commonTargets = [
        // What is a secret is to be known as one.
        "x-kde-passwordManagerHint", "org.nspasteboard.ConcealedType",
        "UTF8_STRING", "STRING", "text/plain;charset=utf-8", "text/plain", "text/html", "text/uri-list", "image/png",
    ]

    package let display: XDisplay
    package let counters: DisplayCounters
    private let report: (DisplayReport) -> Void
    package var limits: TransferLimits
    /// What counts towards the limits besides.
    package var elsewhere: () -> TransferQuota.Elsewhere = { .init() }
    /// Ends a transfer there.
    var endElsewhere: (SelectionOwner.Destination) -> Void = { _ in }
    package let property: Atom
    /// Whose answer may be under the name of the encoding that was chosen.
    private let text: Atom
    package private(set) var transfers: [WindowID: Transfer] = [:]
    private var spent = RetiredWindows()
    /// The longest that is taken in one piece, in bytes. No request writes as much, and the display thread does nothing
    /// else while it reads one.
    package var longestProperty: Int

    init(
        display: XDisplay, limits: TransferLimits, counters: DisplayCounters, report: @escaping (DisplayReport) -> Void
    ) {
        self.display = display
        self.limits = limits
        self.counters = counters
        self.report = report
        property = display.intern("_XPB_TRANSFER")
        text = display.intern("TEXT")
        longestProperty = max(64 << 20, display.maximumRequest)
    }

    // MARK: Commands

    /// - Parameters:
    ///   - owner: The window that is asked, where it is known.
    ///   - list: Targets that a side effect is wanted for; the owner finds them where its answer is to go.
    ///   - limit: More bytes are not kept.
    package func start(
        selection: String, target: String, of owner: WindowID = .none, ticket: Ticket, idleTimeout: Duration,
        list: [String]? = nil, limit: Int? = nil, now: ContinuousClock.Instant
    ) {
        let atoms = display.internForOthers([selection, target])
        guard !atoms.contains(.none) || display.isBroken else {
            counters.refused(.atoms)
            return report(.converted(ticket, .failure(.names)))
        }
        if let limit = admit(owner, now: now) {
            counters.note(.limit(limit))
            return report(.converted(ticket, .failure(.limit(limit))))
        }
        let window = display.createWindow(for: .requestor)
        var limits = limits
        limits.incoming = min(limits.incoming, limit ?? .max)
        if atoms[1] == display.atoms.targets { limits.incoming = min(limits.incoming, Self.longestList) }
        let machine = Conversion(atoms: display.atoms, limits: limits, silence: idleTimeout, now: now)
        // The real time, since Qt refuses what is older than its ownership; it is never CurrentTime (ICCCM 2.4).
        let time = display.serverTime()
        transfers[window] = Transfer(
            ticket: ticket, selection: atoms[0], target: atoms[1], owner: owner, time: time, machine: machine,
            limit: limits.incoming, now: now)
        if let list {
            // They are on offer, so all that may have atoms have them.
            let listed = display.internForOthers(list).filter { $0 != .none }
            display.write(listed.map(\.id), to: property, of: window, type: .atom)
        }
        display.convert(atoms[0], to: atoms[1], into: property, of: window, time: time)
    }

    package func cancel(_ ticket: Ticket, now: ContinuousClock.Instant) {
        guard let window = transfers.first(where: { $0.value.ticket == ticket && !$0.value.isReported })?.key else {
            return
        }
        handle(.cancelled, on: window, now: now)
    }

    // MARK: Events

    /// An answer; one that fits no conversion in every field is dropped, be it late, forged or meant for another. Instead of
    /// the request's time a sloppy owner has none, and of TEXT in pieces xsel tells that it is STRING.
    package func notified(
        window: WindowID, selection: Atom, target: Atom, property: Atom, time: ServerTime,
        now: ContinuousClock.Instant
    ) {
        guard let transfer = transfers[window], transfer.selection == selection,
            transfer.target == target || transfer.target == text,
            property == .none || property == self.property, time == transfer.time || time == .current
        else { return }
        handle(.notified(property: property), on: window, now: now)
    }

    func propertyWritten(_ property: Atom, of window: WindowID, now: ContinuousClock.Instant) {
        guard property == self.property else { return }
        handle(.propertyWritten, on: window, now: now)
    }

    /// The owner of that selection is gone: what was asked of it will not come.
    package func ownerGone(_ selection: Atom, now: ContinuousClock.Instant) {
        for (window, transfer) in transfers where transfer.selection == selection && !transfer.isFormer {
            handle(.ownerGone, on: window, now: now)
        }
    }

    /// The owner changed. What the former one has not begun to send may never come: an xclip that lost the selection
    /// ends at once. What has begun goes on.
    package func ownerReplaced(_ selection: Atom, now: ContinuousClock.Instant) {
        for (window, transfer) in transfers where transfer.selection == selection && !transfer.isFormer {
            transfer.isFormer = true
            if !transfer.machine.hasBegun || transfer.machine.isAwaitingOwner {
                handle(.ownerReplaced, on: window, now: now)
            }
        }
    }

    package func expire(now: ContinuousClock.Instant) {
        for (window, transfer) in transfers {
            run(transfer.machine.expire(now: now), on: window, now: now)
        }
        destroySpent(now: now)
    }

    private func destroySpent(now: ContinuousClock.Instant) {
        for window in spent.take(now: now) { display.destroyWindow(window) }
    }

    package var deadline: ContinuousClock.Instant? {
        transfers.values.reduce(spent.deadline) { $0.orEarlier($1.machine.deadline) }
    }

    /// Without those that only wait for an owner that has said nothing.
    package var transferCount: Int { transfers.values.count { !$0.machine.isAwaitingOwner } }

    /// Of the windows that wait for their owners' first word the oldest goes beyond so many.
    private func boundAwaited(now: ContinuousClock.Instant) {
        let awaited = transfers.filter(\.value.machine.isAwaitingOwner)
        guard awaited.count > limits.awaited, let oldest = awaited.min(by: { $0.value.started < $1.value.started })
        else {
            return
        }
        handle(.ended, on: oldest.key, now: now)
    }

    // MARK: Effects

    package func handle(_ event: Conversion.Event, on window: WindowID, now: ContinuousClock.Instant) {
        guard let transfer = transfers[window] else { return }
        run(transfer.machine.handle(event, now: now), on: window, now: now)
    }

    private func run(_ effects: [Conversion.Effect], on window: WindowID, now: ContinuousClock.Instant) {
        guard let transfer = transfers[window] else { return }
        for effect in effects {
            switch effect {
            case .read: read(transfer, on: window, now: now)
            // Kept where it was read.
            case .keep: break
            case .finish(let type, let format): finish(transfer, type: type, format: format)
            case .fail(let failure):
                if case .stalled = failure { counters.note(.stalled) }
                conclude(transfer, .failure(failure))
                boundAwaited(now: now)
            case .close:
                transfers[window] = nil
                if transfer.comesInPieces { spent.append(window, now: now) } else { display.destroyWindow(window) }
                destroySpent(now: now)
                if transfer.isDraining { report(.drained(transfer.ticket)) }
            }
        }
    }

    private func read(_ transfer: Transfer, on window: WindowID, now: ContinuousClock.Instant) {
        let room = transfer.isReported ? (bytes: 0, limit: TransferQuota.Limit.bytes) : room(for: transfer)
        let most = min(transfer.limit - transfer.kept, longestProperty)
        // Of what nobody wants only the length is of use: whether it is the end.
        let limit = transfer.isReported ? 0 : min(most, room.bytes)
        var failure: Conversion.Failure?
        let reading = display.readWhole(property, of: window, part: min(max(limit, 4), 4 << 20), limit: limit) { part in
            // Kept as it comes, so that no more than a part is there twice. What the machine wants nothing of fails.
            guard !transfer.isReported, part.type != display.atoms.incr, failure == nil else { return }
            do { try keep(part, of: transfer) } catch { failure = .noRoom }
        }
        let effects = transfer.machine.handle(.read(reading), now: now)
        if reading.type == display.atoms.incr { transfer.comesInPieces = true }
        transfer.moved += reading.type == display.atoms.incr ? 0 : reading.length
        if reading.type != .none { transfer.touched = now }
        if transfer.machine.isReceiving, reading.type != .none { report(.progress(transfer.ticket)) }
        if effects.contains(.keep), !transfer.isReported {
            transfer.kept += reading.length
            if reading.length > room.bytes {
                counters.note(.limit(room.limit))
                failure = .limit(room.limit)
            } else if reading.length > most {
                failure = .tooLong
            }
            if let failure {
                conclude(transfer, .failure(failure))
                // What the owner still sends is drained.
                run(effects + transfer.machine.handle(.cancelled, now: now), on: window, now: now)
                return
            }
        }
        run(effects, on: window, now: now)
    }

    /// The longest list of targets, in bytes: much more than is looked at.
    private static let longestList = 1 << 20

    private func keep(_ value: PropertyValue, of transfer: Transfer) throws {
        switch transfer.sink {
        case .none where transfer.target == display.atoms.targets && value.format == 32:
            transfer.sink = .list(value.words)
        case .none:
            let writer = try MemoryFileWriter()
            transfer.sink = .file(writer)
            try value.withBytes { try writer.append($0) }
        case .list(let words):
            // Bounded: what is beyond the longest list is not looked at.
            if words.count < limits.targets { transfer.sink = .list(words + value.words) }
        case .file(let writer): try value.withBytes { try writer.append($0) }
        }
    }

    private func finish(_ transfer: Transfer, type: Atom, format: Int) {
        do {
            let content: Converted.Content
            switch transfer.sink {
            case .list(let words): content = .targets(names(of: words))
            case .file(let writer): content = .file(try writer.seal())
            case .none where transfer.target == display.atoms.targets: content = .targets([])
            case .none: content = .file(try MemoryFile.containing([]))
            }
            let typeName = display.name(of: type) ?? ""
            conclude(transfer, .success(Converted(type: typeName, format: format, content: content)))
        } catch {
            conclude(transfer, .failure(.noRoom))
        }
    }

    private func names(of words: [UInt32]) -> [String] {
        // Of an endless list, what most readers look for is looked for behind the part that is looked at.
        let common = Set(display.intern(Self.commonTargets).map(\.id))
        let rest = words.dropFirst(limits.targets).filter { common.contains($0) }
        var seen: Set<UInt32> = []
        return (words.prefix(limits.targets) + rest).compactMap { word in
            guard seen.insert(word).inserted else { return nil }
            switch display.find(Atom(word)) {
            case .name(let name): return name
            case .tooLong: counters.refused(.typeName)
            case .none: break
            }
            return nil
        }
    }

    private func conclude(_ transfer: Transfer, _ result: Result<Converted, Conversion.Failure>) {
        guard !transfer.isReported else { return }
        transfer.isReported = true
        transfer.sink = .none
        transfer.kept = 0
        if transfer.machine.isReceiving {
            transfer.isDraining = true
            report(.draining(transfer.ticket))
        }
        report(.converted(transfer.ticket, result))
    }
}
