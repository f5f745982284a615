import CLinux
import Glibc
import Synchronization
package import SystemPackage

/// Bytes that can be passed to other processes by their descriptor and that nobody can change any more: a
/// memfd_create(2) file sealed against shrinking, growing, writing and the removal of these seals; or a file on a disk
/// that takes its part.
///
/// The seals are what makes reading in place safe: a mapping of a file that another process truncates ends in SIGBUS. A
/// file without them is never mapped. It is read, and what is gone from it is an error.
package final class MemoryFile: Sendable {
    package enum Kind: Sendable {
        case sealed
        /// One of the store's, which nobody changes who has any business there.
        case stored
        /// One that its owner may change at any time: fit to be copied, and for nothing that lasts.
        case borrowed
    }

    package let descriptor: Descriptor
    /// In bytes. A borrowed file had so many when it came.
    package let length: Int
    package let kind: Kind
    private let mapping = Mutex<Mapping?>(nil)

    static let seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE

    /// Takes a descriptor that came from elsewhere.
    ///
    /// - Throws: ``MemoryFileError`` if it is anything but a memory file with all of the seals.
    package init(adopting descriptor: Descriptor) throws(MemoryFileError) {
        let file = descriptor.fileDescriptor.rawValue
        // Only files of tmpfs and hugetlbfs answer; others refuse with EINVAL.
        let seals = fcntl(file, F_GET_SEALS)
        guard seals >= 0 else { throw .notAMemoryFile }
        guard seals & Self.seals == Self.seals else { throw .notSealed }
        // Reading a file of huge pages ends in SIGBUS when the pool is empty, whatever its seals.
        var fileSystem = statfs()
        guard unsafe fstatfs(file, &fileSystem) == 0, fileSystem.f_type == Int(TMPFS_MAGIC) else {
            throw .notAMemoryFile
        }
        // A descriptor that was opened to write only would be found out by whoever reads, one after the other.
        guard fcntl(file, F_GETFL) & O_ACCMODE != O_WRONLY else { throw .notReadable }
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else { throw .notAMemoryFile }
        self.descriptor = descriptor
        self.length = Int(status.st_size)
        kind = .sealed
    }

    /// Takes a file of a disk.
    ///
    /// - Throws: `invalidArgument` for anything but a regular file that is opened to be read.
    package init(_ kind: Kind, onDisk descriptor: Descriptor) throws(Errno) {
        precondition(kind != .sealed, "no file of a disk has seals")
        let status = try FileStatus(of: descriptor.fileDescriptor)
        let flags = fcntl(descriptor.fileDescriptor.rawValue, F_GETFL)
        guard status.isRegular, flags & O_ACCMODE != O_WRONLY, flags & LINUX_O_PATH == 0 else { throw .invalidArgument }
        self.descriptor = descriptor
        self.length = status.length
        self.kind = kind
    }

    /// Whether it has become shorter than it was. A sealed one never does.
    package var isCut: Bool {
        guard kind != .sealed else { return false }
        return (try? FileStatus(of: descriptor.fileDescriptor)).map { $0.length < length } ?? true
    }

    /// A file that ``MemoryFileWriter`` has just sealed.
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

    /// A memory file of the same bytes, copied inside the kernel.
    ///
    /// - Throws: `ioError` where the file has become shorter.
    package func sealedCopy() throws(Errno) -> MemoryFile {
        let writer = try MemoryFileWriter()
        try writer.append(self)
        return try writer.seal()
    }

    /// Gives the bytes of a range in place. The file is mapped at the first call and stays so for all threads. Of a file
    /// without seals the range is read; see ``forEachPiece(of:_:)``.
    ///
    /// - Throws: what `body` throws; `Errno.invalidArgument` for a range that is not of the file, `Errno.ioError` where the
    ///   file has become shorter.
    package func withBytes<Result>(
        in range: Range<Int>, _ body: (RawSpan) throws -> Result
    ) throws -> Result {
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

    /// Gives the bytes of a range piece by piece, as long as that goes on: the whole of a range that is mapped, else at most
    /// 256 KiB at a time.
    ///
    /// - Parameter body: Whether the next piece is wanted.
    /// - Throws: as ``withBytes(in:_:)``.
    package func forEachPiece(of range: Range<Int>, _ body: (RawSpan) throws -> Bool) throws {
        var rest = range
        repeat {
            let piece = kind == .sealed ? rest : rest.prefix(Self.longestPiece)
            rest = piece.upperBound..<rest.upperBound
            guard try withBytes(in: piece, body) else { return }
        } while !rest.isEmpty
    }

    private static let longestPiece = 1 << 18

    /// A copy of the bytes of a range, read at explicit offsets: the descriptor's own offset is shared with
    /// everybody the file was passed to.
    ///
    /// - Throws: `Errno.invalidArgument` for a range that is not of the file.
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
        precondition(kind == .sealed, "a file without seals is not mapped: who cuts it would end this process")
        return try mapping.withLock { mapping throws(Errno) -> Mapping in
            if let mapping { return mapping }
            let new = try Mapping(descriptor.fileDescriptor, length: length)
            mapping = new
            return new
        }
    }
}

/// Why a descriptor is no ``MemoryFile``.
package enum MemoryFileError: Error, CustomStringConvertible {
    case notAMemoryFile
    case notSealed
    case notReadable

    package var description: String {
        switch self {
        case .notAMemoryFile: "the descriptor is not of a memory file (memfd_create)"
        case .notReadable: "the memory file cannot be read by this descriptor"
        case .notSealed: "the memory file is not sealed (F_SEAL_SHRINK, F_SEAL_GROW, F_SEAL_WRITE, F_SEAL_SEAL)"
        }
    }
}

/// A whole file, mapped to be read. Immutable, because its file is sealed, and so safe to share.
@safe
final class Mapping: @unchecked Sendable {
    let buffer: UnsafeRawBufferPointer

    init(_ file: FileDescriptor, length: Int) throws(Errno) {
        // MAP_PRIVATE, since kernels before 6.7 refuse a shared mapping of a file that is sealed against writing.
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
    /// Whether a range is text: valid UTF-8 without a NUL. An empty one is.
    package func isUTF8Text(in range: Range<Int>) throws -> Bool {
        var rest = range
        var isText = true
        while isText, !rest.isEmpty {
            // A character that a piece ends in the midst of is looked at with the next one.
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

    /// Up to the beginning of the last character; all of what has none at its end.
    private static func lengthOfWholeCharacters(in piece: RawSpan) -> Int {
        unsafe piece.withUnsafeBytes { bytes in
            unsafe bytes.suffix(4).lastIndex { $0 & 0b1100_0000 != 0b1000_0000 } ?? bytes.count
        }
    }

    /// The same of bytes that are in memory.
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
