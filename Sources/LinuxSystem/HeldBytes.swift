import Glibc
package import SystemPackage

/// Bytes that nobody changes any more: those of a memory file, which is passed on by its descriptor, or of a secret.
package enum HeldBytes: Sendable {
    case file(MemoryFile)
    case secret(SecretMemory)

    /// In bytes.
    package var length: Int {
        switch self {
        case .file(let file): file.length
        case .secret(let secret): secret.length
        }
    }

    /// Nil for a secret, which is in no file.
    package var file: MemoryFile? {
        if case .file(let file) = self { file } else { nil }
    }

    package var secret: SecretMemory? {
        if case .secret(let secret) = self { secret } else { nil }
    }

    /// Tells the memory apart from all others, for as long as it is held.
    package var identity: ObjectIdentifier {
        switch self {
        case .file(let file): ObjectIdentifier(file)
        case .secret(let secret): ObjectIdentifier(secret)
        }
    }

    /// Gives the bytes of a range in place.
    ///
    /// - Throws: what `body` throws; `Errno.invalidArgument` for a range that is not of these bytes.
    package func withBytes<Result>(in range: Range<Int>, _ body: (RawSpan) throws -> Result) throws -> Result {
        switch self {
        case .file(let file): try file.withBytes(in: range, body)
        case .secret(let secret): try secret.withBytes(in: range, body)
        }
    }

    /// A copy of the bytes of a range, which nothing wipes: for a few bytes of a secret at most.
    package func bytes(in range: Range<Int>) throws -> [UInt8] {
        switch self {
        case .file(let file): try file.bytes(in: range)
        case .secret(let secret):
            try secret.withBytes(in: range) { span in unsafe span.withUnsafeBytes { unsafe Array($0) } }
        }
    }

    /// What passes a range to another process, once: the file, or a new pipe with these bytes of the secret.
    ///
    /// - Returns: The descriptor, and where in it the range begins.
    package func passed(_ range: Range<Int>) throws(Errno) -> (descriptor: Descriptor, offset: Int) {
        switch self {
        case .file(let file): (file.descriptor, range.lowerBound)
        case .secret(let secret): (try secret.pipe(in: range), 0)
        }
    }

    /// Takes bytes that the bridge has passed, whichever way: a memory file, a file of its store, or of a pipe all that it
    /// holds.
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

    /// Whether all bytes of a range are such.
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

    /// Whether a range is text: valid UTF-8 without a NUL. An empty one is.
    package func isUTF8Text(in range: Range<Int>) throws -> Bool {
        guard case .file(let file) = self else { return try withBytes(in: range) { MemoryFile.isUTF8Text($0) } }
        return try file.isUTF8Text(in: range)
    }
}
