import CLinux
import Glibc
package import SystemPackage

/// Builds a ``SecretMemory``: what is put in goes there directly, or is copied from where the caller has it.
package final class SecretMemoryWriter {
    private let pages: LockedPages
    private let room: Int
    /// What has been written, in bytes.
    package private(set) var length = 0

    /// - Parameter room: The most that is going to be written, in bytes.
    /// - Throws: `tooLong` for more than a secret may have; `notLockable`.
    package init(room: Int = SecretMemory.mostBytes) throws(SecretMemoryError) {
        guard room <= SecretMemory.mostBytes else { throw .tooLong(limit: SecretMemory.mostBytes) }
        self.room = room
        pages = try LockedPages(room)
    }

    package func append(_ bytes: RawSpan) throws(SecretMemoryError) {
        guard bytes.byteCount <= room - length else { throw .tooLong(limit: room) }
        unsafe bytes.withUnsafeBytes { source in
            unsafe UnsafeMutableRawBufferPointer(rebasing: pages.buffer[length...]).copyMemory(from: source)
        }
        length += bytes.byteCount
    }

    /// Appends what a file, pipe or terminal gives from where it stands, to its end, which is waited for.
    ///
    /// - Throws: `tooLong` for more than there is room for, of which one byte is taken then; `unreadable`.
    package func append(from source: FileDescriptor) throws(SecretMemoryError) {
        do throws(Errno) {
            while length < room {
                guard try read(room - length, from: source) > 0 else { return }
            }
            var excess: UInt8 = 0
            let isLonger = try rethrowingErrno {
                try unsafe withUnsafeMutableBytes(of: &excess) { try unsafe source.read(into: $0) } > 0
            }
            excess = 0
            guard isLonger else { return }
        } catch {
            throw .unreadable(error)
        }
        throw .tooLong(limit: room)
    }

    /// Appends what the reading end of a pipe holds that somebody passed, and waits for nothing.
    ///
    /// - Throws: `incomplete` where fewer bytes are there, whether more would come or not.
    package func append(_ count: Int, fromPipe pipe: FileDescriptor) throws(SecretMemoryError) {
        guard count <= room - length else { throw .tooLong(limit: room) }
        let end = length + count
        try take(count, from: try Self.reopened(pipe))
        guard length == end else { throw .incomplete(count - (end - length), of: count) }
    }

    /// The same of a pipe of which it is not known how much it holds.
    ///
    /// - Throws: `tooLong` for more than there is room for.
    package func append(allOfPipe pipe: FileDescriptor) throws(SecretMemoryError) {
        let own = try Self.reopened(pipe)
        try take(room - length, from: own)
        var left: Int32 = 0
        guard unsafe ioctl(own.fileDescriptor.rawValue, UInt(FIONREAD), &left) == 0, left == 0 else {
            throw .tooLong(limit: room)
        }
    }

    /// What is there now, at most so much.
    private func take(_ count: Int, from pipe: Descriptor) throws(SecretMemoryError) {
        let end = length + count
        do throws(Errno) {
            while length < end, try read(end - length, from: pipe.fileDescriptor) > 0 {}
        } catch .wouldBlock {
            // Its writer has not written the rest.
        } catch {
            throw .unreadable(error)
        }
    }

    /// Makes the contents final, in no more pages than they need. Nothing is to be appended any more.
    package func seal() -> SecretMemory {
        pages.trim(to: length)
        return SecretMemory(pages, length: length)
    }

    private func read(_ count: Int, from source: FileDescriptor) throws(Errno) -> Int {
        let part = unsafe UnsafeMutableRawBufferPointer(rebasing: pages.buffer[length..<length + count])
        let count = try rethrowingErrno { try unsafe source.read(into: part) }
        length += count
        return count
    }

    /// The same pipe, opened once more: whether reading waits is a matter of the open file, which whoever passed it shares
    /// and could change at any time. See proc(5), `/proc/self/fd`.
    private static func reopened(_ pipe: FileDescriptor) throws(SecretMemoryError) -> Descriptor {
        var status = stat()
        guard unsafe fstat(pipe.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFIFO,
            fcntl(pipe.rawValue, F_GETFL) & O_ACCMODE == O_RDONLY
        else { throw .notAPipe }
        do {
            return Descriptor(
                adopting: try FileDescriptor.open(
                    FilePath("/proc/self/fd/\(pipe.rawValue)"), .readOnly, options: [.closeOnExec, .nonBlocking]))
        } catch {
            throw .unreadable(error as? Errno ?? .ioError)
        }
    }
}
