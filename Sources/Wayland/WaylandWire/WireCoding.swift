/// A reader of the arguments of one message. Every argument is checked.
package struct WireReader {
    private let bytes: [UInt8]
    private var position = 0
    private(set) var descriptors: DescriptorCount

    package init(_ bytes: [UInt8], descriptors: DescriptorCount = DescriptorCount()) {
        self.bytes = bytes
        self.descriptors = descriptors
    }

    package mutating func uint() throws(WireError) -> UInt32 {
        guard bytes.count - position >= 4 else { throw .truncated }
        defer { position += 4 }
        return WireWord.read(bytes, at: position)
    }

    package mutating func int() throws(WireError) -> Int32 { Int32(bitPattern: try uint()) }

    /// Reads an existing or a new object.
    package mutating func object() throws(WireError) -> ObjectID {
        guard let object = try optionalObject() else { throw .null }
        return object
    }

    package mutating func optionalObject() throws(WireError) -> ObjectID? { ObjectID(try uint()) }

    package mutating func string() throws(WireError) -> WireString {
        guard let string = try optionalString() else { throw .null }
        return string
    }

    /// Reads a string: its length with the NUL, its bytes, and padding up to a whole word. A length of zero stands for
    /// no string.
    package mutating func optionalString() throws(WireError) -> WireString? {
        let content = try array()
        if content.isEmpty { return nil }
        guard content.last == 0, let string = WireString(bytes: Array(content.dropLast())) else { throw .string }
        return string
    }

    package mutating func array() throws(WireError) -> [UInt8] {
        let length = Int(try uint())
        // The length has 32 bits, so rounding it up cannot overflow.
        let padded = (length + 3) & ~3
        guard padded <= bytes.count - position else { throw .truncated }
        defer { position += padded }
        return Array(bytes[position..<position + length])
    }

    package mutating func descriptor() throws(WireError) -> WireDescriptor { try descriptors.take() }

    /// Checks that all bytes have been read.
    package func finish() throws(WireError) {
        guard position == bytes.count else { throw .trailing(bytes.count - position) }
    }
}

/// A writer of the arguments of one message.
package struct WireWriter {
    private var bytes: [UInt8] = []
    private var descriptors: [WireDescriptor] = []

    package init() {}

    package mutating func uint(_ value: UInt32) { WireWord.append(value, to: &bytes) }

    package mutating func int(_ value: Int32) { uint(UInt32(bitPattern: value)) }

    package mutating func object(_ value: ObjectID?) { uint(value?.number ?? 0) }

    package mutating func string(_ value: WireString?) { array(value.map { $0.bytes + [0] } ?? []) }

    package mutating func array(_ value: [UInt8]) {
        uint(UInt32(truncatingIfNeeded: value.count))
        bytes += value
        bytes += repeatElement(0, count: -value.count & 3)
    }

    package mutating func descriptor(_ value: WireDescriptor) { descriptors.append(value) }

    /// Returns the message with its header.
    ///
    /// - Throws: ``WireError/size(_:)`` if the message is too long.
    package func message(to object: ObjectID, opcode: UInt16) throws(WireError) -> EncodedMessage {
        let size = WaylandWire.headerLength + bytes.count
        guard size <= WaylandWire.maxMessageLength else { throw .size(size) }
        var message: [UInt8] = []
        message.reserveCapacity(size)
        WireWord.append(object.number, to: &message)
        WireWord.append(UInt32(size) << 16 | UInt32(opcode), to: &message)
        return EncodedMessage(bytes: message + bytes, descriptors: descriptors)
    }
}

/// Words in the machine's byte order, which Wayland uses.
enum WireWord {
    static func read(_ bytes: [UInt8], at position: Int) -> UInt32 {
        var word: UInt32 = 0
        for index in 0..<4 { word |= UInt32(bytes[position + index]) << (8 * UInt32(index)) }
        return UInt32(littleEndian: word)
    }

    static func append(_ value: UInt32, to bytes: inout [UInt8]) {
        let word = value.littleEndian
        for index in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: word >> (8 * UInt32(index)))) }
    }
}
