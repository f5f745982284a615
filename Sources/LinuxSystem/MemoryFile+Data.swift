package import FoundationEssentials
import Glibc
package import SystemPackage

extension MemoryFile {
    /// Under this length copying is cheaper than a mapping and its page faults.
    private static let leastMapped = 64 << 10

    /// The bytes of a range: in place for as long as the value or a copy of it lives, or a copy where they are few, or not
    /// sealed.
    ///
    /// - Throws: `invalidArgument` for a range that is not of the file; `noMemory` and the like where it cannot be
    ///   mapped.
    package func data(in range: Range<Int>) throws(Errno) -> Data {
        guard kind == .sealed, range.count >= Self.leastMapped else { return Data(try bytes(in: range)) }
        try check(range)
        let mapping = try mapped()
        let part = unsafe UnsafeMutableRawBufferPointer(
            mutating: UnsafeRawBufferPointer(rebasing: mapping.buffer[range]))
        guard let start = part.baseAddress else { return Data() }
        // It is mapped to be read only, and Data makes a copy of its own before it changes anything.
        return unsafe Data(
            bytesNoCopy: start, count: part.count,
            deallocator: .custom { _, _ in withExtendedLifetime(mapping) {} })
    }
}

extension MemoryFileWriter {
    /// Appends the bytes of a value.
    package func append(_ data: Data) throws(Errno) {
        try append(data.bytes)
    }
}

extension SecretMemoryWriter {
    /// Appends the bytes of a value, whose own copy stays as it is.
    package func append(_ data: Data) throws(SecretMemoryError) {
        try append(data.bytes)
    }
}

extension HeldBytes {
    /// The bytes of a range: of a file in place where they are many, of a secret a copy, which nothing wipes.
    ///
    /// - Throws: `invalidArgument` for a range that is not of these bytes; what mapping a file throws.
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
