import CLinux
import Glibc
package import SystemPackage

/// A secret in memory that is never swapped, stands in no core dump, is empty in a child made by fork(2), and is wiped
/// before it is given back. Nobody changes it once ``SecretMemoryWriter`` has made it.
///
/// It is read in place, and is passed to other processes by pipes: a memory file could be swapped, and could not be wiped.
@safe package final class SecretMemory: @unchecked Sendable {
    /// The most that all of one secret may have, in bytes: what a pipe holds.
    package static let mostBytes = 65_536

    /// In bytes.
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

    /// Gives the bytes of a range in place. A copy of them is not for `body` to make.
    ///
    /// - Throws: what `body` throws; `Errno.invalidArgument` for a range that is not of the secret.
    package func withBytes<Result>(in range: Range<Int>, _ body: (RawSpan) throws -> Result) throws -> Result {
        guard range.lowerBound >= 0, range.upperBound <= length else { throw Errno.invalidArgument }
        return try withExtendedLifetime(pages) {
            let part = unsafe UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(pages.buffer)[range])
            return try body(unsafe part.bytes)
        }
    }

    /// The reading end of a new pipe that holds the bytes of a range, and nothing else. Its writing end is closed.
    ///
    /// - Throws: `noSpace` where the user has so many pipes that this one may not hold as much.
    package func pipe(in range: Range<Int>) throws(Errno) -> Descriptor {
        var ends: [Int32] = [-1, -1]
        try systemCall { unsafe pipe2(&ends, O_CLOEXEC | O_NONBLOCK) }
        let reading = Descriptor(adopting: FileDescriptor(rawValue: ends[0]))
        let writing = Descriptor(adopting: FileDescriptor(rawValue: ends[1]))
        if fcntl(ends[1], F_GETPIPE_SZ) < range.count {
            try systemCall { fcntl(ends[1], F_SETPIPE_SZ, Int32(range.count)) }
        }
        // The reader waits at the end as it likes.
        try systemCall { fcntl(ends[0], F_SETFL, 0) }
        guard !range.isEmpty else { return reading }
        // In one piece, which fills whole pages of it.
        let written = try rethrowingErrno {
            try withBytes(in: range) { try unsafe $0.withUnsafeBytes { try unsafe writing.fileDescriptor.write($0) } }
        }
        guard written == range.count else { throw .noSpace }
        return reading
    }
}

/// Why there can be no ``SecretMemory``.
package enum SecretMemoryError: Error, Equatable, CustomStringConvertible {
    /// The process may not lock so much memory.
    case notLockable(Errno)
    case tooLong(limit: Int)
    case notAPipe
    /// A pipe that holds fewer bytes than was said.
    case incomplete(Int, of: Int)
    case unreadable(Errno)

    package var description: String {
        switch self {
        case .notLockable(let error):
            "no memory can be locked for a secret (\(error)); 'ulimit -l' says how much a program may lock"
        case .tooLong(let limit): "a secret has at most \(limit) bytes"
        case .notAPipe: "the descriptor is not the reading end of a pipe, by which alone secrets are passed"
        case .incomplete(let count, let said): "the pipe holds \(count) bytes of the \(said) that were said"
        case .unreadable(let error): "the secret cannot be read: \(error)"
        }
    }
}

/// Whole pages of their own, locked as mlock(2) has it.
@safe final class LockedPages {
    private(set) var buffer: UnsafeMutableRawBufferPointer

    init(_ count: Int) throws(SecretMemoryError) {
        guard count > 0 else {
            unsafe buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)
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
    }

    /// Gives back the pages behind so many bytes, in which there is nothing.
    func trim(to count: Int) {
        let page = Int(getpagesize())
        let kept = (count + page - 1) / page * page
        let all = unsafe (buffer.count + page - 1) / page * page
        guard kept < all, let start = unsafe buffer.baseAddress else { return }
        unsafe munmap(start + kept, all - kept)
        unsafe buffer = UnsafeMutableRawBufferPointer(start: kept > 0 ? start : nil, count: kept)
    }

    deinit {
        guard let start = unsafe buffer.baseAddress else { return }
        unsafe explicit_bzero(start, buffer.count)
        unsafe munmap(start, buffer.count)
    }
}

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
