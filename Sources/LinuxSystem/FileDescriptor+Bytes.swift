package import SystemPackage

extension FileDescriptor {
    /// What is there to read now, at most `limit` bytes; empty at the end. It waits as read(2) does.
    package func readBytes(atMost limit: Int) throws(Errno) -> [UInt8] {
        try rethrowingErrno {
            try unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
                unsafe count = try read(into: UnsafeMutableRawBufferPointer(buffer))
            }
        }
    }

    /// Writes all of the bytes; a descriptor that does not block is waited for.
    ///
    /// - Throws: What write(2) says: `brokenPipe`, and a SIGPIPE unless it is ignored; `noSpace`.
    package func writeBytes(_ bytes: [UInt8]) throws(Errno) {
        var rest = bytes[...]
        while !rest.isEmpty {
            do throws(Errno) {
                let count = try rethrowingErrno { try unsafe rest.withUnsafeBytes { try unsafe write($0) } }
                rest = rest.dropFirst(count)
            } catch .wouldBlock {
                _ = try waitWritable(self, until: nil)
            }
        }
    }
}
