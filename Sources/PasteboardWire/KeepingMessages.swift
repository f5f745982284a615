/// What the messages about kept contents have in common with nothing else: entries, captures, the store, settings.

package struct WireHistoryEntry: Codable, Sendable, Equatable {
    package var id: Int
    package var pasteboard: String
    package var count: Int
    package var copies: Int
    package var created: Int
    package var type: String
    package var types: [String]
    package var items: Int
    package var length: Int
    package var preview: String?
    package var width: Int?
    package var height: Int?
    package var action: String?
    package var program: String?
    package var pinned: Bool

    package init(
        id: Int, pasteboard: String, count: Int, copies: Int, created: Int, type: String, types: [String], items: Int,
        length: Int, preview: String? = nil, width: Int? = nil, height: Int? = nil, action: String? = nil,
        program: String? = nil, pinned: Bool
    ) {
        self.id = id
        self.pasteboard = pasteboard
        self.count = count
        self.copies = copies
        self.created = created
        self.type = type
        self.types = types
        self.items = items
        self.length = length
        self.preview = preview
        self.width = width
        self.height = height
        self.action = action
        self.program = program
        self.pinned = pinned
    }
}

package struct WireCapture: Codable, Sendable, Equatable {
    package enum State: String, Codable, Sendable { case waiting, taking, captured, skipped }
    package var pasteboard: String
    package var count: Int
    package var state: State
    package var types: [String]
    package var length: Int
    package var reason: String?

    package init(
        pasteboard: String, count: Int, state: State, types: [String] = [], length: Int = 0, reason: String? = nil
    ) {
        self.pasteboard = pasteboard
        self.count = count
        self.state = state
        self.types = types
        self.length = length
        self.reason = reason
    }
}

package struct WireStore: Codable, Sendable, Equatable {
    package enum State: String, Codable, Sendable { case kept, memory, refusing }
    package var state: State
    package var reason: String?
    package var folder: String?
    package var entries: Int
    package var length: Int
    package var paused: Bool

    package init(
        state: State, reason: String? = nil, folder: String? = nil, entries: Int = 0, length: Int = 0,
        paused: Bool = false
    ) {
        self.state = state
        self.reason = reason
        self.folder = folder
        self.entries = entries
        self.length = length
        self.paused = paused
    }
}

package struct WireSetting: Codable, Sendable, Equatable {
    package enum Origin: String, Codable, Sendable { case `default`, file, environment }
    package var key: String
    package var value: String
    package var origin: Origin
    package var source: String?

    package init(key: String, value: String, origin: Origin, source: String? = nil) {
        self.key = key
        self.value = value
        self.origin = origin
        self.source = source
    }
}
