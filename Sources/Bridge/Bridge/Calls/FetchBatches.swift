import BridgeServer
import FormatConversion
import LinuxSystem
import PasteboardWire
import UniformTypes

/// The replies to a `Fetch`, each within the limits of one message.
struct FetchBatches {
    struct Batch {
        var reply: Methods.Fetch.Reply
        var descriptors: [Descriptor] = []
    }

    private static let maxDescriptors = WireLimits().descriptorsPerMessage
    /// The maximum size of a reply's entries, in bytes, which leaves room for the rest of the message.
    private let maxLength: Int

    let count: Int
    let byDescriptor: Bool
    let transfers: ClientTransfers
    private(set) var batches: [Batch]
    /// The places of the bytes among the last reply's descriptors.
    private var places: [ObjectIdentifier: Int] = [:]
    /// The size of the last reply.
    private var length = 0
    /// The handles of all replies, for clients that take no descriptors.
    private var handles: [ObjectIdentifier: String] = [:]

    init(count: Int, byDescriptor: Bool, transfers: ClientTransfers) {
        self.count = count
        self.byDescriptor = byDescriptor
        self.transfers = transfers
        maxLength = min(WireLimits().messageBytes, transfers.limits.messageBytes) / 4
        batches = [Batch(reply: Methods.Fetch.Reply(count: count, found: []))]
    }

    mutating func append(_ fetched: Fetched) throws(BridgeError) {
        var found = WireFound(
            item: fetched.item, type: fetched.type?.identifier, target: fetched.target,
            exact: fetched.isExact ? true : nil)
        if case .missing(let reason) = fetched.content { found.missing = reason }
        // The members' names and punctuation, and each string with every byte escaped.
        let size = 256 + 6 * [found.type, found.target, found.missing].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
        if length + size > maxLength || places.count >= Self.maxDescriptors {
            batches.append(Batch(reply: Methods.Fetch.Reply(count: count, found: [])))
            places = [:]
            length = 0
        }
        length += size
        switch fetched.content {
        case .none, .missing: break
        case .present(let bytes): found.bytes = try self.bytes(bytes.held, bytes.range)
        }
        batches[batches.count - 1].reply.found.append(found)
    }

    /// Releases the handles of replies that are not sent.
    func release() {
        for handle in handles.values { try? transfers.release(handle) }
    }

    private mutating func bytes(_ held: ImmutableBytes, _ range: Range<Int>) throws(BridgeError) -> WireBytes {
        let key = held.identity
        guard byDescriptor else {
            if handles[key] == nil { handles[key] = try transfers.download(held, 0..<held.length) }
            let handle = handles[key]
            return WireBytes(handle: handle, offset: range.lowerBound, length: range.count)
        }
        let place = places[key] ?? batches[batches.count - 1].descriptors.count
        if places[key] == nil {
            let passed = try held.pass(0..<held.length)
            places[key] = place
            batches[batches.count - 1].descriptors.append(passed.descriptor)
        }
        return WireBytes(descriptor: place, offset: range.lowerBound, length: range.count)
    }
}
