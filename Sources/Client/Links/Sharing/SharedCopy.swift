import BridgeClient
import LinuxSystem
import PasteboardModel
import PasteboardSharing
import PasteboardWire
import Synchronization

/// A copy of the contents of one side on the other: short representations with their bytes, and all others as promises,
/// whose bytes cross the link when they are requested.
final class SharedCopy: Sendable {
    private let source: SharedBridge
    private let target: SharedBridge
    /// The source's change count with these contents.
    private let count: Int
    let origin: ContentsOrigin
    /// The maximum length of representations that are copied with their bytes.
    private let maxLength: Int
    /// The number of promised bytes that were fetched.
    private let fetched = Mutex(0)
    /// The connection on which the contents were promised.
    private let promising = Mutex(Connection())

    private struct Connection {
        weak var socket: Descriptor?
    }

    init(source: SharedBridge, target: SharedBridge, count: Int, origin: ContentsOrigin, maxLength: Int) {
        self.source = source
        self.target = target
        self.count = count
        self.origin = origin
        self.maxLength = maxLength
    }

    /// The place of a representation in the contents, which is also the name of its promise.
    private struct Place {
        let item: Int
        let type: String

        init?(_ name: String) {
            guard let end = name.firstIndex(of: " "), let item = Int(name[..<end]) else { return nil }
            self.item = item
            type = String(name[name.index(after: end)...])
        }
    }

    /// The reason why a copy failed, in the words of one side's bridge.
    struct Fault: Equatable, Sendable {
        let side: ShareSide
        let message: String
    }

    /// Puts the contents on the other side, and provides the promised bytes as long as the other side holds the
    /// promises.
    ///
    /// - Parameter report: Called once, with the result of the copy, and the reason if a bridge refused it.
    func perform(_ report: @escaping @Sendable (CopyResult, Fault?) -> Void) {
        var isReported = false
        var side = source.side
        do {
            let reading = try source.connect()
            guard let (items, files, options) = try contents(reading) else { return report(.failed, nil) }
            side = target.side
            if items.isEmpty { return report(try clear(), nil) }
            let parameters = Methods.Set.Parameters(
                pasteboards: [SharedBridge.pasteboard], items: items, options: options,
                timeout: reading.timeoutMilliseconds, action: "Copy over a link",
                origin: WireOrigin(machine: origin.machine, time: origin.time))
            let writing = try target.connect()
            promising.withLock { $0.socket = writing.socket }
            try writing.stream(
                Methods.Set.self, parameters, descriptors: files.map(\.descriptor), timeoutFor: .firstReply
            ) { reply, _ in
                if !isReported { report(.done, nil) }
                isReported = true
                if let wanted = reply.wanted { provide(wanted) }
                return true
            }
        } catch {
            // An error after the first reply ends the promises: the other side or the connection has ended.
            if !isReported { Self.report(BridgeClientError(wire: error), of: side, to: report) }
        }
    }

    private static func report(
        _ error: BridgeClientError, of side: ShareSide, to report: (CopyResult, Fault?) -> Void
    ) {
        switch error.code {
        case .superseded: report(.superseded, nil)
        // The link reports the end of a connection.
        case .unavailable, .transferBroken: report(.failed, nil)
        // Withheld contents have replaced these; the side's next report says so.
        case .refused where error.context.reason == BridgeError.withheldReason: report(.failed, nil)
        default: report(.failed, Fault(side: side, message: error.message))
        }
    }

    /// Breaks the promises, after the copy was reported as done.
    func withdraw() {
        if let socket = promising.withLock(\.socket) { UnixSocket.end(socket.fileDescriptor) }
    }

    private func clear() throws(BridgeClientError) -> CopyResult {
        let parameters = Methods.Clear.Parameters(
            pasteboards: [SharedBridge.pasteboard], timeout: source.timeout.millisecondsRoundedUp,
            origin: WireOrigin(machine: origin.machine, time: origin.time))
        _ = try target.connect().call(Methods.Clear.self, parameters, isLong: true)
        return .done
    }

    // MARK: Representations

    /// Returns the items to write, the files with their bytes, and the options; no items for an empty pasteboard, and
    /// nil if the source has newer contents.
    private func contents(
        _ client: BridgeClient
    ) throws(BridgeClientError) -> (items: [WireNewItem], files: [MemoryFile], options: WireOptions?)? {
        do throws(BridgeClientError) {
            let described = try client.call(
                Methods.Describe.self,
                .init(pasteboard: SharedBridge.pasteboard, timeout: client.timeoutMilliseconds)
            ).reply
            guard described.count == count else { return nil }
            let (items, files) = try items(described, client)
            return (items, files, Self.options(described.options))
        } catch  where error.code == .empty {
            let present = try client.call(Methods.Count.self, .init(pasteboard: SharedBridge.pasteboard)).reply.count
            return present == count ? ([], [], nil) : nil
        }
    }

    private func items(
        _ described: Methods.Describe.Reply, _ client: BridgeClient
    ) throws(BridgeClientError) -> (items: [WireNewItem], files: [MemoryFile]) {
        var files: [MemoryFile] = []
        var items: [WireNewItem] = []
        for (number, item) in described.items.enumerated() {
            var representations: [WireNewRepresentation] = []
            for representation in item.representations where representation.derived != true {
                let type = representation.nameToWrite
                var new = WireNewRepresentation(type: type)
                let isFull = files.count == Self.maxFiles
                let found = isFull ? nil : try short(representation, item: number, described.owner, client)
                if let found, let file = found.bytes.file {
                    new.bytes = WireBytes(
                        descriptor: files.count, offset: found.range.lowerBound, length: found.range.count)
                    files.append(file)
                } else {
                    new.promise = "\(number) \(type)"
                }
                representations.append(new)
            }
            items.append(WireNewItem(representations: representations))
        }
        return (items, files)
    }

    /// The maximum number of representations that are copied with their bytes. Each takes a descriptor.
    private static let maxFiles = 32

    /// Reads a short representation; returns nil for a representation to be promised. From a foreign owner, only text
    /// is read, since rendering other types may take a long time.
    private func short(
        _ representation: WireRepresentation, item: Int, _ owner: WireOwner, _ client: BridgeClient
    ) throws(BridgeClientError) -> FetchedRepresentation? {
        guard representation.promised != true else { return nil }
        let isForeign = owner.kind == .window || owner.kind == .wayland
        guard !isForeign || representation.type == "public.utf8-plain-text" else { return nil }
        do throws(BridgeClientError) {
            let found = try client.get(
                pasteboard: SharedBridge.pasteboard, type: representation.nameToWrite, item: item
            ) { $0 <= maxLength }
            return found?.count == count ? found : nil
        } catch {
            switch error.code {
            // Some programs refuse a type that they offer, and others are busy for longer than the timeout.
            case .noSuchType, .silent, .transferBroken, .promiseBroken: return nil
            default: throw error
            }
        }
    }

    /// Returns the options that apply on both machines.
    private static func options(_ options: WireOptions?) -> WireOptions? {
        guard let options, options.expires != nil || options.memory == true else { return nil }
        return WireOptions(expires: options.expires, memory: options.memory)
    }

    // MARK: Promises

    /// The maximum length of all promised bytes: X11 announces the length of a transfer in 32 bits. The other machine
    /// could otherwise fill the memory of this one.
    private static let maxPromised = Int(UInt32.max)

    /// Counts promised bytes. Returns false if there are too many.
    private func reserve(_ length: Int) -> Bool {
        fetched.withLock { fetched in
            guard (0...Self.maxPromised - fetched).contains(length) else { return false }
            fetched += length
            return true
        }
    }

    /// Provides promised bytes, on a separate thread: a large representation must not delay a small one.
    private func provide(_ wanted: WireWanted) {
        let isStarted = source.work.start("xpb-promise") { [self] in
            do throws(BridgeClientError) {
                try fulfill(wanted)
            } catch {
                refuse(wanted, error.message)
            }
        }
        if !isStarted { refuse(wanted, "too many bytes are requested at once") }
    }

    /// The minimum time between two reports of progress to readers of a promise.
    private static let progressInterval = Duration.milliseconds(250)

    private func fulfill(_ wanted: WireWanted) throws(BridgeClientError) {
        guard let place = Place(wanted.promise) else {
            throw BridgeClientError(code: .promiseBroken, message: "there is no promise '\(wanted.promise)'")
        }
        let keeper = try target.connect()
        var reported = ContinuousClock.now
        let found = try source.connect().get(
            pasteboard: SharedBridge.pasteboard, type: place.type, item: place.item,
            onProgress: {
                guard ContinuousClock.now - reported > Self.progressInterval else { return }
                reported = .now
                // If the promise was voided, the call `Keep` fails.
                _ = try? keeper.call(Methods.Progress.self, .init(ticket: wanted.ticket))
            }, where: reserve)
        guard let found else {
            throw BridgeClientError(code: .promiseBroken, message: "the contents are too long")
        }
        guard found.count == count, let file = found.bytes.file else {
            throw BridgeClientError(code: .promiseBroken, message: "the other machine has newer contents")
        }
        let bytes = WireBytes(descriptor: 0, offset: found.range.lowerBound, length: found.range.count)
        _ = try keeper.call(
            Methods.Keep.self, .init(ticket: wanted.ticket, bytes: bytes), descriptors: [file.descriptor], isLong: true)
    }

    private func refuse(_ wanted: WireWanted, _ reason: String) {
        _ = try? target.connect().call(Methods.Break.self, .init(ticket: wanted.ticket, message: reason))
    }
}

extension WireRepresentation {
    /// The name used to read and write the representation: its type, or the target if the type is dynamic.
    fileprivate var nameToWrite: String { type.hasPrefix("dyn.") ? target ?? type : type }
}
