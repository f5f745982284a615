package import LinuxSystem
package import SelectionProtocol

/// One version of a pasteboard as it is offered on a selection: an immutable snapshot, from which the display thread
/// answers requests without asking anybody. What is only made when it is asked for, it has made.
package struct Offer: Sendable {
    /// What a target is answered with.
    package struct Target: Sendable {
        package var name: String
        /// The type of the property, by name: the target's own, but for TEXT.
        package var type: String
        /// Index in ``Offer/bodies``.
        package var body: Int

        package init(name: String, type: String, body: Int) {
            self.name = name
            self.type = type
            self.body = body
        }
    }

    /// What requests are answered with.
    package struct Body: Sendable {
        package enum Content: Sendable {
            case held(Bytes)
            /// Made when it is asked for: a request waits for it so long.
            case made(within: Duration)
            /// Nothing; something is done when it is asked for, and a request waits for that so long.
            case performed(within: Duration)
        }

        package var content: Content
        /// 8, or 16 where the value is made of such units.
        package var format = 8

        package init(content: Content, format: Int = 8) {
            self.content = content
            self.format = format
        }
    }

    package struct Bytes: Sendable {
        package var held: HeldBytes
        package var range: Range<Int>

        package init(_ held: HeldBytes, _ range: Range<Int>) {
            self.held = held
            self.range = range
        }

        /// Hands a part of the bytes over where they are. Throws the system's error when the file cannot be mapped.
        package func withBytes(in part: Range<Int>, _ body: (RawSpan) -> Void) throws {
            try held.withBytes(in: inFile(part), body)
        }

        /// Where a part of the bytes is in what holds them.
        func inFile(_ part: Range<Int>) -> Range<Int> {
            range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound
        }
    }

    package var id: OfferID
    /// The selection's name, `CLIPBOARD`.
    package var selection: String
    /// In the order of the offer, the best first.
    package var targets: [Target]
    package var bodies: [Body]
    /// The bodies by which the contents are pasted, of contents that are pasted once: who asks for one, and who got it, is
    /// reported.
    package var pasted: Set<Int> = []

    package init(id: OfferID, selection: String, targets: [Target], bodies: [Body], pasted: Set<Int> = []) {
        self.id = id
        self.selection = selection
        self.targets = targets
        self.bodies = bodies
        self.pasted = pasted
    }

    /// What it has in memory, each once.
    package var blobs: [TransferQuota.Held] {
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
