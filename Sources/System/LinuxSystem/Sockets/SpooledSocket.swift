import CLinux
import Glibc
import Synchronization
package import SystemPackage

/// A pair of sockets whose writer never waits for its reader: bytes for which the socket has no room wait in a memory
/// file.
///
/// One thread appends, and any thread writes the waiting bytes when the socket has room. No SIGPIPE is raised. A write
/// to the socket takes less than a third of the time of a write to a memory file, whose pages have to be allocated
/// first. A pipe would not do: while a reader is inside splice(2) from a pipe to a destination that blocks, the kernel
/// keeps the pipe locked, so that even a non-blocking write to the pipe has to wait, and so does closing the pipe.
package final class SpooledSocket: Sendable {
    fileprivate struct State {
        /// Nil once the socket is closed.
        var writing: Descriptor?
        /// Nil once it has been taken.
        var reading: Descriptor?
        /// The waiting bytes; nil if there are none.
        var spool: Spool?
        var appended = 0
    }

    /// The writing end, for an event loop: it is writable while there is room. Valid until ``close()``.
    package let fileDescriptor: FileDescriptor
    private let state: Mutex<State>

    /// The requested room of the socket, in bytes. The kernel doubles it for its own data, up to its limit, which is
    /// 208 KiB by default in older versions.
    private static let room: Int32 = 1 << 19
    /// The limit on the bytes that one call writes from the memory file.
    private static let maxFlush = 1 << 20

    /// - Throws: `tooManyOpenFiles` also if a descriptor would fall into the ``DescriptorReserve``.
    package convenience init() throws(Errno) { try self.init(spool: nil) }

    /// Makes a socket for the bytes of a file that grows. Call ``follow(_:to:)`` after each part instead of appending.
    package convenience init(following file: Descriptor) throws(Errno) {
        try self.init(spool: Spool(following: file))
    }

    private init(spool: sending Spool?) throws(Errno) {
        let (reading, writing) = try UnixSocket.pair()
        if DescriptorReserve.contains(writing) { throw .tooManyOpenFiles }
        UnixSocket.endSending(reading.fileDescriptor)
        UnixSocket.setRoom(Self.room, of: writing.fileDescriptor)
        // splice(2) needs O_NONBLOCK. The flag affects only this end, since each end is a separate open file.
        try systemCall { fcntl(writing.fileDescriptor.rawValue, F_SETFL, O_RDWR | O_NONBLOCK) }
        fileDescriptor = writing.fileDescriptor
        state = Mutex(State(writing: writing, reading: reading, spool: spool))
    }

    /// Returns the reading end, once, for the reader. It blocks, as most readers expect.
    package func takeReadingEnd() -> Descriptor? {
        state.withLock { $0.reading.take() }
    }

    /// The number of bytes appended.
    package var appended: Int { state.withLock(\.appended) }

    /// The number of bytes that wait for room in the socket.
    package var waiting: Int { state.withLock { $0.spool?.count ?? 0 } }

    // MARK: Appending

    /// Appends bytes.
    ///
    /// - Throws: `brokenPipe` if the reader has closed its end, or the socket is closed; the errors of
    ///   ``MemoryFileWriter``.
    package func append(_ bytes: RawSpan) throws(Errno) {
        try state.withLock { state throws(Errno) in
            let written = state.spool == nil ? try state.write(bytes) : 0
            if written < bytes.byteCount {
                var spool = if let spool = state.spool { spool } else { try Spool() }
                try spool.append(bytes.extracting(written..<bytes.byteCount))
                state.spool = spool
            }
            state.appended += bytes.byteCount
        }
    }

    /// Appends bytes that a pipe contains, at most `limit`, inside the kernel and without blocking.
    ///
    /// - Returns: The number of bytes appended; 0 at the end of the pipe; nil if nothing is available.
    /// - Throws: The errors of ``append(_:)``.
    package func append(availableIn source: FileDescriptor, limit: Int) throws(Errno) -> Int? {
        try state.withLock { state throws(Errno) in
            if state.spool == nil, let moved = try state.splice(from: source, limit: limit) {
                state.appended += moved
                return moved
            }
            // Either there is no room, or nothing is available.
            var spool = if let spool = state.spool { spool } else { try Spool() }
            guard let moved = try spool.append(availableIn: source, limit: limit) else { return nil }
            if moved > 0 { state.spool = spool }
            state.appended += moved
            return moved
        }
    }

    /// Records that bytes have been appended to the file that the socket follows, and writes them to the socket at once
    /// if no other bytes are waiting. Bytes for which the socket has no room are read from the file later.
    ///
    /// - Parameter length: The length of the file with these bytes.
    /// - Throws: `brokenPipe` if the reader has closed its end, or the socket is closed.
    package func follow(_ bytes: [UInt8], to length: Int) throws(Errno) {
        try state.withLock { state throws(Errno) in
            guard var spool = state.spool else { throw .brokenPipe }
            spool.end = length
            if spool.count == bytes.count { spool.remove(try state.write(bytes)) }
            state.spool = spool
            state.appended = length
        }
    }

    // MARK: Writing

    /// Writes waiting bytes to the socket, as far as it has room, up to a limit per call.
    ///
    /// - Throws: `brokenPipe` if the reader has closed its end, or the socket is closed.
    package func flush() throws(Errno) {
        try state.withLock { state throws(Errno) in
            var rest = Self.maxFlush
            while rest > 0, var spool = state.spool, spool.count > 0 {
                let piece = try spool.next(limit: rest)
                let written = try state.write(piece)
                spool.remove(written)
                state.spool = spool.count > 0 || spool.isFollowing ? spool : nil
                if written < piece.count { return }
                rest -= written
            }
        }
    }

    /// Closes the writing end, which drops waiting bytes. The reader sees the end after the bytes in the socket.
    package func close() {
        state.withLock { state in
            state.spool = nil
            // A child of this program may have a copy of the descriptor.
            if let writing = state.writing.take() { UnixSocket.endSending(writing.fileDescriptor) }
        }
    }
}

extension SpooledSocket.State {
    /// Writes as much as the socket has room for.
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
        // A send may accept a part although there is room for more.
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty {
            guard let count = try unsafe send(UnsafeRawBufferPointer(rebasing: rest), to: writing) else { break }
            unsafe rest = rest.dropFirst(count)
        }
        return unsafe bytes.count - rest.count
    }

    /// Returns the number of bytes sent; nil if there is no room.
    private func send(_ bytes: UnsafeRawBufferPointer, to socket: Descriptor) throws(Errno) -> Int? {
        let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
        do throws(Errno) {
            return try systemCall {
                unsafe Glibc.send(socket.fileDescriptor.rawValue, bytes.baseAddress, bytes.count, flags)
            }
        } catch .wouldBlock {
            return nil
        } catch .connectionReset {
            throw .brokenPipe
        }
    }

    /// Moves bytes of a pipe.
    ///
    /// - Returns: The number of bytes moved; 0 at the end of the pipe; nil if the pipe has no bytes, or the socket has
    ///   no room.
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
        } catch .connectionReset {
            throw .brokenPipe
        }
    }
}

/// Bytes that wait in a memory file, first in, first out.
private struct Spool {
    private let file: Descriptor
    /// Nil for a followed file: other code appends to it, and it may have more readers.
    private let writer: MemoryFileWriter?
    /// The offset of the first waiting byte; ``end`` is the offset after the last one.
    private var start = 0
    var end = 0
    /// The offset up to which the memory of the file is released.
    private var released = 0

    /// The maximum length of the pieces that are taken.
    private static let maxPiece = 1 << 16
    /// The number of bytes after which memory is released, a multiple of every page size.
    private static let releaseInterval = 4 << 20

    init() throws(Errno) {
        let writer = try MemoryFileWriter()
        self.writer = writer
        file = writer.descriptor
    }

    init(following file: Descriptor) {
        self.file = file
        writer = nil
    }

    var count: Int { end - start }

    var isFollowing: Bool { writer == nil }

    mutating func append(_ bytes: RawSpan) throws(Errno) {
        try writer?.append(bytes)
        end += bytes.byteCount
    }

    mutating func append(availableIn pipe: FileDescriptor, limit: Int) throws(Errno) -> Int? {
        let count = try writer?.append(availableIn: pipe, limit: limit)
        end += count ?? 0
        return count
    }

    /// Returns a copy of the first bytes.
    func next(limit: Int) throws(Errno) -> [UInt8] {
        try file.fileDescriptor.readBytes(at: start, atMost: min(count, limit, Self.maxPiece))
    }

    /// Removes the first bytes. Their memory is released at intervals, or with the file.
    mutating func remove(_ count: Int) {
        start += count
        let end = start - start % Self.releaseInterval
        guard end > released, !isFollowing else { return }
        let mode = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE
        // If this fails, the memory is released with the file.
        _ = fallocate(file.fileDescriptor.rawValue, mode, off_t(released), off_t(end - released))
        released = end
    }
}
