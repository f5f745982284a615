import CLinux
import Glibc
import Synchronization
package import SystemPackage

/// Immutable bytes that can be passed to other processes by descriptor: a memfd_create(2) file sealed against
/// shrinking, growing, writing and the removal of these seals, or a file on disk that stands in for one.
///
/// The seals make reading in place safe: access to a mapping fails with SIGBUS if another process truncates the file. A
/// file without seals is therefore never mapped. It is read, and bytes that have been cut off are reported as an error.
package final class MemoryFile: Sendable {
    package enum Kind: Sendable {
        case sealed
        /// A file of the store, which no well-behaved process changes.
        case stored
        /// A file that its owner may change at any time: suitable for copying, but not for anything that lasts.
        case borrowed
    }

    package let descriptor: Descriptor
    /// The length in bytes. For a borrowed file, its length when it was adopted.
    package let length: Int
    package let kind: Kind
    private let mapping = Mutex<Mapping?>(nil)

    static let seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE

    /// Adopts a descriptor that another process passed.
    ///
    /// - Throws: ``MemoryFileError`` unless it is a memory file with all of the seals.
    package init(adopting descriptor: Descriptor) throws(MemoryFileError) {
        let file = descriptor.fileDescriptor.rawValue
        // Only files of tmpfs and hugetlbfs support F_GET_SEALS; all others fail with EINVAL.
        let seals = fcntl(file, F_GET_SEALS)
        guard seals >= 0 else { throw .notAMemoryFile }
        guard seals & Self.seals == Self.seals else { throw .notSealed }
        // Reading a file of huge pages fails with SIGBUS while the pool is empty, whatever its seals.
        var fileSystem = statfs()
        guard unsafe fstatfs(file, &fileSystem) == 0, fileSystem.f_type == Int(TMPFS_MAGIC) else {
            throw .notAMemoryFile
        }
        // Without this check, every later reader would fail on a descriptor that was opened write-only.
        guard fcntl(file, F_GETFL) & O_ACCMODE != O_WRONLY else { throw .notReadable }
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else { throw .notAMemoryFile }
        self.descriptor = descriptor
        self.length = Int(status.st_size)
        kind = .sealed
    }

    /// Adopts a file on disk. Throws `invalidArgument` unless it is a regular file that is open for reading.
    package init(_ kind: Kind, onDisk descriptor: Descriptor) throws(Errno) {
        precondition(kind != .sealed, "a file on disk has no seals")
        let status = try FileStatus(of: descriptor.fileDescriptor)
        let flags = fcntl(descriptor.fileDescriptor.rawValue, F_GETFL)
        guard status.isRegular, flags & O_ACCMODE != O_WRONLY, flags & LINUX_O_PATH == 0 else { throw .invalidArgument }
        self.descriptor = descriptor
        self.length = status.length
        self.kind = kind
    }

    /// True if the file has become shorter since it was adopted. A sealed file never does.
    package var isTruncated: Bool {
        guard kind != .sealed else { return false }
        return (try? FileStatus(of: descriptor.fileDescriptor)).map { $0.length < length } ?? true
    }

    /// Adopts a file that ``MemoryFileWriter`` has just sealed.
    init(sealed descriptor: Descriptor, length: Int) {
        self.descriptor = descriptor
        self.length = length
        kind = .sealed
    }

    package static func containing(_ bytes: [UInt8]) throws(Errno) -> MemoryFile {
        let writer = try MemoryFileWriter()
        try writer.append(bytes)
        return try writer.seal()
    }

    /// Returns a sealed memory file with the same bytes, copied inside the kernel.
    ///
    /// - Throws: `ioError` if the file has become shorter.
    package func sealedCopy() throws(Errno) -> MemoryFile {
        let writer = try MemoryFileWriter()
        try writer.append(self)
        return try writer.seal()
    }

    /// Calls `body` with the bytes of a range. A sealed file is mapped by the first call, and the mapping is shared by
    /// all threads. From a file without seals, the range is read; see ``forEachPiece(of:_:)``.
    ///
    /// - Throws: The errors of `body`; `Errno.invalidArgument` if the range exceeds the file; `Errno.ioError` if the
    ///   file has become shorter.
    package func withBytes<Result>(in range: Range<Int>, _ body: (RawSpan) throws -> Result) throws -> Result {
        try check(range)
        if range.isEmpty { return try body(RawSpan()) }
        guard kind == .sealed else {
            return try unsafe bytes(in: range).withUnsafeBytes { try unsafe body($0.bytes) }
        }
        let mapping = try mapped()
        return try withExtendedLifetime(mapping) {
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: mapping.buffer[range])
            return try body(unsafe bytes.bytes)
        }
    }

    /// Calls `body` with successive pieces of a range: the whole range if the file is mapped, otherwise at most 256 KiB
    /// at a time.
    ///
    /// - Parameter body: Returns true to continue with the next piece.
    /// - Throws: The errors of ``withBytes(in:_:)``.
    package func forEachPiece(of range: Range<Int>, _ body: (RawSpan) throws -> Bool) throws {
        var rest = range
        repeat {
            let piece = kind == .sealed ? rest : rest.prefix(Self.maxPiece)
            rest = piece.upperBound..<rest.upperBound
            guard try withBytes(in: piece, body) else { return }
        } while !rest.isEmpty
    }

    private static let maxPiece = 1 << 18

    /// Returns a copy of the bytes of a range, read at explicit offsets, because the descriptor shares its own offset
    /// with every process that received the file.
    ///
    /// - Throws: `Errno.invalidArgument` if the range exceeds the file.
    package func bytes(in range: Range<Int>) throws(Errno) -> [UInt8] {
        try check(range)
        return try rethrowingErrno {
            try unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
                let room = UnsafeMutableRawBufferPointer(buffer)
                while count < range.count {
                    let read = try unsafe descriptor.fileDescriptor.read(
                        fromAbsoluteOffset: Int64(range.lowerBound + count),
                        into: UnsafeMutableRawBufferPointer(rebasing: room[count...]))
                    if read == 0 { throw Errno.ioError }
                    count += read
                }
            }
        }
    }

    func check(_ range: Range<Int>) throws(Errno) {
        guard range.lowerBound >= 0, range.upperBound <= length else { throw .invalidArgument }
    }

    func mapped() throws(Errno) -> Mapping {
        precondition(kind == .sealed, "a file without seals must not be mapped: truncating it would crash this process")
        return try mapping.withLock { mapping throws(Errno) -> Mapping in
            if let mapping { return mapping }
            let new = try Mapping(descriptor.fileDescriptor, length: length)
            mapping = new
            return new
        }
    }
}

/// The reason why a descriptor is not accepted as a ``MemoryFile``.
package enum MemoryFileError: Error, CustomStringConvertible {
    case notAMemoryFile
    case notSealed
    case notReadable

    package var description: String {
        switch self {
        case .notAMemoryFile: "the descriptor does not belong to a memory file (memfd_create)"
        case .notReadable: "the memory file cannot be read through this descriptor"
        case .notSealed: "the memory file is not sealed (F_SEAL_SHRINK, F_SEAL_GROW, F_SEAL_WRITE, F_SEAL_SEAL)"
        }
    }
}

/// A read-only mapping of a whole file. It is immutable because its file is sealed, and therefore safe to share.
@safe
final class Mapping: @unchecked Sendable {
    let buffer: UnsafeRawBufferPointer

    init(_ file: FileDescriptor, length: Int) throws(Errno) {
        // Kernels before 6.7 refuse MAP_SHARED for a file that is sealed against writing.
        guard let start = unsafe mmap(nil, length, PROT_READ, MAP_PRIVATE, file.rawValue, 0),
            unsafe start != MAP_FAILED
        else { throw Errno(rawValue: errno) }
        unsafe buffer = UnsafeRawBufferPointer(start: start, count: length)
    }

    deinit {
        if let start = unsafe buffer.baseAddress {
            unsafe munmap(UnsafeMutableRawPointer(mutating: start), buffer.count)
        }
    }
}

extension MemoryFile {
    /// Returns true if a range is text, that is, valid UTF-8 without a NUL. An empty range is text.
    package func isUTF8Text(in range: Range<Int>) throws -> Bool {
        var rest = range
        var isText = true
        while isText, !rest.isEmpty {
            // A character that continues in the next piece is checked with that piece.
            var seen = 0
            try forEachPiece(of: rest) { piece in
                let isLast = piece.byteCount == rest.count
                seen = isLast ? piece.byteCount : Self.lengthOfWholeCharacters(in: piece)
                isText = Self.isUTF8Text(piece.extracting(0..<seen))
                return false
            }
            rest = rest.lowerBound + seen..<rest.upperBound
        }
        return isText
    }

    /// Returns the number of bytes before the start of the last character; all bytes if no character starts near the
    /// end.
    private static func lengthOfWholeCharacters(in piece: RawSpan) -> Int {
        unsafe piece.withUnsafeBytes { bytes in
            unsafe bytes.suffix(4).lastIndex { $0 & 0b1100_0000 != 0b1000_0000 } ?? bytes.count
        }
    }

    /// Returns true if bytes in memory are valid UTF-8 without a NUL.
    package static func isUTF8Text(_ bytes: ArraySlice<UInt8>) -> Bool {
        unsafe bytes.withUnsafeBytes { buffer in isUTF8Text(unsafe buffer.bytes) }
    }

    static func isUTF8Text(_ bytes: RawSpan) -> Bool {
        unsafe bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress, unsafe !buffer.isEmpty else { return true }
            if unsafe memchr(start, 0, buffer.count) != nil { return false }
            let span = unsafe Span<UInt8>(_unsafeBytes: buffer)
            return (try? UTF8Span(validating: span)) != nil
        }
    }
}
