/// A request or an event of one interface.
package protocol WaylandMessage: Hashable, Sendable {
    /// Reads the arguments.
    init(opcode: UInt16, from reader: inout WireReader) throws(WireError)

    var opcode: UInt16 { get }

    /// Writes the arguments.
    func write(to writer: inout WireWriter)
}

extension WaylandMessage {
    /// Decodes a message completely.
    ///
    /// - Parameter descriptors: The descriptors that have arrived. The message's descriptors are taken, even if the
    ///   message turns out to be faulty.
    package init(_ frame: WireFrame, descriptors: inout DescriptorCount) throws(WireError) {
        var reader = WireReader(frame.arguments, descriptors: descriptors)
        defer { descriptors = reader.descriptors }
        try self.init(opcode: frame.opcode, from: &reader)
        try reader.finish()
    }

    /// Encodes the message.
    ///
    /// - Throws: ``WireError/size(_:)`` if the message is too long.
    package func encoded(to object: ObjectID) throws(WireError) -> EncodedMessage {
        var writer = WireWriter()
        write(to: &writer)
        return try writer.message(to: object, opcode: opcode)
    }
}

/// A message as bytes, and the descriptors to send with its first byte.
package struct EncodedMessage: Hashable, Sendable {
    package let bytes: [UInt8]
    package let descriptors: [WireDescriptor]
}

/// A message whose arguments have not been decoded.
package struct WireFrame: Hashable, Sendable {
    package let object: ObjectID
    package let opcode: UInt16
    package let arguments: [UInt8]

    package init(object: ObjectID, opcode: UInt16, arguments: [UInt8]) {
        self.object = object
        self.opcode = opcode
        self.arguments = arguments
    }
}

/// The numbers of descriptors that arrived on a connection and that decoded messages have taken.
package struct DescriptorCount: Hashable, Sendable {
    package private(set) var received = 0
    package private(set) var taken = 0

    package init() {}

    package var waiting: Int { received - taken }

    package mutating func receive(_ count: Int) throws(WireError) {
        guard count <= WaylandWire.maxWaitingDescriptors - waiting else {
            throw .tooManyDescriptors(limit: WaylandWire.maxWaitingDescriptors)
        }
        received += count
    }

    mutating func take() throws(WireError) -> WireDescriptor {
        guard waiting > 0 else { throw .noDescriptor }
        taken += 1
        return WireDescriptor(taken - 1)
    }
}
