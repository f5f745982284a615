package import FoundationEssentials
import Glibc
package import SystemPackage

extension MemoryFile {
    /// The length in bytes below which copying is cheaper than a mapping with its page faults.
    private static let leastMapped = 64 << 10

    /// Returns the bytes of a range. A long range of a sealed file stays in place while the value or a copy of it
    /// lives; anything else is copied.
    ///
    /// - Throws: `invalidArgument` if the range exceeds the file; `noMemory` and similar errors if the file cannot be
    ///   mapped.
    package func data(in range: Range<Int>) throws(Errno) -> Data {
        guard kind == .sealed, range.count >= Self.leastMapped else { return Data(try bytes(in: range)) }
        try check(range)
        let mapping = try mapped()
        let part = unsafe UnsafeMutableRawBufferPointer(
            mutating: UnsafeRawBufferPointer(rebasing: mapping.buffer[range]))
        guard let start = part.baseAddress else { return Data() }
        // The mapping is read-only; Data copies the bytes before it changes any.
        return unsafe Data(
            bytesNoCopy: start, count: part.count,
            deallocator: .custom { _, _ in withExtendedLifetime(mapping) {} })
    }
}

extension MemoryFileWriter {
    package func append(_ data: Data) throws(Errno) {
        try append(data.bytes)
    }
}

extension SecretMemoryWriter {
    /// Appends the bytes of `data`. The copy in `data` is not wiped.
    package func append(_ data: Data) throws(SecretMemoryError) {
        try append(data.bytes)
    }
}

extension ImmutableBytes {
    /// Returns the bytes of a range. The bytes of a file stay in place if there are many; the bytes of a secret are
    /// copied, and nothing wipes the copy.
    ///
    /// - Throws: `invalidArgument` if the range exceeds these bytes; the errors of mapping a file.
    package func data(in range: Range<Int>) throws(Errno) -> Data {
        switch self {
        case .file(let file): try file.data(in: range)
        case .secret(let secret):
            try rethrowingErrno {
                try secret.withBytes(in: range) { span in unsafe span.withUnsafeBytes { unsafe Data($0) } }
            }
        }
    }
}
