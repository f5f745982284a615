package import LinuxSystem

/// Bytes of a source or of a conversion step, with the names that declare their encoding.
package struct EncodedBytes: Sendable {
    package let held: ImmutableBytes
    package let range: Range<Int>
    /// The target or MIME type under which they were written or requested.
    package var target: String?
    /// The type of the property with which a foreign owner answered. It takes precedence over the target: TEXT may have
    /// any encoding.
    package var propertyType: String?

    package init(_ held: ImmutableBytes, _ range: Range<Int>? = nil, target: String? = nil, propertyType: String? = nil)
    {
        self.held = held
        self.range = range ?? 0..<held.length
        self.target = target
        self.propertyType = propertyType
    }

    package init(_ file: MemoryFile, _ range: Range<Int>? = nil, target: String? = nil, propertyType: String? = nil) {
        self.init(.file(file), range, target: target, propertyType: propertyType)
    }

    /// True if another program sent the bytes.
    package var isForeign: Bool { propertyType != nil }

    /// True if the bytes are declared as compound text, by the property or else by the target.
    package var isCompoundText: Bool { (propertyType ?? target) == "COMPOUND_TEXT" }

    /// Stores bytes that were made here.
    package static func of(_ bytes: [UInt8]) throws(ConversionFailure) -> EncodedBytes {
        do {
            return EncodedBytes(try MemoryFile.containing(bytes))
        } catch {
            throw .broken("no memory is left for the converted bytes: \(error)")
        }
    }

    /// Returns the file that has the bytes.
    ///
    /// - Throws: ``ConversionFailure/secret`` for a secret, which is in no file. The result of its conversion would
    ///   have to be wiped too.
    func file() throws(ConversionFailure) -> MemoryFile {
        guard let file = held.file else { throw .secret }
        return file
    }

    /// Returns a copy of the bytes, except those of a secret.
    package func bytes() throws(ConversionFailure) -> [UInt8] {
        let file = try file()
        do {
            return try file.bytes(in: range)
        } catch {
            throw .broken("the bytes could not be read: \(error)")
        }
    }
}

extension ConversionFailure {
    static let secret = ConversionFailure.impossible("a secret is not converted")
}

package enum ConversionFailure: Error, Sendable {
    /// The contents cannot be converted to the format, for the given reason.
    case impossible(String)
    /// The conversion failed for the given reason, and would fail again.
    case failed(String)
    /// The conversion was interrupted for the given reason; another try may succeed.
    case broken(String)
    /// The list has fewer entries than the number requested.
    case noEntry(Int, of: Int)
    /// The program that promised the bytes does not provide them, for the given reason.
    case promiseBroken(String)
    /// The bytes of a source could not be read.
    case source(any Error)
    /// The owner refuses a target that it lists.
    case refused(source: Int)
}
