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
    enum Body: Sendable {
        case file(MemoryFile, Range<Int>)
        case bytes([UInt8])

        var length: Int {
            switch self {
            case .file(_, let range): range.count
            case .bytes(let bytes): bytes.count
            }
        }

        /// Hands a range of the bytes over where they are. Throws the system's error when the file cannot be mapped.
        func withBytes(in range: Range<Int>, _ body: (RawSpan) -> Void) throws {
            switch self {
            case .file(let file, let whole):
                let start = whole.lowerBound
                try file.withBytes(in: start + range.lowerBound..<start + range.upperBound, body)
            case .bytes(let bytes): body(bytes.span.bytes.extracting(range))
            }
        }
    }

    var id: OfferID
    /// The selection's name, `CLIPBOARD`.
    var selection: String
    /// In the order of the offer, the best first.
    var targets: [Target]
    var bodies: [Body]
}