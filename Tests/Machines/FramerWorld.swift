import PasteboardWire
import TestRandom

/// What happens to a ``MessageFramer``.
enum FramerOperation: MachineOperation {
    /// Bytes come: runs of so many without a NUL, with one behind each but the last.
    case bytes([Int])
    case taken

    var kind: Int {
        switch self {
        case .taken: 0
        case .bytes(let runs): 1 + min(runs.count, 4) + ((runs.max() ?? 0) > FramerWorld.limit ? 8 : 0)
        }
    }
}

/// Messages out of bytes that come in any pieces.
struct FramerWorld: MachineWorld {
    typealias Operation = FramerOperation
    typealias Effect = [UInt8]

    static let name = "framer"
    static let limit = 50

    private var machine = MessageFramer(limit: limit)
    private let spoiling: Spoiling<Operation, Effect>?
    /// What came and belongs to no message that was taken.
    private var left: [UInt8] = []
    private var value: UInt8 = 0

    init(spoiling: Spoiling<Operation, Effect>?) {
        self.spoiling = spoiling
    }

    var phase: Int {
        (left.isEmpty ? 0 : left.contains(0) ? 1 : 2) * 2 + (machine.mayHaveMessage ? 1 : 0)
    }

    func random(using generator: inout SeededGenerator) -> Operation {
        if generator.one(in: 2) { return .taken }
        let longest = generator.one(in: 20) ? Self.limit + 3 : generator.pick([3, 12, 30])
        return .bytes((0..<generator.number(0..<5)).map { _ in generator.number(0..<longest) })
    }

    mutating func step(_ operation: Operation) throws(BrokenInvariant) {
        let isTold = spoiling?.isTold(operation) ?? true
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
            if isTold { machine.append(bytes) }
        case .taken:
            let end = left.firstIndex(of: 0)
            let isTooLong = (end ?? left.count) > Self.limit
            var messages: [[UInt8]] = []
            var fault: WireFault?
            do throws(WireFault) {
                if isTold, let message = try machine.next() { messages = [message] }
            } catch {
                fault = error
            }
            spoiling?.effects(&messages)
            try expect(
                fault == (isTooLong ? .messageTooLong(limit: Self.limit) : nil),
                "what is too long is refused, and only that")
            if isTooLong {
                // The connection ends with it: another one begins.
                machine = MessageFramer(limit: Self.limit)
                left = []
            } else {
                try take(messages, end: end)
            }
        }
        try expect(machine.count == left.count, "what was not taken is counted")
        try expect(machine.mayHaveMessage || !left.contains(0), "no message is overlooked")
    }

    mutating func finish() throws(BrokenInvariant) {
        while left.contains(0) { try step(.taken) }
        try step(.taken)
        try expect(!machine.mayHaveMessage, "in the end every byte was looked at")
    }

    private mutating func take(_ messages: [[UInt8]], end: Int?) throws(BrokenInvariant) {
        guard let end else { return try expect(messages.isEmpty, "half a message is none") }
        try expect(messages == [Array(left[..<end])], "each message comes whole, once, in its order")
        left.removeFirst(end + 1)
    }
}
