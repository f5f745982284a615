package import LinuxSystem

/// Bytes on their way through a recipe, with what is known of their encoding.
package struct EncodedBytes: Sendable {
    package let held: HeldBytes
    package let range: Range<Int>
    /// The name they were written or asked for under.
    package var target: String?
    /// The type of the property that a foreign owner answered with. It says more than the target: TEXT may be anything.
    package var propertyType: String?

    package init(_ held: HeldBytes, _ range: Range<Int>? = nil, target: String? = nil, propertyType: String? = nil) {
        self.held = held
        self.range = range ?? 0..<held.length
        self.target = target
        self.propertyType = propertyType
    }

    package init(_ file: MemoryFile, _ range: Range<Int>? = nil, target: String? = nil, propertyType: String? = nil) {
        self.init(.file(file), range, target: target, propertyType: propertyType)
    }

    /// Whether another program sent them.
    package var isForeign: Bool { propertyType != nil }

    /// Whether it is said to be compound text, by the property first.
    package var isCompoundText: Bool { (propertyType ?? target) == "COMPOUND_TEXT" }

    /// Bytes that were made here.
    package static func of(_ bytes: [UInt8]) throws(ConversionFailure) -> EncodedBytes {
        do {
            return EncodedBytes(try MemoryFile.containing(bytes))
        } catch {
            throw .broken("no memory is left for what is made: \(error)")
        }
    }

    /// The file they are in. A secret is in none, and nothing is to be made of it that would have to be wiped, too.
    package func file() throws(ConversionFailure) -> MemoryFile {
        guard let file = held.file else { throw .secret }
        return file
    }

    /// A copy; of a secret there is none.
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
    package static let secret = ConversionFailure.impossible("nothing is made of a secret")
}

/// A reason why a format cannot be made.
package enum ConversionFailure: Error, Sendable {
    /// The contents cannot be brought into the format, for that reason.
    case impossible(String)
    /// It was tried and failed, as another try would, for that reason.
    case failed(String)
    /// Something broke on the way, for that reason; another try may succeed.
    case broken(String)
    /// The list has fewer entries than the number asked for.
    case noEntry(Int, of: Int)
    /// The program that promised the bytes does not provide them, for that reason.
    case promiseBroken(String)
    /// The bytes of a source could not be read.
    case source(any Error)
    /// The owner refuses a target that it lists.
    case refused(source: Int)
}
