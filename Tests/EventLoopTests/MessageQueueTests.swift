import EventLoop
import LinuxSystem
import Testing

struct MessageQueueTests {
    @Test("All messages are returned at once, in the order they were sent")
    func order() throws {
        let queue = try MessageQueue<Int>()
        #expect(queue.drain() == [] && queue.isEmpty)
        for message in 0..<5 { queue.send(message) }
        #expect(try waitReadable(queue.fileDescriptor, until: .now))
        #expect(!queue.isEmpty)
        #expect(queue.drain() == [0, 1, 2, 3, 4] && queue.isEmpty)
        #expect(try !waitReadable(queue.fileDescriptor, until: .now))
    }

    @Test("If many messages wait, a new message is merged with the latest message that allows merging")
    func merging() throws {
        let queue = try MessageQueue<Int>()
        // Even numbers are added to earlier even numbers, and only multiples of three may lie between the two.
        func send(_ message: Int) {
            queue.send(message, mergingBeyond: 2) { earlier in
                if message % 2 == 0, earlier % 2 == 0 {
                    earlier += message
                    return .merged
                }
                return earlier % 3 == 0 ? .passed : .barred
            }
        }
        for message in [2, 4, 2, 3, 6, 7, 8] { send(message) }
        #expect(queue.drain() == [2, 12, 3, 7, 8])
    }

    @Test("A message that may wait does not wake the receiver, and keeps its place before later messages")
    func waiting() throws {
        let queue = try MessageQueue<Int>()
        func receives() throws -> Bool { try waitReadable(queue.fileDescriptor, until: .now) }
        queue.wakeUp()
        queue.send(1, waits: true)
        #expect(try !receives())
        queue.send(2)
        queue.send(3, waits: true)
        #expect(try receives())
        #expect(queue.drain() == [1, 2, 3])
        queue.send(4, waits: true)
        queue.send(5, waits: true)
        #expect(try !receives())
        queue.wakeUp()
        #expect(try receives())
        #expect(queue.drain() == [4, 5])
        queue.wakeUp()
        #expect(try !receives())
        // An urgent message that is merged into a waiting message wakes the receiver for both.
        queue.send(6, waits: true)
        queue.send(7, mergingBeyond: 0, waits: true) { earlier in
            earlier += 7
            return .merged
        }
        #expect(try !receives())
        queue.send(8, mergingBeyond: 0) { earlier in
            earlier += 8
            return .merged
        }
        #expect(try receives())
        #expect(queue.drain() == [21])
    }

    @Test("Messages can be withdrawn until the receiver takes them, and the other messages keep their order")
    func withdrawing() throws {
        let queue = try MessageQueue<Int>()
        for message in 0..<6 { queue.send(message) }
        #expect(queue.withdraw { $0.isMultiple(of: 2) } == [0, 2, 4])
        #expect(queue.withdraw { $0 == 7 } == [])
        #expect(queue.drain() == [1, 3, 5])
        #expect(queue.withdraw { _ in true } == [])
        queue.send(1)
        #expect(queue.withdraw { _ in true } == [1])
        // A withdrawn message leaves its wake-up in the queue, which does not prevent the wake-up of the next message.
        #expect(queue.drain() == [])
        queue.send(2)
        #expect(try waitReadable(queue.fileDescriptor, until: .now))
        #expect(queue.drain() == [2])
    }

    @Test("Several threads lose neither messages nor wake-ups")
    func threads() throws {
        let queue = try MessageQueue<Int>()
        let threads = try (0..<4).map { thread in
            try WorkerThread.start(name: "sender") {
                for number in 0..<2_000 { queue.send(thread * 10_000 + number) }
            }
        }
        var received: [Int] = []
        while received.count < 8_000 {
            // Blocks forever if a wake-up is lost.
            _ = try waitReadable(queue.fileDescriptor, until: nil)
            received += queue.drain()
        }
        for thread in threads { thread.join() }
        for thread in 0..<4 {
            #expect(received.filter { $0 / 10_000 == thread } == (0..<2_000).map { thread * 10_000 + $0 })
        }
    }
}
