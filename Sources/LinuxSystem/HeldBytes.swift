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

    /// What can be passed to another process, once: the file, or a new pipe with all of the secret.
    package func passed() throws(Errno) -> Descriptor {
        switch self {
        case .file(let file): file.descriptor
        case .secret(let secret): try secret.pipe(in: 0..<secret.length)
        }
    }

    /// Takes bytes that were passed, whichever way.
    ///
    /// - Parameter length: How many there are to be, which a pipe does not tell.
    package static func adopting(_ descriptor: Descriptor, length: Int) throws -> HeldBytes {
        guard try descriptor.isPipe else { return .file(try MemoryFile(adopting: descriptor)) }
        let writer = try SecretMemoryWriter(room: length)
        try writer.append(length, fromPipe: descriptor.fileDescriptor)
        return .secret(try writer.seal())
    }

    /// Whether a range is text: valid UTF-8 without a NUL. An empty one is.
    package func isUTF8Text(in range: Range<Int>) throws -> Bool {
        try withBytes(in: range) { MemoryFile.isUTF8Text($0) }
    }
}
