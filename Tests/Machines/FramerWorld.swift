import PasteboardWire
package import TestRandom

/// An operation on a ``MessageFramer``.
package enum FramerOperation: MachineOperation {
    /// Bytes arrive: runs of the given lengths without NULs, separated by single NULs.
    case bytes([Int])
    case taken

    package var kind: Int {
        switch self {
        case .taken: 0
        case .bytes(let runs): 1 + min(runs.count, 4) + ((runs.max() ?? 0) > FramerWorld.limit ? 8 : 0)
        }
    }
}

/// The framing of messages from bytes that arrive in arbitrary pieces.
package struct FramerWorld: MachineWorld {
    package typealias Operation = FramerOperation
    package typealias Effect = [UInt8]

    package static let name = "framer"
    static let limit = 50

    private var machine = MessageFramer(limit: limit)
    private let injection: FaultInjection<Operation, Effect>?
    /// The bytes that arrived and are not part of a message already returned.
    private var left: [UInt8] = []
    private var value: UInt8 = 0

    package init(injection: FaultInjection<Operation, Effect>?) {
        self.injection = injection
    }

    package var phase: Int {
        (left.isEmpty ? 0 : left.contains(0) ? 1 : 2) * 2 + (machine.mayHaveMessage ? 1 : 0)
    }

    package func random(using generator: inout SeededGenerator) -> Operation {
        if generator.one(in: 2) { return .taken }
        let maxLength = generator.one(in: 20) ? Self.limit + 3 : generator.pick([3, 12, 30])
        return .bytes((0..<generator.number(0..<5)).map { _ in generator.number(0..<maxLength) })
    }

    package mutating func step(_ operation: Operation) throws(BrokenInvariant) {
        let receives = injection?.receives(operation) ?? true
        switch operation {
        case .bytes(let runs):
            var bytes: [UInt8] = []
            for (index, run) in runs.enumerated() {
                for _ in 0..<min(run, 1_000) {
                    value = value == .max ? 1 : value + 1
                    bytes.append(value)
                }
                if index < runs.count - 1 { bytes.append(0) }
            }
            left += bytes
            if receives { machine.append(bytes) }
        case .taken:
            let end = left.firstIndex(of: 0)
            let isTooLong = (end ?? left.count) > Self.limit
            var messages: [[UInt8]] = []
            var fault: WireFault?
            do throws(WireFault) {
                if receives, let message = try machine.next() { messages = [message] }
            } catch {
                fault = error
            }
            injection?.effects(&messages)
            try expect(
                fault == (isTooLong ? .messageTooLong(limit: Self.limit) : nil),
                "only a message that is too long is refused")
            if isTooLong {
                // The connection ends with this error, and a new connection starts.
                machine = MessageFramer(limit: Self.limit)
                left = []
            } else {
                try take(messages, end: end)
            }
        }
        try expect(machine.count == left.count, "the bytes not yet returned are counted")
        try expect(machine.mayHaveMessage || !left.contains(0), "no complete message is overlooked")
    }

    package mutating func finish() throws(BrokenInvariant) {
        while left.contains(0) { try step(.taken) }
        try step(.taken)
        try expect(!machine.mayHaveMessage, "all bytes have been examined at the end")
    }

    private mutating func take(_ messages: [[UInt8]], end: Int?) throws(BrokenInvariant) {
        guard let end else { return try expect(messages.isEmpty, "an incomplete message is not returned") }
        try expect(messages == [Array(left[..<end])], "each message is returned whole, once and in order")
        left.removeFirst(end + 1)
    }
}
