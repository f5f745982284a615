import CLinux
import Glibc
package import SystemPackage

/// A writer of bytes to a pipe or socket of another process, in pieces that never block.
///
/// O_NONBLOCK belongs to the open file, which other processes may share, so it is neither needed nor changed: splice(2)
/// to a pipe and send(2) to a socket have a flag for one call. No SIGPIPE is raised.
package struct PieceWriter {
    private enum Way {
        /// From a file to a pipe: the pipe refers to the file's pages, which are not copied.
        case fileToPipe(MemoryFile)
        /// From a pipe that contains the rest of a secret to another pipe.
        case pipeToPipe(Descriptor)
        case toSocket
    }

    package let bytes: ImmutableBytes
    /// The part that has not been written.
    package private(set) var rest: Range<Int>
    private let destination: Descriptor
    private let way: Way

    /// The limit on the bytes of one call; most pipes have room for 64 KiB.
    private static let maxSplice = 1 << 20
    private static let maxCopy = 1 << 16

    /// - Throws: `invalidArgument` if the range exceeds the bytes, or the destination is neither a pipe nor a socket:
    ///   writing to anything else may block. `noSpace` if there is no room for another pipe.
    package init(_ bytes: ImmutableBytes, _ range: Range<Int>, to destination: Descriptor) throws(Errno) {
        guard range.lowerBound >= 0, range.upperBound <= bytes.length else { throw .invalidArgument }
        self.bytes = bytes
        rest = range
        self.destination = destination
        if try destination.isSocket {
            way = .toSocket
        } else {
            guard try destination.isPipe else { throw .invalidArgument }
            switch bytes {
            case .file(let file): way = .fileToPipe(file)
            case .secret(let secret): way = .pipeToPipe(try secret.pipe(in: range))
            }
        }
    }

    /// The destination, for an event loop.
    package var fileDescriptor: FileDescriptor { destination.fileDescriptor }

    /// Writes as many bytes as there is room for, up to a limit per call.
    ///
    /// - Returns: The number of bytes written; 0 if there is no room.
    /// - Throws: The errors of write(2), such as `brokenPipe`; `ioError` if a file is shorter.
    package mutating func write() throws(Errno) -> Int {
        if rest.isEmpty { return 0 }
        do throws(Errno) {
            let count = try writePiece()
            rest = rest.lowerBound + count..<rest.upperBound
            return count
        } catch .wouldBlock {
            return 0
        }
    }

    private func writePiece() throws(Errno) -> Int {
        switch way {
        case .toSocket: return try send()
        case .pipeToPipe(let pipe): return try splice(from: pipe, at: nil, rest.count)
        case .fileToPipe(let file):
            do throws(Errno) {
                return try splice(from: file.descriptor, at: rest.lowerBound, rest.count)
            } catch .invalidArgument {
                // Some file systems do not support splice(2).
                let piece = try MemoryFile.containing(try file.bytes(in: rest.prefix(Self.maxCopy)))
                return try splice(from: piece.descriptor, at: 0, piece.length)
            }
        }
    }

    private func splice(from source: Descriptor, at position: Int?, _ count: Int) throws(Errno) -> Int {
        let (from, to) = (source.fileDescriptor.rawValue, destination.fileDescriptor.rawValue)
        let length = min(count, Self.maxSplice)
        let flags = UInt32(SPLICE_F_NONBLOCK)
        let moved = try SignalMask.suppressingBrokenPipe { () throws(Errno) in
            guard let position else {
                return try systemCall { CLinux.splice(from, nil, to, nil, length, flags) }
            }
            var offset = Int64(position)
            return try systemCall { unsafe CLinux.splice(from, &offset, to, nil, length, flags) }
        }
        if moved == 0 { throw .ioError }
        return moved
    }

    private func send() throws(Errno) -> Int {
        try rethrowingErrno {
            try bytes.withBytes(in: rest.prefix(Self.maxCopy)) { span in
                try unsafe span.withUnsafeBytes { buffer in
                    // linux_send raises no SIGPIPE.
                    try systemCall {
                        unsafe linux_send(
                            fileDescriptor.rawValue, buffer.baseAddress, buffer.count, nil, 0, Int32(MSG_DONTWAIT))
                    }
                }
            }
        }
    }
}
