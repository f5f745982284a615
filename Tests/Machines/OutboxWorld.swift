import LinuxSystem
import PasteboardWire
import SystemPackage
import TestRandom

/// What happens to an ``Outbox``.
enum OutboxOperation: MachineOperation {
    /// A message of so many bytes, with descriptors: each by its place in a list.
    case message(length: Int, descriptors: [Int])
    case sent
    /// The peer reads, so many bytes at most.
    case received(limit: Int)

    var kind: Int {
        switch self {
        case .message(let length, let descriptors): 10 + (length > 1 << 16 ? 4 : 0) + min(descriptors.count, 3)
        case .sent: 0
        case .received(let limit): limit > 1_000 ? 1 : 2
        }
    }
}

/// Messages that leave by a socket, with a peer that reads them in any pieces.
struct OutboxWorld: MachineWorld {
    typealias Operation = OutboxOperation
    typealias Effect = UInt8

    static let name = "outbox"

    /// What is passed: each file has its number as its only byte.
    private static let files = (0..<4).compactMap { try? MemoryFile.containing([UInt8($0)]) }

    private var machine = Outbox()
    private let spoiling: Spoiling<Operation, Effect>?
    private let sockets: (near: Descriptor, far: Descriptor)?
    /// What the peer has not read yet.
    private var coming: [UInt8] = []
    /// Of ``coming``: what was read of it.
    private var start = 0
    /// Where the messages with descriptors begin, by the count of all bytes.
    private var batches: [(position: Int, files: [Int])] = []
    private var position = 0
    /// How much is in the socket.
    private var inSocket = 0
    private var value: UInt8 = 0

    init(spoiling: Spoiling<Operation, Effect>?) {
        self.spoiling = spoiling
        sockets = try? UnixSocket.pair()
    }

    var phase: Int {
        (machine.count == 0 ? 0 : 1) + (inSocket == 0 ? 0 : 2) + min(batches.count, 3) * 4
    }

    func random(using generator: inout SeededGenerator) -> Operation {
        switch generator.number(0..<10) {
        case 0...4:
            // So many descriptors at most may be under way between processes.
            let passed = generator.one(in: 3) && batches.count < 20 ? generator.number(1..<4) : 0
            let length =
                generator.one(in: 60) ? generator.pick([65_535, 65_536, 65_537, 300_000]) : generator.number(1..<300)
            return .message(length: length, descriptors: (0..<passed).map { _ in generator.number(0..<4) })
        case 5, 6: return .sent
        default: return .received(limit: generator.pick([1, 2, 100, 1_000, 65_536]))
        }
    }

    mutating func step(_ operation: Operation) throws(BrokenInvariant) {
        let isTold = spoiling?.isTold(operation) ?? true
        switch operation {
        case .message(let length, let descriptors):
            value &+= 1
            // A message ends with a NUL: none is empty.
            let bytes = [UInt8](repeating: value, count: max(length, 1))
            let files = descriptors.map { $0 % Self.files.count }
            if !files.isEmpty { batches.append((position + coming.count - start, files)) }
            coming += bytes
            if isTold { machine.append(bytes, descriptors: files.map { Self.files[$0].descriptor }) }
        case .sent: try send(isTold: isTold)
        case .received(let limit): try receive(min(max(limit, 1), 1 << 16))
        }
        try expect(machine.count == coming.count - start - inSocket, "what was not sent is counted")
    }

    mutating func finish() throws(BrokenInvariant) {
        while start < coming.count {
            let before = (machine.count, coming.count - start)
            try send(isTold: true)
            try receive(1 << 16)
            try expect((machine.count, coming.count - start) != before, "what the peer has room for is sent")
        }
        try expect(batches.isEmpty, "all descriptors came")
    }

    private mutating func send(isTold: Bool) throws(BrokenInvariant) {
        guard let sockets, isTold else { return }
        let before = machine.count
        do throws(Errno) {
            try machine.send(to: sockets.near.fileDescriptor)
        } catch {
            throw BrokenInvariant("a peer that is there is sent to: \(error)")
        }
        inSocket += before - machine.count
    }

    private mutating func receive(_ limit: Int) throws(BrokenInvariant) {
        guard let sockets,
            var received = try? UnixSocket.receive(from: sockets.far.fileDescriptor, limit: limit, waits: false)
        else { return try expect(inSocket == 0, "what was sent can be read") }
        spoiling?.effects(&received.bytes)
        let end = min(start + received.bytes.count, coming.count)
        try expect(received.bytes[...] == coming[start..<end], "every byte comes once, in its order")
        position += received.bytes.count
        inSocket -= received.bytes.count
        start = end
        if start > 1 << 20 {
            coming.removeFirst(start)
            start = 0
        }
        let expected = batches.prefix { $0.position < position }.flatMap(\.files)
        batches.removeAll { $0.position < position }
        var files: [Int] = []
        for descriptor in received.descriptors {
            guard let file = try? MemoryFile(.stored, onDisk: descriptor), let bytes = try? file.bytes(in: 0..<1) else {
                throw BrokenInvariant("a descriptor comes as it was sent")
            }
            files.append(Int(bytes[0]))
        }
        try expect(files == expected, "descriptors come with the first byte of their message: \(files) for \(expected)")
    }
}
