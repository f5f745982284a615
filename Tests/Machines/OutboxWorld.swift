import LinuxSystem
import SystemPackage
package import TestRandom

/// An operation on an ``Outbox``.
package enum OutboxOperation: MachineOperation {
    /// A message of the given length, with descriptors given as indices into a list.
    case message(length: Int, descriptors: [Int])
    case sent
    /// The peer reads, at most the given number of bytes.
    case received(limit: Int)

    package var kind: Int {
        switch self {
        case .message(let length, let descriptors): 10 + (length > 1 << 16 ? 4 : 0) + min(descriptors.count, 3)
        case .sent: 0
        case .received(let limit): limit > 1_000 ? 1 : 2
        }
    }
}

/// The sending of messages through a socket to a peer that reads them in arbitrary pieces.
package struct OutboxWorld: MachineWorld {
    package typealias Operation = OutboxOperation
    package typealias Effect = UInt8

    package static let name = "outbox"

    /// The files passed as descriptors; each contains its own index as a single byte.
    private static let files = (0..<4).compactMap { try? MemoryFile.containing([UInt8($0)]) }

    private var machine = Outbox()
    private let injection: FaultInjection<Operation, Effect>?
    private let sockets: (near: Descriptor, far: Descriptor)?
    /// The bytes that the peer has not read yet.
    private var coming: [UInt8] = []
    /// The number of bytes at the start of ``coming`` that have been read.
    private var start = 0
    /// The positions in the stream at which messages with descriptors begin.
    private var batches: [(position: Int, files: [Int])] = []
    private var position = 0
    /// The number of bytes in the socket.
    private var inSocket = 0
    private var value: UInt8 = 0

    package init(injection: FaultInjection<Operation, Effect>?) {
        self.injection = injection
        sockets = try? UnixSocket.pair()
    }

    package var phase: Int {
        (machine.count == 0 ? 0 : 1) + (inSocket == 0 ? 0 : 2) + min(batches.count, 3) * 4
    }

    package func random(using generator: inout SeededGenerator) -> Operation {
        switch generator.number(0..<10) {
        case 0...4:
            // The kernel limits the number of descriptors in flight between processes.
            let passed = generator.one(in: 3) && batches.count < 20 ? generator.number(1..<4) : 0
            let length =
                generator.one(in: 60) ? generator.pick([65_535, 65_536, 65_537, 300_000]) : generator.number(1..<300)
            return .message(length: length, descriptors: (0..<passed).map { _ in generator.number(0..<4) })
        case 5, 6: return .sent
        default: return .received(limit: generator.pick([1, 2, 100, 1_000, 65_536]))
        }
    }

    package mutating func step(_ operation: Operation) throws(BrokenInvariant) {
        let receives = injection?.receives(operation) ?? true
        switch operation {
        case .message(let length, let descriptors):
            value &+= 1
            // A message ends with a NUL, so no message is empty.
            let bytes = [UInt8](repeating: value, count: max(length, 1))
            let files = descriptors.map { $0 % Self.files.count }
            if !files.isEmpty { batches.append((position + coming.count - start, files)) }
            coming += bytes
            if receives { machine.append(bytes, descriptors: files.map { Self.files[$0].descriptor }) }
        case .sent: try send(receives: receives)
        case .received(let limit): try receive(min(max(limit, 1), 1 << 16))
        }
        try expect(machine.count == coming.count - start - inSocket, "the unsent bytes are counted")
    }

    package mutating func finish() throws(BrokenInvariant) {
        while start < coming.count {
            let before = (machine.count, coming.count - start)
            try send(receives: true)
            try receive(1 << 16)
            try expect((machine.count, coming.count - start) != before, "bytes are sent as far as the peer has room")
        }
        try expect(batches.isEmpty, "all descriptors have arrived")
    }

    private mutating func send(receives: Bool) throws(BrokenInvariant) {
        guard let sockets, receives else { return }
        let before = machine.count
        do throws(Errno) {
            try machine.send(to: sockets.near.fileDescriptor)
        } catch {
            throw BrokenInvariant("sending to an open peer succeeds: \(error)")
        }
        inSocket += before - machine.count
    }

    private mutating func receive(_ limit: Int) throws(BrokenInvariant) {
        guard let sockets,
            var received = try? UnixSocket.receive(from: sockets.far.fileDescriptor, limit: limit, waits: false)
        else { return try expect(inSocket == 0, "sent bytes can be received") }
        injection?.effects(&received.bytes)
        let end = min(start + received.bytes.count, coming.count)
        try expect(received.bytes[...] == coming[start..<end], "every byte arrives once and in order")
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
                throw BrokenInvariant("a descriptor arrives as it was sent")
            }
            files.append(Int(bytes[0]))
        }
        try expect(files == expected, "descriptors arrive with their message's first byte: \(files) for \(expected)")
    }
}
