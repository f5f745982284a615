import LinuxSystem
import SelectionProtocol

/// One version of a pasteboard as it is offered on a selection: an immutable snapshot, from which the display thread
/// answers requests without asking anybody. What is only made when it is asked for, it has made.
struct Offer: Sendable {
    /// What a target is answered with.
    struct Target: Sendable {
        var name: String
        /// The type of the property, by name: the target's own, but for TEXT.
        var type: String
        /// Index in ``Offer/bodies``.
        var body: Int
    }

    /// What requests are answered with.
    struct Body: Sendable {
        enum Content: Sendable {
            case held(Bytes)
            /// Made when it is asked for: a request waits for it so long.
            case made(within: Duration)
            /// Nothing; something is done when it is asked for, and a request waits for that so long.
            case performed(within: Duration)
        }

        var content: Content
        /// 8, or 16 where the value is made of such units.
        var format = 8
    }

    struct Bytes: Sendable {
        var held: HeldBytes
        var range: Range<Int>

        init(_ held: HeldBytes, _ range: Range<Int>) {
            self.held = held
            self.range = range
        }

        /// Hands a part of the bytes over where they are. Throws the system's error when the file cannot be mapped.
        func withBytes(in part: Range<Int>, _ body: (RawSpan) -> Void) throws {
            try held.withBytes(in: inFile(part), body)
        }

        /// Where a part of the bytes is in what holds them.
        func inFile(_ part: Range<Int>) -> Range<Int> {
            range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound
        }
    }

    var id: OfferID
    /// The selection's name, `CLIPBOARD`.
    var selection: String
    /// In the order of the offer, the best first.
    var targets: [Target]
    var bodies: [Body]
    /// The bodies by which the contents are pasted, of contents that are pasted once: who asks for one, and who got it, is
    /// reported.
    var pasted: Set<Int> = []

    /// What it has in memory, each once.
    var blobs: [TransferQuota.Held] {
        let blobs = bodies.compactMap { body -> TransferQuota.Held? in
            guard case .held(let bytes) = body.content else { return nil }
            return TransferQuota.Held(name: Int(bitPattern: bytes.held.identity), length: bytes.held.length)
        }
        return Array(Set(blobs))
    }
}

extension Offer.Body {
    var availability: OfferTable.Availability {
        switch content {
        case .held(let bytes): .ready(length: bytes.range.count)
        case .made(let patience): .made(within: patience)
        case .performed(let patience): .performed(within: patience)
        }
    }
}
