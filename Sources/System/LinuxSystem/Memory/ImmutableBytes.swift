import Glibc
package import SystemPackage

/// Immutable bytes, in a memory file, which is passed on by its descriptor, or in a secret.
package enum ImmutableBytes: Sendable {
    case file(MemoryFile)
    case secret(SecretMemory)

    /// The length in bytes.
    package var length: Int {
        switch self {
        case .file(let file): file.length
        case .secret(let secret): secret.length
        }
    }

    /// The memory file; nil for a secret, which is never stored in a file.
    package var file: MemoryFile? {
        if case .file(let file) = self { file } else { nil }
    }

    package var secret: SecretMemory? {
        if case .secret(let secret) = self { secret } else { nil }
    }

    /// The identity of the memory, unique while it is held.
    package var identity: ObjectIdentifier {
        switch self {
        case .file(let file): ObjectIdentifier(file)
        case .secret(let secret): ObjectIdentifier(secret)
        }
    }

    /// Calls `body` with the bytes of a range, in place where possible.
    ///
    /// - Throws: The errors of `body`; `Errno.invalidArgument` if the range exceeds these bytes.
    package func withBytes<Result>(in range: Range<Int>, _ body: (RawSpan) throws -> Result) throws -> Result {
        switch self {
        case .file(let file): try file.withBytes(in: range, body)
        case .secret(let secret): try secret.withBytes(in: range, body)
        }
    }

    /// Returns a copy of the bytes of a range. Nothing wipes the copy, so use it for at most a few bytes of a secret.
    package func bytes(in range: Range<Int>) throws -> [UInt8] {
        switch self {
        case .file(let file): try file.bytes(in: range)
        case .secret(let secret):
            try secret.withBytes(in: range) { span in unsafe span.withUnsafeBytes { unsafe Array($0) } }
        }
    }

    /// Returns a descriptor that passes a range to another process once: the file, or a new pipe that contains these
    /// bytes of the secret.
    ///
    /// - Returns: The descriptor, and the offset in it at which the range begins.
    package func passed(_ range: Range<Int>) throws(Errno) -> (descriptor: Descriptor, offset: Int) {
        switch self {
        case .file(let file): (file.descriptor, range.lowerBound)
        case .secret(let secret): (try secret.pipe(in: range), 0)
        }
    }

    /// Adopts bytes that the bridge passed in any of its ways: as a memory file, as a file of its store, or as the
    /// entire contents of a pipe.
    ///
    /// - Throws: ``MemoryFileError``, ``SecretMemoryError``.
    package init(adopting descriptor: Descriptor) throws {
        guard try descriptor.isPipe else {
            do throws(MemoryFileError) {
                self = .file(try MemoryFile(adopting: descriptor))
            } catch .notAMemoryFile {
                guard let file = try? MemoryFile(.stored, onDisk: descriptor) else {
                    throw MemoryFileError.notAMemoryFile
                }
                self = .file(file)
            }
            return
        }
        let writer = try SecretMemoryWriter()
        try writer.append(allOfPipe: descriptor.fileDescriptor)
        self = .secret(writer.seal())
    }

    package func allSatisfy(in range: Range<Int>, _ predicate: (UInt8) -> Bool) throws -> Bool {
        func isSatisfied(_ span: RawSpan) -> Bool {
            unsafe span.withUnsafeBytes { unsafe $0.allSatisfy(predicate) }
        }
        guard case .file(let file) = self else { return try withBytes(in: range) { isSatisfied($0) } }
        var isSatisfiedByAll = true
        try file.forEachPiece(of: range) { piece in
            isSatisfiedByAll = isSatisfied(piece)
            return isSatisfiedByAll
        }
        return isSatisfiedByAll
    }

    /// Returns true if a range is text, that is, valid UTF-8 without a NUL. An empty range is text.
    package func isUTF8Text(in range: Range<Int>) throws -> Bool {
        guard case .file(let file) = self else { return try withBytes(in: range) { MemoryFile.isUTF8Text($0) } }
        return try file.isUTF8Text(in: range)
    }
}
