import LinuxSystem
import SelectionProtocol

/// One version of a pasteboard as it is offered on a selection: an immutable snapshot, from which the display thread
/// answers requests without asking anybody.
struct Offer: Sendable {
    /// What a target is answered with.
    struct Target: Sendable {
        var name: String
        /// The type of the property, by name: the target's own, but for TEXT.
        var type: String
        /// Index in ``Offer/bodies``.
        var body: Int
    }

    /// Bytes that requests are answered from.
    struct Body: Sendable {
        var file: MemoryFile
        var range: Range<Int>

        /// Hands a part of the bytes over where they are. Throws the system's error when the file cannot be mapped.
        func withBytes(in part: Range<Int>, _ body: (RawSpan) -> Void) throws {
            let start = range.lowerBound
            try file.withBytes(in: start + part.lowerBound..<start + part.upperBound, body)
        }
    }

    var id: OfferID
    /// The selection's name, `CLIPBOARD`.
    var selection: String
    /// In the order of the offer, the best first.
    var targets: [Target]
    var bodies: [Body]
}
