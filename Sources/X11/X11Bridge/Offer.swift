package import LinuxSystem
package import SelectionProtocol

/// One version of a pasteboard as it is offered on a selection: an immutable snapshot, from which the X thread answers
/// requests on its own. It asks the service only for bodies that are made on demand.
package struct Offer: Sendable {
    /// One target on offer.
    package struct Target: Sendable {
        package var name: String
        /// The name of the type of the property that answers: the target itself, except for TEXT.
        package var type: String
        /// The index in ``Offer/bodies``.
        package var body: Int

        package init(name: String, type: String, body: Int) {
            self.name = name
            self.type = type
            self.body = body
        }
    }

    /// One answer, which several targets may share.
    package struct Body: Sendable {
        package enum Content: Sendable {
            case held(Bytes)
            /// Made on demand; the duration is the timeout of a request whose toolkit is not known.
            case made(within: Duration)
            /// Empty: the target has a side effect. The duration is the timeout of a request whose toolkit is not
            /// known.
            case performed(within: Duration)
        }

        package var content: Content
        /// The size of the value's units in bits: 8 or 16.
        package var format = 8

        package init(content: Content, format: Int = 8) {
            self.content = content
            self.format = format
        }
    }

    /// A part of bytes in memory.
    package struct Bytes: Sendable {
        package var held: ImmutableBytes
        package var range: Range<Int>

        package init(_ held: ImmutableBytes, _ range: Range<Int>) {
            self.held = held
            self.range = range
        }

        /// Calls `body` with a part of the bytes, in place where possible.
        ///
        /// - Throws: The error of the system if the file can be neither mapped nor read.
        package func withBytes(in part: Range<Int>, _ body: (RawSpan) -> Void) throws {
            try held.withBytes(in: positions(of: part), body)
        }

        /// Returns the position of a part in the bytes' memory.
        func positions(of part: Range<Int>) -> Range<Int> {
            range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound
        }
    }

    package var id: OfferID
    /// The name of the selection, such as `CLIPBOARD`.
    package var selection: String
    /// The targets on offer, best first.
    package var targets: [Target]
    package var bodies: [Body]
    /// For contents that may be pasted once: the bodies whose transfer counts as a paste. Requests for these bodies,
    /// and their completed transfers, are reported.
    package var pasted: Set<Int> = []
    /// True if the compositor's first conversion is refused. The compositor's clipboard manager asks for the contents
    /// right after each claim, before any program can: the manager would keep a secret, use up contents that may be
    /// pasted once, or ask for a promise that no program needs.
    package var isWithheldFromManager = false
    /// For contents that may not leave the machine: the function that returns true for a process whose requests for
    /// them are refused.
    package var refusesReader: (@Sendable (_ process: Int32) -> Bool)?

    package init(id: OfferID, selection: String, targets: [Target], bodies: [Body], pasted: Set<Int> = []) {
        self.id = id
        self.selection = selection
        self.targets = targets
        self.bodies = bodies
        self.pasted = pasted
    }

    /// The memory that the offer holds, each block once.
    var heldMemory: [TransferQuota.Held] {
        let memory = bodies.compactMap { body -> TransferQuota.Held? in
            guard case .held(let bytes) = body.content else { return nil }
            return TransferQuota.Held(name: Int(bitPattern: bytes.held.identity), length: bytes.held.length)
        }
        return Array(Set(memory))
    }
}

extension Offer.Body {
    var availability: OfferTable.Availability {
        switch content {
        case .held(let bytes): .ready(length: bytes.range.count)
        case .made(let timeout): .made(within: timeout)
        case .performed(let timeout): .performed(within: timeout)
        }
    }
}

/// The next piece of a file that is not mapped, read while the requestor still processes the previous piece. Otherwise,
/// the requestor would wait for the read. There is only one piece, for the only transfer under way.
package struct ReadAhead {
    private var prepared: (file: MemoryFile, range: Range<Int>, bytes: [UInt8])?

    package init() {}

    /// Calls `body` with a part of the bytes: from the piece read ahead if it has the part, else by
    /// ``Offer/Bytes/withBytes(in:_:)``.
    package mutating func withBytes(in part: Range<Int>, of bytes: Offer.Bytes, _ body: (RawSpan) -> Void) throws {
        let range = bytes.positions(of: part)
        guard let prepared, prepared.file === bytes.held.file, prepared.range.lowerBound == range.lowerBound,
            prepared.range.upperBound >= range.upperBound
        else { return try bytes.withBytes(in: part, body) }
        self.prepared = nil
        unsafe prepared.bytes.prefix(range.count).withUnsafeBytes { unsafe body($0.bytes) }
    }

    /// Reads the piece after `part`, of the same length. An error is ignored here: it occurs again when the piece is
    /// requested.
    package mutating func prepare(after part: Range<Int>, of bytes: Offer.Bytes) {
        prepared = nil
        let range = bytes.positions(of: part.upperBound..<min(part.upperBound + part.count, bytes.range.count))
        guard let file = bytes.held.file, file.kind != .sealed, !range.isEmpty, let read = try? file.bytes(in: range)
        else {
            return
        }
        prepared = (file, range, read)
    }

    /// Releases the piece and its file.
    package mutating func drop() {
        prepared = nil
    }
}
