/// What the status tells of limits, refusals and transfers.

package struct WireLimit: Codable, Sendable, Equatable {
    package var name: String
    package var limit: Int
    package var used: Int
    package var refused: Int
    package var ended: Int
    package var process: Int?
    package var program: String?

    package init(
        name: String, limit: Int, used: Int, refused: Int = 0, ended: Int = 0, process: Int? = nil,
        program: String? = nil
    ) {
        self.name = name
        self.limit = limit
        self.used = used
        self.refused = refused
        self.ended = ended
        self.process = process
        self.program = program
    }
}

package struct WireRefusal: Codable, Sendable, Equatable {
    package var reason: String
    package var count: Int
    package var last: Int

    package init(reason: String, count: Int, last: Int) {
        self.reason = reason
        self.count = count
        self.last = last
    }
}

package struct WireTransfer: Codable, Sendable, Equatable {
    package enum Direction: String, Codable, Sendable { case sending, receiving, draining }
    package var direction: Direction
    package var selection: String
    package var type: String
    package var window: Int?
    package var process: Int?
    package var program: String?
    package var ended: Int?
    package var bytes: Int
    package var length: Int?
    package var age: Int
    package var silence: Int

    package init(
        direction: Direction, selection: String, type: String, window: Int? = nil, process: Int? = nil,
        program: String? = nil, bytes: Int, length: Int? = nil, age: Int, silence: Int
    ) {
        self.direction = direction
        self.selection = selection
        self.type = type
        self.window = window
        self.process = process
        self.program = program
        self.bytes = bytes
        self.length = length
        self.age = age
        self.silence = silence
    }
}
