/// A method of `org.xpb.Pasteboard`: its name, what it takes and what it answers.
///
/// The members of ``Parameters`` and ``Reply`` are those of the interface definition, `org.xpb.Pasteboard.varlink`,
/// which documents them.
package protocol WireMethod {
    associatedtype Parameters: Codable & Sendable
    associatedtype Reply: Codable & Sendable
    /// The member's name in the interface, `Get`.
    static var name: String { get }
}

package struct NoParameters: Codable, Sendable {
    package init() {}
}

/// Where the bytes of a representation are.
package struct WireBytes: Codable, Sendable, Equatable {
    /// Index among the descriptors that came with the message.
    package var descriptor: Int?
    /// An upload or download of this connection.
    package var handle: String?
    package var offset: Int
    package var length: Int

    package init(descriptor: Int? = nil, handle: String? = nil, offset: Int, length: Int) {
        self.descriptor = descriptor
        self.handle = handle
        self.offset = offset
        self.length = length
    }
}

package struct WireRepresentation: Codable, Sendable, Equatable {
    package var type: String
    package var target: String?
    package var length: Int?
    package var derived: Bool?
    package var promised: Bool?

    package init(
        type: String, target: String?, length: Int? = nil, derived: Bool? = nil, promised: Bool? = nil
    ) {
        self.type = type
        self.target = target
        self.length = length
        self.derived = derived
        self.promised = promised
    }
}

package struct WireItem: Codable, Sendable, Equatable {
    package var representations: [WireRepresentation]
    package var targets: [String]?

    package init(representations: [WireRepresentation], targets: [String]? = nil) {
        self.representations = representations
        self.targets = targets
    }
}

package struct WireNewRepresentation: Codable, Sendable, Equatable {
    package var type: String
    package var exact: Bool?
    package var bytes: WireBytes?
    package var promise: String?

    package init(type: String, exact: Bool? = nil, bytes: WireBytes) {
        self.type = type
        self.exact = exact
        self.bytes = bytes
    }

    /// - Parameter promise: The name by which the writer is asked for the bytes.
    package init(type: String, exact: Bool? = nil, promise: String) {
        self.type = type
        self.exact = exact
        self.promise = promise
    }
}

package struct WireNewItem: Codable, Sendable, Equatable {
    package var representations: [WireNewRepresentation]

    package init(representations: [WireNewRepresentation]) {
        self.representations = representations
    }
}

package struct WireOptions: Codable, Sendable, Equatable {
    package var expires: Int?
    package var localOnly: Bool?
    package var once: Bool?
    package var concealed: Bool?
    package var memory: Bool?

    package init(
        expires: Int? = nil, localOnly: Bool? = nil, once: Bool? = nil, concealed: Bool? = nil, memory: Bool? = nil
    ) {
        self.expires = expires
        self.localOnly = localOnly
        self.once = once
        self.concealed = concealed
        self.memory = memory
    }
}

package struct WireFound: Codable, Sendable, Equatable {
    package var item: Int
    package var type: String?
    package var target: String?
    package var exact: Bool?
    package var bytes: WireBytes?
    package var missing: String?

    package init(
        item: Int, type: String? = nil, target: String? = nil, exact: Bool? = nil, bytes: WireBytes? = nil,
        missing: String? = nil
    ) {
        self.item = item
        self.type = type
        self.target = target
        self.exact = exact
        self.bytes = bytes
        self.missing = missing
    }
}

package struct WireWanted: Codable, Sendable, Equatable {
    package var promise: String
    package var ticket: String

    package init(promise: String, ticket: String) {
        self.promise = promise
        self.ticket = ticket
    }
}

package struct WireOwner: Codable, Sendable, Equatable {
    package enum Kind: String, Codable, Sendable { case client, window, none }
    package var kind: Kind
    package var window: Int?
    package var process: Int?
    package var program: String?
    package var since: Int?
    package var ended: Int?

    package init(kind: Kind, window: Int? = nil, process: Int? = nil, program: String? = nil, since: Int? = nil) {
        self.kind = kind
        self.window = window
        self.process = process
        self.program = program
        self.since = since
    }
}

package struct WireBoard: Codable, Sendable, Equatable {
    package var name: String
    package var selection: String
    package var count: Int
    package var items: Int
    package var owner: WireOwner
    package var persistent: Bool

    package init(name: String, selection: String, count: Int, items: Int, owner: WireOwner, persistent: Bool) {
        self.name = name
        self.selection = selection
        self.count = count
        self.items = items
        self.owner = owner
        self.persistent = persistent
    }
}

package struct WireTypeDeclaration: Codable, Sendable, Equatable {
    package var identifier: String
    package var conformsTo: [String]
    package var mimeTypes: [String]
    package var extensions: [String]
    package var targets: [String]
    package var description: String?

    package init(
        identifier: String, conformsTo: [String], mimeTypes: [String], extensions: [String], targets: [String],
        description: String? = nil
    ) {
        self.identifier = identifier
        self.conformsTo = conformsTo
        self.mimeTypes = mimeTypes
        self.extensions = extensions
        self.targets = targets
        self.description = description
    }
}
