import CLinux
import Glibc
import Synchronization
package import SystemPackage

/// A pipe whose writer never waits for its reader: bytes for which the pipe has no room wait in a memory file.
///
/// One thread appends, and any thread writes the waiting bytes when the pipe has room. No SIGPIPE is raised. A write to
/// the pipe takes a fifth of the time of one to a memory file, whose pages have to be found first.
package final class SpooledPipe: Sendable {
    fileprivate struct State {
        /// Nil once the pipe is closed.
        var writing: Descriptor?
        /// Nil once it is taken.
        var reading: Descriptor?
        /// The bytes that wait; nil if there are none.
        var spool: Spool?
        var appended = 0
    }

    /// The pipe, for an event loop: it is writable while there is room. Valid until ``close()``.
    package let fileDescriptor: FileDescriptor
    private let state: Mutex<State>

    /// The capacity in bytes, which is the kernel's limit for programs without privileges. xclip sends pieces of this
    /// length.
    private static let capacity: Int32 = 1 << 20
    /// The limit on the bytes that one call writes from the memory file.
    private static let maxFlush = 1 << 20

    /// - Throws: `tooManyOpenFiles` also if a descriptor would fall into the ``DescriptorReserve``.
    package init() throws(Errno) {
        let ends = try Descriptor.pipe()
        if DescriptorReserve.contains(ends.writing) { throw .tooManyOpenFiles }
        let writing = ends.writing.fileDescriptor.rawValue
        // The flag belongs to this end alone, since each end is an open file of its own.
        try systemCall { fcntl(writing, F_SETFL, O_WRONLY | O_NONBLOCK) }
        // A user with many pipes does not get more than the usual 64 KiB. More bytes wait in memory files then.
        _ = fcntl(writing, F_SETPIPE_SZ, Self.capacity)
        fileDescriptor = ends.writing.fileDescriptor
        state = Mutex(State(writing: ends.writing, reading: ends.reading))
    }

    /// Returns the reading end, once, for the reader. It blocks, as most readers expect.
    package func takeReadingEnd() -> Descriptor? {
        state.withLock { $0.reading.take() }
    }

    /// The number of bytes appended.
    package var appended: Int { state.withLock(\.appended) }

    /// The number of bytes that wait for room in the pipe.
    package var waiting: Int { state.withLock { $0.spool?.count ?? 0 } }

    // MARK: Appending

    /// Appends bytes.
    ///
    /// - Throws: `brokenPipe` if the reader has closed its end, or the pipe is closed; the errors of
    ///   ``MemoryFileWriter``.
    package func append(_ bytes: RawSpan) throws(Errno) {
        try state.withLock { state throws(Errno) in
            let written = state.spool == nil ? try state.write(bytes) : 0
            if written < bytes.byteCount {
                let spool = if let spool = state.spool { spool } else { try Spool() }
                try spool.append(bytes.extracting(written..<bytes.byteCount))
                state.spool = spool
            }
            state.appended += bytes.byteCount
        }
    }

    /// Appends bytes that another pipe contains, at most `limit`, inside the kernel and without blocking.
    ///
    /// - Returns: The number of bytes appended; 0 at the end of that pipe; nil if nothing is available.
    /// - Throws: The errors of ``append(_:)``.
    package func append(availableIn source: FileDescriptor, limit: Int) throws(Errno) -> Int? {
        try state.withLock { state throws(Errno) in
            if state.spool == nil, let moved = try state.splice(from: source, limit: limit) {
                state.appended += moved
                return moved
            }
            // Either there is no room, or nothing is available.
            let spool = if let spool = state.spool { spool } else { try Spool() }
            guard let moved = try spool.append(availableIn: source, limit: limit) else { return nil }
            if moved > 0 { state.spool = spool }
            state.appended += moved
            return moved
        }
    }

    // MARK: Writing

    /// Writes waiting bytes to the pipe, as far as it has room, up to a limit of one call.
    ///
    /// - Throws: `brokenPipe` if the reader has closed its end, or the pipe is closed.
    package func flush() throws(Errno) {
        try state.withLock { state throws(Errno) in
            var rest = Self.maxFlush
            while rest > 0, var spool = state.spool {
                let piece = try spool.next(limit: rest)
                let written = try state.write(piece)
                spool.remove(written)
                state.spool = spool.count > 0 ? spool : nil
                if written < piece.count { return }
                rest -= written
            }
        }
    }

    /// Closes the pipe, which drops waiting bytes. The reader sees the end after the bytes in the pipe.
    package func close() {
        state.withLock { state in
            state.spool = nil
            state.writing = nil
        }
    }
}

extension SpooledPipe.State {
    /// Writes as much as the pipe has room for.
    ///
    /// - Returns: The number of bytes written.
    func write(_ bytes: RawSpan) throws(Errno) -> Int {
        try rethrowingErrno { try unsafe bytes.withUnsafeBytes { try unsafe write($0) } }
    }

    func write(_ bytes: [UInt8]) throws(Errno) -> Int {
        try rethrowingErrno { try unsafe bytes.withUnsafeBytes { try unsafe write($0) } }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int {
        guard let writing else { throw .brokenPipe }
        guard unsafe !bytes.isEmpty else { return 0 }
        do throws(Errno) {
            return try SignalMask.suppressingBrokenPipe { () throws(Errno) in
                try systemCall { unsafe Glibc.write(writing.fileDescriptor.rawValue, bytes.baseAddress, bytes.count) }
            }
        } catch .wouldBlock {
            return 0
        }
    }

    /// Moves bytes of another pipe.
    ///
    /// - Returns: The number of bytes moved; 0 at the end of that pipe; nil if it has none, or there is no room.
    func splice(from source: FileDescriptor, limit: Int) throws(Errno) -> Int? {
        guard let writing else { throw .brokenPipe }
        do throws(Errno) {
            return try SignalMask.suppressingBrokenPipe { () throws(Errno) in
                try systemCall {
                    CLinux.splice(
                        source.rawValue, nil, writing.fileDescriptor.rawValue, nil, limit, UInt32(SPLICE_F_NONBLOCK))
                }
            }
        } catch .wouldBlock {
            return nil
        }
    }
}

/// Bytes that wait in a memory file, the first ones to be taken first.
private struct Spool {
    private let writer: MemoryFileWriter
    /// The offset of the first byte that waits.
    private var start = 0
    /// The offset up to which the memory of the file is released.
    private var released = 0

    /// The length of the pieces in which bytes are taken. They are copied: a pipe that refers to the pages of the file
    /// would show what becomes of them when they are released.
    private static let maxPiece = 1 << 16
    /// The bytes after which memory is released, a multiple of all lengths of pages.
    private static let releaseInterval = 4 << 20

    init() throws(Errno) { writer = try MemoryFileWriter() }

    var count: Int { writer.length - start }

    func append(_ bytes: RawSpan) throws(Errno) { try writer.append(bytes) }

    func append(availableIn pipe: FileDescriptor, limit: Int) throws(Errno) -> Int? {
        try writer.append(availableIn: pipe, limit: limit)
    }

    /// Returns a copy of the first bytes.
    func next(limit: Int) throws(Errno) -> [UInt8] {
        try writer.fileDescriptor.readBytes(at: start, atMost: min(count, limit, Self.maxPiece))
    }

    /// Removes the first bytes. Their memory is released now and then, and with the file.
    mutating func remove(_ count: Int) {
        start += count
        let end = start - start % Self.releaseInterval
        guard end > released else { return }
        let mode = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE
        // Without success the memory is released with the file.
        _ = fallocate(writer.fileDescriptor.rawValue, mode, off_t(released), off_t(end - released))
        released = end
    }
}
