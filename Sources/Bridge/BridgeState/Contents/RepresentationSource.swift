package import FormatConversion
package import LinuxSystem

/// The memory, the file or the promise that holds the bytes of representations.
package enum Backing {
    case file(MemoryFile)
    /// Locked memory, for all backings of concealed contents.
    case secret(SecretMemory)
    /// Bytes that a client provides when they are asked for.
    case promise(Promise)

    package var file: MemoryFile? { held?.file }

    /// The bytes, if they are available.
    package var held: ImmutableBytes? {
        switch self {
        case .file(let file): .file(file)
        case .secret(let secret): .secret(secret)
        case .promise(let promise): promise.bytes.map { .file($0.file) }
        }
    }

    package var promise: Promise? {
        if case .promise(let promise) = self { promise } else { nil }
    }
}

extension Sequence<Backing> {
    /// The number of bytes that are held. Several representations, and several pasteboards, share a file.
    package var heldLength: Int {
        var lengths: [ObjectIdentifier: Int] = [:]
        for held in compactMap(\.held) { lengths[held.identity] = held.length }
        return lengths.values.reduce(0, +)
    }
}

package enum RepresentationSource {
    case held(EncodedBytes)
    case promised(Promise, target: String?)

    /// The bytes, if they are available.
    package var bytes: EncodedBytes? {
        switch self {
        case .held(let bytes): bytes
        case .promised(let promise, let target):
            promise.bytes.map { EncodedBytes($0.file, $0.range, target: target) }
        }
    }

    /// The time at which promised bytes arrived last; nil if no bytes have arrived.
    fileprivate var progress: ContinuousClock.Instant? {
        if case .promised(let promise, _) = self { promise.progress } else { nil }
    }

    /// True while the bytes are promised and not available.
    package var isPending: Bool { bytes == nil }

    /// Returns the bytes, waiting for a promise.
    package func read() async throws(ConversionFailure) -> EncodedBytes {
        switch self {
        case .held(let bytes): return bytes
        case .promised(let promise, let target):
            let bytes = try await promise.read()
            return EncodedBytes(bytes.file, bytes.range, target: target)
        }
    }
}

extension ConversionCache.Sources {
    /// Creates the sources of a conversion cache from representations.
    package init(_ sources: [RepresentationSource], timesOut: Bool) {
        self.init(
            present: { sources[$0].bytes },
            read: { index throws(ConversionFailure) in try await sources[index].read() },
            timesOut: timesOut, progress: { sources[$0].progress })
    }
}
