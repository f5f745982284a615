import CLinux
import Glibc
import Synchronization
package import SystemPackage

/// A secret in memory that is never swapped, excluded from core dumps, zeroed in a child created by fork(2), and wiped
/// before it is released. It is immutable after ``SecretMemoryWriter`` has built it.
///
/// The bytes are read in place, and passed to other processes through pipes, because a memory file could be swapped and
/// could not be wiped.
@safe package final class SecretMemory: @unchecked Sendable {
    /// The limit on the total length of one secret, in bytes: the capacity of a pipe.
    package static let maxBytes = 65_536

    /// The length in bytes.
    package let length: Int
    private let pages: LockedPages

    init(_ pages: LockedPages, length: Int) {
        self.pages = pages
        self.length = length
    }

    package static func copying(_ bytes: RawSpan) throws(SecretMemoryError) -> SecretMemory {
        let writer = try SecretMemoryWriter(room: bytes.byteCount)
        try writer.append(bytes)
        return writer.seal()
    }

    /// Calls `body` with the bytes of a range, in place. `body` must not copy them.
    ///
    /// - Throws: The errors of `body`; `Errno.invalidArgument` if the range exceeds the secret.
    package func withBytes<Result>(in range: Range<Int>, _ body: (RawSpan) throws -> Result) throws -> Result {
        guard range.lowerBound >= 0, range.upperBound <= length else { throw Errno.invalidArgument }
        return try withExtendedLifetime(pages) {
            let part = unsafe UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(pages.buffer)[range])
            return try body(unsafe part.bytes)
        }
    }

    /// Returns the reading end of a new pipe that contains exactly the bytes of a range. Its writing end is closed.
    ///
    /// - Throws: `noSpace` if the user's pipes leave no room for a pipe of this capacity.
    package func pipe(in range: Range<Int>) throws(Errno) -> Descriptor {
        let (reading, writing) = try Descriptor.pipe()
        let end = writing.fileDescriptor.rawValue
        // Only the writing end: the receiver decides whether reads block.
        try systemCall { fcntl(end, F_SETFL, O_NONBLOCK) }
        if fcntl(end, F_GETPIPE_SZ) < range.count { try systemCall { fcntl(end, F_SETPIPE_SZ, Int32(range.count)) } }
        guard !range.isEmpty else { return reading }
        // A single write fills whole pages of the pipe.
        let written = try rethrowingErrno {
            try withBytes(in: range) { try unsafe $0.withUnsafeBytes { try unsafe writing.fileDescriptor.write($0) } }
        }
        guard written == range.count else { throw .noSpace }
        return reading
    }
}

/// The reason why a ``SecretMemory`` could not be built.
package enum SecretMemoryError: Error, Equatable, CustomStringConvertible {
    /// The process may not lock that much memory.
    case notLockable(Errno)
    case tooLong(limit: Int)
    case notAPipe
    /// The pipe contains fewer bytes than were announced.
    case incomplete(Int, of: Int)
    case unreadable(Errno)

    package var description: String {
        switch self {
        case .notLockable(let error):
            "cannot lock memory for a secret (\(error)); 'ulimit -l' shows the limit"
        case .tooLong(let limit): "a secret is limited to \(limit) bytes"
        case .notAPipe: "the descriptor is not the reading end of a pipe; secrets are passed only through pipes"
        case .incomplete(let count, let announced): "the pipe contains \(count) bytes of the \(announced) announced"
        case .unreadable(let error): "the secret cannot be read: \(error)"
        }
    }
}

/// The protection of a process's memory from other processes of the user, as long as the process has a secret.
package enum SecretProtection {
    private struct State {
        var isEnabled = false
        var secrets = 0
        var wasDumpable = false
    }

    private static let state = Mutex(State())

    /// Enables the protection, for a process whose memory no other program needs to read (for a crash report, for
    /// example).
    package static func enable() { state.withLock { $0.isEnabled = true } }

    fileprivate static func secretBegan() {
        state.withLock { state in
            state.secrets += 1
            guard state.isEnabled, state.secrets == 1 else { return }
            state.wasDumpable = ThisProcess.isDumpable
            ThisProcess.forbidDumping()
        }
    }

    fileprivate static func secretEnded() {
        state.withLock { state in
            state.secrets -= 1
            if state.isEnabled, state.secrets == 0, state.wasDumpable { ThisProcess.isDumpable = true }
        }
    }
}

/// Dedicated pages of memory, locked by mlock(2).
@safe package final class LockedPages {
    private(set) var buffer: UnsafeMutableRawBufferPointer

    package init(_ count: Int) throws(SecretMemoryError) {
        guard count > 0 else {
            unsafe buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)
            SecretProtection.secretBegan()
            return
        }
        guard let start = unsafe mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            unsafe start != MAP_FAILED
        else { throw .notLockable(Errno(rawValue: errno)) }
        guard unsafe mlock(start, count) == 0, unsafe madvise(start, count, MADV_DONTDUMP) == 0,
            unsafe madvise(start, count, MADV_WIPEONFORK) == 0
        else {
            let error = Errno(rawValue: errno)
            unsafe munmap(start, count)
            throw .notLockable(error)
        }
        unsafe buffer = UnsafeMutableRawBufferPointer(start: start, count: count)
        SecretProtection.secretBegan()
    }

    /// Releases the unused pages after the first `count` bytes.
    func trim(to count: Int) {
        let page = Int(getpagesize())
        let used = (count + page - 1) / page * page
        let all = unsafe (buffer.count + page - 1) / page * page
        guard used < all, let start = unsafe buffer.baseAddress else { return }
        unsafe munmap(start + used, all - used)
        unsafe buffer = UnsafeMutableRawBufferPointer(start: used > 0 ? start : nil, count: used)
    }

    deinit {
        defer { SecretProtection.secretEnded() }
        guard let start = unsafe buffer.baseAddress else { return }
        unsafe explicit_bzero(start, buffer.count)
        unsafe munmap(start, buffer.count)
    }
}

/// A builder for a ``SecretMemory``. The bytes are read directly into locked memory, or copied from the caller's
/// memory.
package final class SecretMemoryWriter {
    private let pages: LockedPages
    private let room: Int
    /// The number of bytes written.
    package private(set) var length = 0

    /// - Parameter room: The limit on the bytes to be written.
    /// - Throws: `tooLong` if `room` exceeds the limit of a secret; `notLockable`.
    package init(room: Int = SecretMemory.maxBytes) throws(SecretMemoryError) {
        guard room <= SecretMemory.maxBytes else { throw .tooLong(limit: SecretMemory.maxBytes) }
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

    /// Appends the contents of a file, pipe or terminal from its current position to its end, and waits for the end.
    ///
    /// - Throws: `tooLong` if the source exceeds the remaining room, after one excess byte has been read; `unreadable`.
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

    /// Appends `count` bytes from the reading end of a pipe that another process passed, without blocking.
    ///
    /// - Throws: `incomplete` if fewer bytes are available, even if more would follow.
    package func append(_ count: Int, fromPipe pipe: FileDescriptor) throws(SecretMemoryError) {
        guard count <= room - length else { throw .tooLong(limit: room) }
        let end = length + count
        try readAvailable(count, from: try Self.reopened(pipe))
        guard length == end else { throw .incomplete(count - (end - length), of: count) }
    }

    /// Appends everything that a pipe contains, without blocking. Throws `tooLong` if the contents exceed the remaining
    /// room.
    package func append(allOfPipe pipe: FileDescriptor) throws(SecretMemoryError) {
        let own = try Self.reopened(pipe)
        try readAvailable(room - length, from: own)
        var left: Int32 = 0
        guard unsafe ioctl(own.fileDescriptor.rawValue, UInt(FIONREAD), &left) == 0, left == 0 else {
            throw .tooLong(limit: room)
        }
    }

    /// Reads the bytes that are available now, at most `count`.
    private func readAvailable(_ count: Int, from pipe: Descriptor) throws(SecretMemoryError) {
        let end = length + count
        do throws(Errno) {
            while length < end, try read(end - length, from: pipe.fileDescriptor) > 0 {}
        } catch .wouldBlock {
            // The writer has not written the rest yet.
        } catch {
            throw .unreadable(error)
        }
    }

    /// Completes the secret and releases unused pages. Nothing can be appended afterwards.
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

    /// Opens the same pipe again: O_NONBLOCK belongs to the open file, which is shared with the process that passed the
    /// descriptor, so that process could change the flag at any time. See proc(5), `/proc/self/fd`.
    private static func reopened(_ pipe: FileDescriptor) throws(SecretMemoryError) -> Descriptor {
        var status = stat()
        guard unsafe fstat(pipe.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFIFO,
            fcntl(pipe.rawValue, F_GETFL) & O_ACCMODE == O_RDONLY
        else { throw .notAPipe }
        do throws(Errno) {
            return try Descriptor.open(FilePath("/proc/self/fd/\(pipe.rawValue)"), options: .nonBlocking)
        } catch {
            throw .unreadable(error)
        }
    }
}
