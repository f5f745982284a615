import Glibc

extension MemoryFile {
    /// Whether a range is text: valid UTF-8 without a NUL. An empty one is.
    package func isUTF8Text(in range: Range<Int>) throws -> Bool {
        try withBytes(in: range) { Self.isUTF8Text($0) }
    }

    /// The same of bytes that are in memory.
    package static func isUTF8Text(_ bytes: ArraySlice<UInt8>) -> Bool {
        unsafe bytes.withUnsafeBytes { buffer in isUTF8Text(unsafe buffer.bytes) }
    }

    static func isUTF8Text(_ bytes: RawSpan) -> Bool {
        unsafe bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress, unsafe !buffer.isEmpty else { return true }
            if unsafe memchr(start, 0, buffer.count) != nil { return false }
            let span = unsafe Span<UInt8>(_unsafeBytes: buffer)
            return (try? UTF8Span(validating: span)) != nil
        }
    }
}
