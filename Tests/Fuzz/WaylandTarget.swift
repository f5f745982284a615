import DataControlProtocol
import WaylandWire

/// Checks a client of data control against a faulty compositor. The first byte selects the size of the pieces in which
/// the other bytes arrive, and whether the client offers and requests contents.
func checkWayland(_ bytes: [UInt8]) throws(BrokenInvariant) {
    guard let first = bytes.first else { return }
    let stream = Array(bytes.dropFirst())
    let size = Int(first & 0x7f) + 1
    if first < 0x80 {
        let whole = try Conversation(of: stream, pieceSize: max(stream.count, 1), isActive: false)
        let split = try Conversation(of: stream, pieceSize: size, isActive: false)
        try expect(whole.effects == split.effects, "effects do not depend on how the stream is split")
    } else {
        _ = try Conversation(of: stream, pieceSize: size, isActive: true)
    }
}

/// A client's side of a connection, with the invariants of its effects.
private struct Conversation {
    private static let descriptors = 16

    private var client = DataControlClient()
    private(set) var effects: [DataControlClient.Effect] = []
    private var objects: Set<ObjectID> = []
    private var descriptors = 0
    private var sources: Set<SourceID> = []

    init(of stream: [UInt8], pieceSize: Int, isActive: Bool) throws(BrokenInvariant) {
        try add(client.start())
        try add(client.receive([], descriptors: Self.descriptors))
        for start in stride(from: 0, to: stream.count, by: pieceSize) {
            let piece = Array(stream[start..<min(start + pieceSize, stream.count)])
            let new = client.receive(piece, descriptors: 0)
            try add(new)
            if isActive { try act(after: new) }
        }
        let hasFailed = effects.contains { if case .fail = $0 { true } else { false } }
        try expect(
            hasFailed || descriptors + client.waitingDescriptors == Self.descriptors,
            "each descriptor waits for its message, or is passed on or closed")
    }

    private mutating func act(after new: [DataControlClient.Effect]) throws(BrokenInvariant) {
        for effect in new {
            switch effect {
            case .changed(let selection, .foreign(let offer, let types)):
                if let type = types.first, let request = client.receive(offer, type: type, into: WireDescriptor(0)) {
                    try add([request])
                }
                try set(selection == .clipboard ? .primary : .clipboard)
            case .settled: try set(.clipboard)
            case .ended(let source, _): if source.number.isMultiple(of: 3) { try add(client.clear(.clipboard).effects) }
            default: break
            }
        }
    }

    private mutating func set(_ selection: SeatSelection) throws(BrokenInvariant) {
        let (id, effects) = client.set(selection, types: ["text/plain"], marker: "marker")
        if let id { sources.insert(id) }
        try add(effects)
    }

    private mutating func add(_ new: [DataControlClient.Effect]) throws(BrokenInvariant) {
        for effect in new {
            if case .fail = effects.last { throw BrokenInvariant(description: "nothing follows a fault") }
            effects.append(effect)
            switch effect {
            case .request(let request): try check(request)
            case .write, .close: descriptors += 1
            case .ended(let source, _): try expect(sources.remove(source) != nil, "a source ends once")
            case .fail(let fault): try expect(!fault.description.isEmpty, "a fault has a description")
            case .changed(_, .foreign(_, let types)):
                try expect(types.count <= 1_024 && Set(types).count == types.count, "types are limited and differ")
            default: break
            }
        }
        try expect(descriptors <= Self.descriptors, "only descriptors that arrived are passed on")
    }

    /// Checks that a request can be sent, and is for an object that exists.
    private mutating func check(_ request: DataControlClient.Request) throws(BrokenInvariant) {
        guard (try? request.encoded()) != nil else { throw BrokenInvariant(description: "a request can be encoded") }
        switch request {
        case .manager(_, .createDataSource(let id)):
            try expect(objects.insert(id).inserted, "a source has its own number")
        case .source(let object, .destroy):
            try expect(objects.remove(object) != nil, "a source is destroyed once")
        case .source(let object, .offer):
            try expect(objects.contains(object), "a request is for an object that exists")
        default: break
        }
    }
}
