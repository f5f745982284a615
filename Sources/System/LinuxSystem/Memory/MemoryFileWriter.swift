import CLinux
import Glibc
package import SystemPackage

/// A builder for a ``MemoryFile``.
///
/// Bytes are appended at ``length``, regardless of the file's own offset: a write that fails midway moves the offset,
/// and the bytes it has written are cut off again.
package final class MemoryFileWriter {
    package let descriptor: Descriptor
    /// The number of bytes written.
    package private(set) var length = 0

    /// - Throws: `tooManyOpenFiles` also if the descriptor would fall into the ``DescriptorReserve``.
    package init() throws(Errno) {
        descriptor = Descriptor(adopting: FileDescriptor(rawValue: try Self.create()))
        if DescriptorReserve.contains(descriptor) { throw .tooManyOpenFiles }
    }

    /// The file, for examining its length while bytes are appended.
    package var fileDescriptor: FileDescriptor { descriptor.fileDescriptor }

    /// Creates the file. Its name is only visible in /proc.
    private static func create() throws(Errno) -> Int32 {
        do {
            // Since Linux 6.3 the kernel expects either MFD_NOEXEC_SEAL or MFD_EXEC.
            return try systemCall { unsafe memfd_create("pasteboard", MFD_CLOEXEC | MFD_NOEXEC_SEAL) }
        } catch .invalidArgument {
            return try systemCall { unsafe memfd_create("pasteboard", MFD_CLOEXEC | MFD_ALLOW_SEALING) }
        }
    }

    package func append(_ bytes: RawSpan) throws(Errno) {
        try rethrowingErrno { try unsafe bytes.withUnsafeBytes { try unsafe write($0) } }
    }

    package func append(_ bytes: [UInt8]) throws(Errno) {
        try rethrowingErrno { try unsafe bytes.withUnsafeBytes { try unsafe write($0) } }
    }

    /// Appends the contents of a file, pipe or socket from its current position to its end.
    ///
    /// Where possible the bytes stay in the kernel: sendfile(2) from files, splice(2) from pipes. If the descriptor is
    /// non-blocking, this waits for its data.
    ///
    /// - Parameter limit: The limit in bytes. From a longer source, one byte more than the limit is appended, so that
    ///   the caller can detect the excess.
    /// - Returns: The number of bytes appended.
    package func append(from source: FileDescriptor, limit: Int) throws(Errno) -> Int {
        let allowed = limit == .max ? limit : limit + 1
        var count = 0
        var way = Way.sendfile
        while count < allowed {
            // The kernel moves at most 2 GiB in one call.
            let wanted = min(allowed - count, 1 << 30)
            do throws(Errno) {
                let moved = try move(wanted, from: source, by: way)
                if moved == 0 { break }
                count += moved
            } catch .wouldBlock {
                _ = try waitReadable(source, until: nil)
            } catch .invalidArgument where way != .read {
                way = way == .sendfile ? .splice : .read
            }
        }
        return count
    }

    /// Appends bytes that a pipe contains, at most `limit`, inside the kernel and without blocking, whether or not
    /// O_NONBLOCK is set.
    ///
    /// - Returns: The number of bytes appended; 0 at the end of the pipe; nil if nothing is available.
    package func append(availableIn pipe: FileDescriptor, limit: Int) throws(Errno) -> Int? {
        var offset = Int64(length)
        do throws(Errno) {
            let moved = try systemCall {
                unsafe splice(
                    pipe.rawValue, nil, fileDescriptor.rawValue, &offset, limit, UInt32(SPLICE_F_NONBLOCK))
            }
            length += moved
            return moved
        } catch .wouldBlock {
            return nil
        }
    }

    /// Appends the bytes of another file inside the kernel, either all of them or none.
    package func append(_ file: MemoryFile) throws(Errno) {
        try append(file, 0..<file.length)
    }

    /// Appends a range of another file inside the kernel, either all of it or nothing.
    package func append(_ file: MemoryFile, _ range: Range<Int>) throws(Errno) {
        try orCut { () throws(Errno) in
            try seek()
            try Transfer.copy(from: file, range: range, to: descriptor.fileDescriptor)
            length += range.count
        }
    }

    /// Seals the file. Nothing can be appended afterwards.
    package func seal() throws(Errno) -> MemoryFile {
        MemoryFile(sealed: try sealedDescriptor(), length: length)
    }

    /// Seals the file and returns only its descriptor, for callers that pass it on without reading it.
    package func sealedDescriptor() throws(Errno) -> Descriptor {
        try systemCall { fcntl(descriptor.fileDescriptor.rawValue, F_ADD_SEALS, MemoryFile.seals) }
        return descriptor
    }

    /// The ways to move bytes from a descriptor, cheapest first; the kernel rejects an unsupported way with EINVAL.
    private enum Way { case sendfile, splice, read }

    private func move(_ count: Int, from source: FileDescriptor, by way: Way) throws(Errno) -> Int {
        let file = descriptor.fileDescriptor.rawValue
        var moved = 0
        switch way {
        case .sendfile:
            try seek()
            moved = try systemCall { sendfile(file, source.rawValue, nil, count) }
        case .splice:
            var offset = Int64(length)
            moved = try systemCall { unsafe splice(source.rawValue, nil, file, &offset, count, 0) }
        case .read:
            return try rethrowingErrno {
                try unsafe withUnsafeTemporaryAllocation(byteCount: min(count, 1 << 18), alignment: 16) { buffer in
                    let read = try unsafe source.read(into: buffer)
                    try unsafe write(UnsafeRawBufferPointer(rebasing: buffer[..<read]))
                    return read
                }
            }
        }
        length += moved
        return moved
    }

    /// Writes all of the bytes or none.
    private func write(_ bytes: UnsafeRawBufferPointer) throws {
        try orCut { () throws(Errno) in
            var written = 0
            while written < bytes.count {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
                let file = descriptor.fileDescriptor.rawValue
                written += try systemCall { unsafe pwrite(file, rest.baseAddress, rest.count, off_t(length + written)) }
            }
            length += written
        }
    }

    /// Moves the file's offset to the end, because sendfile(2) takes no offset for its destination.
    private func seek() throws(Errno) {
        try systemCall { lseek(descriptor.fileDescriptor.rawValue, length, SEEK_SET) }
    }

    /// Runs `body` and cuts the file back to `length` if it fails, so that no uncounted bytes remain.
    private func orCut(_ body: () throws(Errno) -> Void) throws(Errno) {
        do {
            try body()
        } catch {
            try? descriptor.fileDescriptor.resize(to: Int64(length))
            throw error
        }
    }
}
