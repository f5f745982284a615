/// Undo, redo, and the history.
extension Methods {
    /// Parameters of ``Undo`` and ``Redo``.
    package struct Steps: Codable, Sendable {
        package var pasteboard: String
        package var steps: Int?
        package var ifCount: Int?
        package var timeout: Int?
        package init(pasteboard: String, steps: Int? = nil, ifCount: Int? = nil, timeout: Int? = nil) {
            self.pasteboard = pasteboard
            self.steps = steps
            self.ifCount = ifCount
            self.timeout = timeout
        }
    }

    /// What they have done.
    package struct Stepped: Codable, Sendable {
        package var count: Int
        package var steps: Int
        package var action: String?
        package init(count: Int, steps: Int, action: String? = nil) {
            self.count = count
            self.steps = steps
            self.action = action
        }
    }

    package enum Undo: WireMethod {
        package static let name = "Undo"
        package typealias Parameters = Steps
        package typealias Reply = Stepped
    }

    package enum Redo: WireMethod {
        package static let name = "Redo"
        package typealias Parameters = Steps
        package typealias Reply = Stepped
    }

    package enum History: WireMethod {
        package static let name = "History"
        package struct Parameters: Codable, Sendable {
            package var pasteboard: String?
            package var search: String?
            package var pinned: Bool?
            package var limit: Int?
            package init(pasteboard: String? = nil, search: String? = nil, pinned: Bool? = nil, limit: Int? = nil) {
                self.pasteboard = pasteboard
                self.search = search
                self.pinned = pinned
                self.limit = limit
            }
        }
        package struct Reply: Codable, Sendable {
            package var entries: [WireHistoryEntry]
            package init(entries: [WireHistoryEntry]) { self.entries = entries }
        }
    }

    package enum Restore: WireMethod {
        package static let name = "Restore"
        package struct Parameters: Codable, Sendable {
            package var entry: Int
            package var pasteboard: String?
            package var ifCount: Int?
            package var timeout: Int?
            package init(entry: Int, pasteboard: String? = nil, ifCount: Int? = nil, timeout: Int? = nil) {
                self.entry = entry
                self.pasteboard = pasteboard
                self.ifCount = ifCount
                self.timeout = timeout
            }
        }
        package struct Reply: Codable, Sendable {
            package var pasteboard: String
            package var count: Int
            package init(pasteboard: String, count: Int) {
                self.pasteboard = pasteboard
                self.count = count
            }
        }
    }

    /// How many entries are gone.
    package struct Deleted: Codable, Sendable {
        package var deleted: Int
        package init(deleted: Int) { self.deleted = deleted }
    }

    package enum DeleteEntries: WireMethod {
        package static let name = "DeleteEntries"
        package struct Parameters: Codable, Sendable {
            package var entries: [Int]
            package init(entries: [Int]) { self.entries = entries }
        }
        package typealias Reply = Deleted
    }

    package enum Pin: WireMethod {
        package static let name = "Pin"
        package struct Parameters: Codable, Sendable {
            package var entries: [Int]
            package var pinned: Bool
            package init(entries: [Int], pinned: Bool) {
                self.entries = entries
                self.pinned = pinned
            }
        }
        package typealias Reply = NoParameters
    }

    package enum ClearHistory: WireMethod {
        package static let name = "ClearHistory"
        package struct Parameters: Codable, Sendable {
            package var pasteboard: String?
            package init(pasteboard: String? = nil) { self.pasteboard = pasteboard }
        }
        package typealias Reply = Deleted
    }

    package enum PauseHistory: WireMethod {
        package static let name = "PauseHistory"
        package struct Parameters: Codable, Sendable {
            package var paused: Bool
            package init(paused: Bool) { self.paused = paused }
        }
        package typealias Reply = NoParameters
    }
}
