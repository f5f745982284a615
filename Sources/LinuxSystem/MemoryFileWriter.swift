import CLinux
import Glibc
package import SystemPackage

/// Builds a ``MemoryFile``.
///
/// What is appended goes behind what was appended before, wherever the file itself stands: a write that fails midway moves
/// it, and what it left is cut off.
package final class MemoryFileWriter {
    private let descriptor: Descriptor
    /// What has been written, in bytes.
    package private(set) var length = 0

    /// - Throws: `tooManyOpenFiles` also where it would be of the ``DescriptorReserve``.
    package init() throws(Errno) {
        descriptor = Descriptor(adopting: FileDescriptor(rawValue: try Self.create()))
        if DescriptorReserve.has(descriptor) { throw .tooManyOpenFiles }
    }

    /// The name is seen in /proc only.
    private static func create() throws(Errno) -> Int32 {
        do {
            // The kernel asks for it to be said whether the file may be executed, from 6.3 on.
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

    /// Appends what a file, pipe or socket gives from where it stands, to its end.
    ///
    /// The bytes stay in the kernel where it can do that: sendfile(2) from files, splice(2) from pipes. A
    /// descriptor that does not block is waited for.
    ///
    /// - Parameter limit: In bytes. From a longer source one byte more than that is taken, so that the caller can
    ///   tell.
    /// - Returns: The number of bytes appended.
    package func append(from source: FileDescriptor, limit: Int) throws(Errno) -> Int {
        let allowed = limit == .max ? limit : limit + 1
        var count = 0
        var way = Way.sendfile
        while count < allowed {
            // The kernel moves at most 2 GiB at once.
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

    /// Appends the bytes of another file, all of them or none. They stay in the kernel.
    package func append(_ file: MemoryFile) throws(Errno) {
        try append(file, 0..<file.length)
    }

    /// The same of a range of them.
    package func append(_ file: MemoryFile, _ range: Range<Int>) throws(Errno) {
        try orCut { () throws(Errno) in
            try seek()
            try Transfer.copy(from: file, range: range, to: descriptor.fileDescriptor)
            length += range.count
        }
    }

    /// Makes the contents final. Nothing can be appended any more.
    package func seal() throws(Errno) -> MemoryFile {
        MemoryFile(sealed: try sealedDescriptor(), length: length)
    }

    /// The same for who passes the file on and reads nothing of it.
    package func sealedDescriptor() throws(Errno) -> Descriptor {
        try systemCall { fcntl(descriptor.fileDescriptor.rawValue, F_ADD_SEALS, MemoryFile.seals) }
        return descriptor
    }

    /// How bytes come from a descriptor, the cheapest first; the kernel refuses with EINVAL what it cannot do.
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

    /// All of them or none.
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

    /// sendfile(2) takes no offset of the file that it writes to.
    private func seek() throws(Errno) {
        try systemCall { lseek(descriptor.fileDescriptor.rawValue, length, SEEK_SET) }
    }

    /// What fails leaves no bytes behind, which would take room that nobody counts.
    private func orCut(_ body: () throws(Errno) -> Void) throws(Errno) {
        do {
            try body()
        } catch {
            try? descriptor.fileDescriptor.resize(to: Int64(length))
            throw error
        }
    }
}
