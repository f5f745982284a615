/// The wire of Wayland: messages, their encoder and an incremental decoder, without I/O.
///
/// A message is an object's number, an opcode with the message's size, and arguments, all in words of 32 bits in the
/// byte order of the machine. Descriptors travel alongside the bytes, in their own order (the Wayland book, "Wire
/// Format"). `Generated` has the messages as Swift enums, made by Scripts/checks/generate-wayland from the definitions
/// in `Protocols`.
///
/// ## Why not libwayland-client
///
/// * *Callbacks.* The library calls a C function for each event, with a pointer for its state. A state machine that is
///   tested with tables and random steps needs values, so the callbacks would only copy each event into a value. Just
///   thirteen kinds of events matter here.
/// * *Its queue.* `wl_display_prepare_read`, `read_events`, `dispatch_pending` and `flush` have their own order around
///   poll(2), and events of wl_display are dispatched ahead of older events of other objects. `EventLoop` has one way
///   to wait for a socket, and this module keeps the order of the wire.
/// * *Its errors.* After a malformed event, or a request that cannot be encoded, the library has one errno for the
///   whole connection, and gives the reason only as text in its log. It drops events for unknown objects, but not their
///   descriptors, which later messages then get. Here a fault is a value that names the compositor's error, and every
///   descriptor that arrived is counted.
/// * *One more library.* `xpbd` would need libwayland-client.so on systems that have no Wayland, or load it by name at
///   run time with an unsafe table of functions. The needed part of the wire takes some 300 lines.
///
/// In return this module has to keep up with the wire format, which has not changed since 2012.
package enum WaylandWire {
    /// The maximum length of a message, in bytes: the size of libwayland's buffers.
    package static let maxMessageLength = 4_096
    /// The length of the object's number, the opcode and the size, in bytes.
    package static let headerLength = 8
    /// The maximum number of descriptors that have arrived ahead of their messages. libwayland sends at most 28 with
    /// one sendmsg(2), and none after the bytes of its message.
    package static let maxWaitingDescriptors = 256
}

/// An interface, with the newest version that this module knows.
package struct WireInterface: Hashable, Sendable {
    package let name: String
    package let version: UInt32

    init(_ name: String, version: UInt32) {
        self.name = name
        self.version = version
    }
}

/// The protocols for clipboard managers. Their messages differ only in their names.
package enum DataControlVariant: Hashable, Sendable, CaseIterable {
    /// ext-data-control-v1 of wayland-protocols 1.39.
    case ext
    /// wlr-data-control-unstable-v1, which has had the primary selection since version 2.
    case wlr
}

/// The number of an object on a connection; never zero.
package struct ObjectID: Hashable, Sendable {
    package let number: UInt32

    /// - Returns: nil for zero, which stands for no object.
    package init?(_ number: UInt32) {
        guard number != 0 else { return nil }
        self.number = number
    }

    private init(of number: UInt32) { self.number = number }

    package static let display = ObjectID(of: 1)
    /// The first number of the compositor's range; clients use the numbers below (the Wayland book, "Creating
    /// Objects").
    package static let firstOfCompositor = ObjectID(of: 0xff00_0000)

    /// True if the compositor creates objects with this number.
    package var isOfCompositor: Bool { number >= Self.firstOfCompositor.number }
}

/// A string in the wire's form: bytes without NUL. Strings should be UTF-8, but compositors pass on the types of other
/// clients unchecked.
package struct WireString: Hashable, Sendable {
    package let bytes: [UInt8]

    /// - Returns: nil if the bytes contain a NUL.
    package init?(bytes: [UInt8]) {
        guard !bytes.contains(0) else { return nil }
        self.bytes = bytes
    }

    /// - Returns: nil if the text contains a NUL.
    package init?(_ text: String) {
        self.init(bytes: Array(text.utf8))
    }

    /// The name of an interface.
    package init(of interface: WireInterface) {
        bytes = Array(interface.name.utf8)
    }

    /// The text; nil if the bytes are not UTF-8.
    package var text: String? { String(validating: bytes, as: UTF8.self) }
}

/// The place of a descriptor that belongs to a message.
///
/// In an event, it is the descriptor's position, from 0, among all descriptors that arrived on the connection. In a
/// request, it is a number chosen by the sender.
package struct WireDescriptor: Hashable, Sendable {
    package let index: Int

    package init(_ index: Int) {
        self.index = index
    }
}

/// A fault of a message.
package enum WireError: Error, Hashable, CustomStringConvertible {
    /// The size is below the size of the header, above the limit, or not a multiple of 4.
    case size(Int)
    /// The message is for no object.
    case noObject
    case unknownOpcode(UInt16)
    /// The message ends before its arguments.
    case truncated
    /// Bytes follow the arguments.
    case trailing(Int)
    /// An argument that must have a value is null.
    case null
    /// A string does not end with its NUL, or has another NUL.
    case string
    /// A message needs a descriptor, but none arrived.
    case noDescriptor
    /// Too many descriptors arrived ahead of their messages.
    case tooManyDescriptors(limit: Int)

    package var description: String {
        switch self {
        case .size(let size): "a message with a size of \(size) bytes"
        case .noObject: "a message for no object"
        case .unknownOpcode(let opcode): "a message with the unknown opcode \(opcode)"
        case .truncated: "a message that ends before its arguments"
        case .trailing(let count): "a message with \(count) bytes after its arguments"
        case .null: "a message without a required argument"
        case .string: "a string that does not end with its only NUL"
        case .noDescriptor: "a message without its descriptor"
        case .tooManyDescriptors(let limit): "more than \(limit) descriptors without their messages"
        }
    }
}
