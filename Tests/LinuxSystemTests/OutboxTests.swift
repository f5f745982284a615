import Glibc
import LinuxSystem
import SystemPackage
import Testing

struct OutboxTests {
    @Test("All bytes arrive in order, although the socket accepts them in parts")
    func order() throws {
        let (near, far) = try UnixSocket.pair()
        var outbox = Outbox()
        var expected: [UInt8] = []
        for index in 0..<300 {
            let piece = [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: 1 + index * 37 % 9_000)
            outbox.append(piece)
            expected += piece
        }
        #expect(outbox.count == expected.count)
        var received: [UInt8] = []
        while received.count < expected.count {
            try outbox.send(to: near.fileDescriptor)
            let some = try #require(try UnixSocket.receive(from: far.fileDescriptor, waits: false))
            received += some.bytes
        }
        #expect(received == expected)
        #expect(outbox.count == 0)
    }

    @Test("Descriptors arrive once, with the first byte of their message")
    func descriptors() throws {
        let (near, far) = try UnixSocket.pair()
        let large = [UInt8](repeating: 1, count: 1_000_000)
        var outbox = Outbox()
        outbox.append([0, 0])
        outbox.append(large, descriptors: [near, near])
        outbox.append([2])
        outbox.append([3], descriptors: [near])
        var batches: [(position: Int, count: Int)] = []
        var position = 0
        while position < 2 + large.count + 2 {
            try outbox.send(to: near.fileDescriptor)
            let received = try #require(try UnixSocket.receive(from: far.fileDescriptor, waits: false))
            if !received.descriptors.isEmpty { batches.append((position, received.descriptors.count)) }
            position += received.bytes.count
        }
        #expect(batches.map(\.count) == [2, 1])
        #expect(try #require(batches.first).position <= 2)
    }

    @Test("A range of a file arrives between two messages, and is counted separately")
    func file() throws {
        let (near, far) = try UnixSocket.pair()
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 251) }
        let range = 3..<2_999_998
        var outbox = Outbox()
        outbox.append([1, 2])
        outbox.append(try MemoryFile.containing(bytes), range)
        outbox.append([3])
        #expect(outbox.count == 3 && outbox.fileCount == range.count)
        var received: [UInt8] = []
        while received.count < range.count + 3 {
            try outbox.send(to: near.fileDescriptor)
            let some = try #require(try UnixSocket.receive(from: far.fileDescriptor, waits: false))
            received += some.bytes
        }
        #expect(received == [1, 2] + bytes[range] + [3])
        #expect(outbox.isEmpty)
    }

    @Test("One call sends only a part of a long file, however fast the reader is")
    func part() throws {
        let (near, far) = try UnixSocket.pair()
        let reader = try WorkerThread.start(name: "reader") {
            while let some = try? UnixSocket.receive(from: far.fileDescriptor, waits: true), !some.bytes.isEmpty {}
        }
        var outbox = Outbox()
        outbox.append(try MemoryFile.containing([UInt8](repeating: 7, count: 8 << 20)), 0..<8 << 20)
        try outbox.send(to: near.fileDescriptor)
        #expect(outbox.fileCount >= 7 << 20)
        shutdown(near.fileDescriptor.rawValue, Int32(SHUT_WR))
        reader.join()
    }

    @Test("An empty range adds nothing to send")
    func emptyRange() throws {
        var outbox = Outbox()
        outbox.append(try MemoryFile.containing([1]), 1..<1)
        #expect(outbox.isEmpty)
    }

    @Test("Sending to a peer that is gone is an error")
    func closed() throws {
        let near: Descriptor
        do { near = try UnixSocket.pair().0 }
        try awaitHangup(near.fileDescriptor)
        var outbox = Outbox()
        outbox.append([1])
        #expect(throws: Errno.brokenPipe) { try outbox.send(to: near.fileDescriptor) }
    }
}
