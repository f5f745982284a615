import FormatConversion

/// The place that the bytes of a representation come from.
enum RepresentationSource {
    case held(EncodedBytes)
    case promised(Promise, target: String?)

    /// The bytes, if they are there.
    var bytes: EncodedBytes? {
        switch self {
        case .held(let bytes): bytes
        case .promised(let promise, let target):
            promise.bytes.map { EncodedBytes($0.file, $0.range, target: target) }
        }
    }

    /// True while the bytes are promised and not there.
    var isPending: Bool { bytes == nil }

    /// Returns the bytes, waiting for a promise.
    func read() async throws(ConversionFailure) -> EncodedBytes {
        switch self {
        case .held(let bytes): return bytes
        case .promised(let promise, let target):
            let bytes = try await promise.read()
            return EncodedBytes(bytes.file, bytes.range, target: target)
        }
    }
}

extension ConversionCache.Sources {
    /// The representations of contents.
    init(_ sources: [RepresentationSource], timesOut: Bool) {
        self.init(
            present: { sources[$0].bytes },
            read: { index throws(ConversionFailure) in try await sources[index].read() },
            timesOut: timesOut)
    }
}
