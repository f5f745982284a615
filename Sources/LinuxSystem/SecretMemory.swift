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
