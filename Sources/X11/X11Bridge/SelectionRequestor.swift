import EventLoop
import LinuxSystem
import SelectionProtocol
import SystemPackage
import X11Display

/// The requestor's side of one display: the conversions under way, each on its own window.
///
/// A window is used once. GTK 3, Qt and xclip lose one of two conversions on the same window, and a late answer must
/// find the window that it was meant for.
package final class SelectionRequestor {
    /// The names that most readers look for.
    static let commonTargets = [
        // A secret must be recognized as a secret.
        "x-kde-passwordManagerHint", "org.nspasteboard.ConcealedType",
        "UTF8_STRING", "STRING", "text/plain;charset=utf-8", "text/plain", "text/html", "text/uri-list", "image/png",
    ]

    let display: XDisplay
    let counters: DisplayCounters
    private let report: (DisplayReport) -> Void
    var limits: TransferLimits
    /// The function that returns the other transfers that count towards the same limits.
    var otherTransfers: () -> TransferQuota.OtherTransfers = { .init() }
    /// The function that ends another transfer that counts towards the same limits.
    var endOtherTransfer: (SelectionOwner.Destination) -> Void = { _ in }
    let property: Atom
    /// The target TEXT. An answer to a request for TEXT may have as its target the encoding that the owner chose.
    private let text: Atom
    private(set) var transfers: [WindowID: Transfer] = [:]
    private var retiredWindows = RetiredWindows()
    /// The maximum length of a property that is read in one piece, in bytes. No request writes as much, and the X
    /// thread does nothing else while it reads a property.
    package var maxPropertyLength: Int
    /// The length of the parts in which a property is read, in bytes. Xlib holds two copies of a part, for which
    /// malloc(3) keeps memory: see ``ResidentMemory``. Longer parts would need new pages each time, which takes longer
    /// than further requests.
    private static let maxPart = 1 << 18
    /// The maximum length of a list of targets, in bytes: much more than is evaluated.
    private static let maxListLength = 1 << 20

    init(
        display: XDisplay, limits: TransferLimits, counters: DisplayCounters, report: @escaping (DisplayReport) -> Void
    ) {
        self.display = display
        self.limits = limits
        self.counters = counters
        self.report = report
        property = display.intern("_XPB_TRANSFER")
        text = display.intern("TEXT")
        maxPropertyLength = max(64 << 20, display.maximumRequest)
    }

    // MARK: Commands

    /// Starts a conversion. `owner` is the window that is asked, if it is known.
    func start(_ request: ConversionRequest, of owner: WindowID, now: ContinuousClock.Instant) {
        let atoms = display.internForeign([request.selection, request.target])
        guard !atoms.contains(.none) || display.isBroken else {
            counters.refused(.atoms)
            return report(.converted(request.ticket, .failure(.names)))
        }
        if let limit = admit(owner, now: now) {
            counters.note(.limit(limit))
            return report(.converted(request.ticket, .failure(.limit(limit))))
        }
        let window = display.createWindow(for: .requestor)
        var limits = limits
        limits.incoming = min(limits.incoming, request.limit ?? .max)
        if atoms[1] == display.atoms.targets { limits.incoming = min(limits.incoming, Self.maxListLength) }
        let machine = Conversion(atoms: display.atoms, limits: limits, idleTimeout: request.idleTimeout, now: now)
        // The time is the present time of the server: Qt refuses times before its ownership, and CurrentTime is not
        // allowed (ICCCM 2.4).
        let time = display.serverTime()
        transfers[window] = Transfer(
            request, selection: atoms[0], target: atoms[1], owner: owner, time: time, machine: machine,
            limit: limits.incoming, now: now)
        if let parameters = request.parameters {
            // The targets are on offer, so all targets that may have an atom have one.
            let listed = display.internForeign(parameters).filter { $0 != .none }
            display.write(listed.map(\.id), to: property, of: window, type: .atom)
        }
        display.convert(atoms[0], to: atoms[1], into: property, of: window, time: time)
    }

    /// Repeats the requests that an exclusive owner dropped while it sent another conversion. The requests were made
    /// before the owner's answer to that conversion, which was canceled or late.
    private func repeatRequests(after sent: Transfer, now: ContinuousClock.Instant) {
        guard sent.isIncremental, sent.request.isExclusive, !sent.isFormer else { return }
        for (window, dropped) in transfers where dropped.isUnansweredRequest(of: sent.selection) {
            // The owner may still answer the first request, and then finds its window.
            dropped.isReported = true
            handle(.cancelled, on: window, now: now)
            start(dropped.request, of: dropped.owner, now: now)
            report(.progress(dropped.request.ticket))
        }
    }

    func cancel(_ ticket: Ticket, now: ContinuousClock.Instant) {
        guard let window = transfers.first(where: { $0.value.request.ticket == ticket && !$0.value.isReported })?.key
        else {
            return
        }
        handle(.cancelled, on: window, now: now)
    }

    // MARK: Events

    /// Handles an owner's answer. An answer that does not match a conversion in every field is dropped: it is late,
    /// forged, or meant for another window.
    ///
    /// Two deviations are accepted: some owners send CurrentTime instead of the request's time, and xsel names STRING
    /// as the target when it sends TEXT in pieces.
    func notified(
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

    /// Fails the conversions of a selection whose owner has disconnected.
    func ownerGone(_ selection: Atom, now: ContinuousClock.Instant) {
        for (window, transfer) in transfers where transfer.selection == selection && !transfer.isFormer {
            handle(.ownerGone, on: window, now: now)
        }
    }

    /// Fails the conversions that the former owner of a selection has not begun to answer. The former owner may never
    /// answer: xclip exits as soon as it loses the selection. Conversions that have begun continue.
    func ownerReplaced(_ selection: Atom, now: ContinuousClock.Instant) {
        for (window, transfer) in transfers where transfer.selection == selection && !transfer.isFormer {
            transfer.isFormer = true
            if !transfer.machine.hasBegun || transfer.machine.isAwaitingOwner {
                handle(.ownerReplaced, on: window, now: now)
            }
        }
    }

    func expire(now: ContinuousClock.Instant) {
        for (window, transfer) in transfers {
            run(transfer.machine.expire(now: now), on: window, now: now)
        }
        destroyRetiredWindows(now: now)
    }

    private func destroyRetiredWindows(now: ContinuousClock.Instant) {
        for window in retiredWindows.removeDue(now: now) { display.destroyWindow(window) }
    }

    var deadline: ContinuousClock.Instant? {
        transfers.values.reduce(retiredWindows.deadline) { $0.orEarlier($1.machine.deadline) }
    }

    /// The number of transfers, without those that only wait for the first answer of a silent owner.
    package var transferCount: Int { transfers.values.count { !$0.machine.isAwaitingOwner } }

    /// Ends the oldest transfer that waits for the first answer of its owner, if there are more of these than the
    /// limit.
    private func limitAwaitedOwners(now: ContinuousClock.Instant) {
        let awaited = transfers.filter(\.value.machine.isAwaitingOwner)
        guard awaited.count > limits.awaited, let oldest = awaited.min(by: { $0.value.started < $1.value.started })
        else {
            return
        }
        handle(.evicted, on: oldest.key, now: now)
    }

    // MARK: Effects

    func handle(_ event: Conversion.Event, on window: WindowID, now: ContinuousClock.Instant) {
        guard let transfer = transfers[window] else { return }
        run(transfer.machine.handle(event, now: now), on: window, now: now)
    }

    private func run(_ effects: [Conversion.Effect], on window: WindowID, now: ContinuousClock.Instant) {
        guard let transfer = transfers[window] else { return }
        for effect in effects {
            switch effect {
            case .read: read(transfer, on: window, now: now)
            // `read` has stored the bytes already.
            case .store: break
            case .finish(let type, _): finish(transfer, type: type)
            case .fail(let failure):
                if case .stalled = failure { counters.note(.stalled) }
                conclude(transfer, .failure(failure))
                limitAwaitedOwners(now: now)
            case .close:
                transfers[window] = nil
                if transfer.isIncremental {
                    retiredWindows.append(window, now: now)
                } else {
                    display.destroyWindow(window)
                }
                destroyRetiredWindows(now: now)
                if transfer.isDraining { report(.drained(transfer.request.ticket)) }
                repeatRequests(after: transfer, now: now)
            }
        }
    }

    private func read(_ transfer: Transfer, on window: WindowID, now: ContinuousClock.Instant) {
        guard transfer.request.acceptsPieces || !isInPieces(window) else {
            return refusePieces(of: transfer, on: window)
        }
        let room = transfer.isReported ? (bytes: 0, limit: TransferQuota.Limit.bytes) : room(for: transfer)
        let maxLength = min(transfer.limit - transfer.stored, maxPropertyLength)
        // After a failure only the length is of interest: an empty property is the end.
        let limit = transfer.isReported ? 0 : min(maxLength, room.bytes)
        var failure: Conversion.Failure?
        let length = min(max(limit, 4), Self.maxPart)
        let reading = display.readWhole(property, of: window, part: length, limit: limit) { part in
            // Each part is stored when it arrives, so that no more than one part is in memory twice.
            guard !transfer.isReported, part.type != display.atoms.incr, failure == nil, transfer.takes(part) else {
                return
            }
            do throws(Errno) {
                try rethrowingErrno { try store(part, of: transfer) }
            } catch {
                // The reader of a stream has closed its end.
                failure = error == .brokenPipe ? .cancelled : .noRoom
            }
        }
        let effects = transfer.machine.handle(.read(reading), now: now)
        if reading.type == display.atoms.incr { beginPieces(of: transfer) }
        transfer.moved += reading.type == display.atoms.incr ? 0 : reading.length
        if reading.type != .none { transfer.lastProgress = now }
        if transfer.machine.isReceiving, reading.type != .none { report(.progress(transfer.request.ticket)) }
        if effects.contains(.store), !transfer.isReported {
            transfer.stored += reading.length
            if reading.length > room.bytes {
                counters.note(.limit(room.limit))
                failure = .limit(room.limit)
            } else if reading.length > maxLength {
                failure = .tooLong
            }
            if let failure {
                conclude(transfer, .failure(failure))
                // The remaining pieces of the owner are read and dropped.
                run(effects + transfer.machine.handle(.cancelled, now: now), on: window, now: now)
                return
            }
        }
        run(effects, on: window, now: now)
    }

    /// Returns true if the owner has announced pieces. The announcement is not deleted, because its deletion would
    /// start the pieces.
    private func isInPieces(_ window: WindowID) -> Bool {
        display.read(property, of: window, maximum: 4, deleting: false).type == display.atoms.incr
    }

    private func refusePieces(of transfer: Transfer, on window: WindowID) {
        // The window stays for a while, since its owner watches it.
        transfer.isIncremental = true
        conclude(transfer, .failure(.tooLong))
        handle(.evicted, on: window, now: .now)
    }

    /// Begins a transfer in pieces. Its stream begins before the first piece is there: the owner has accepted.
    private func beginPieces(of transfer: Transfer) {
        transfer.isIncremental = true
        // Without a descriptor for a socket, the bytes are stored.
        guard transfer.request.streams, !transfer.isReported, case .none = transfer.sink, transfer.machine.isReceiving,
            let socket = try? SpooledSocket()
        else { return }
        transfer.sink = .stream(socket)
        report(.streaming(transfer.request.ticket, socket))
    }

    private func store(_ value: PropertyValue, of transfer: Transfer) throws {
        switch transfer.sink {
        case .none where transfer.target == display.atoms.targets && value.format == 32:
            transfer.sink = .list(value.words)
        case .none:
            let writer = try MemoryFileWriter()
            transfer.sink = .file(writer)
            try value.withBytes { try writer.append($0) }
        case .list(let words):
            // Targets beyond the limit are dropped when a list comes in pieces.
            if words.count < limits.targets { transfer.sink = .list(words + value.words) }
        case .file(let writer): try value.withBytes { try writer.append($0) }
        case .stream(let socket): try value.withBytes { try socket.append($0) }
        }
    }

    private func finish(_ transfer: Transfer, type: Atom) {
        do {
            let content: Converted.Content
            var isShortened = false
            switch transfer.sink {
            case .list(let words):
                content = .targets(names(of: words))
                isShortened = words.count > limits.targets
                if isShortened { counters.refused(.targets) }
            case .file(let writer): content = .file(try writer.seal())
            case .stream: content = .streamed
            case .none where transfer.target == display.atoms.targets: content = .targets([])
            case .none: content = .file(try MemoryFile.containing([]))
            }
            let typeName = display.name(of: type) ?? ""
            let converted = Converted(type: typeName, content: content, isShortened: isShortened)
            conclude(transfer, .success(converted))
        } catch {
            conclude(transfer, .failure(.noRoom))
        }
    }

    /// Returns the names of the first targets of a list, and of common targets in the rest of an endless list.
    private func names(of words: [UInt32]) -> [String] {
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
        transfer.stored = 0
        if transfer.machine.isReceiving {
            transfer.isDraining = true
            report(.draining(transfer.request.ticket))
        }
        report(.converted(transfer.request.ticket, result))
    }
}
