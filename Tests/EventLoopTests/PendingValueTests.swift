import EventLoop
import Testing

@Suite struct PendingValueTests {
    private let executor = EventLoopExecutor()
    private let value = PendingValue<Int>()

    @Test("A value that has already been delivered is returned without suspending")
    func before() {
        #expect(!value.isDelivered)
        value.deliver(7)
        #expect(value.isDelivered)
        var result: Int?
        executor.start { [value] in result = await value.get() }
        #expect(result == 7)
    }

    @Test("Only the first delivery counts")
    func first() {
        var result: Int?
        executor.start { [value] in result = await value.get() }
        value.deliver(1)
        value.deliver(2)
        #expect(result == 1)
        executor.start { [value] in result = await value.get() }
        #expect(result == 1)
    }

    @Test("A cancelled task waits until its handler, or later code, delivers a value", arguments: [true, false])
    func cancelled(deliversAtOnce: Bool) {
        var result: Int?
        var cancellations = 0
        let task = executor.start { [value] in
            result = await value.get {
                cancellations += 1
                if deliversAtOnce { value.deliver(1) }
            }
        }
        task.cancel()
        #expect(cancellations == 1)
        #expect(result == (deliversAtOnce ? 1 : nil))
        value.deliver(2)
        #expect(result == (deliversAtOnce ? 1 : 2))
    }

    @Test("A task that was cancelled before it waits calls its handler")
    func cancelledBefore() {
        let pause = PendingValue<Void>()
        var result: Int?
        let task = executor.start { [value] in
            await pause.get()
            result = await value.get { value.deliver(1) }
        }
        task.cancel()
        #expect(result == nil)
        pause.deliver(())
        #expect(result == 1)
    }

    @Test("The handler is not called after the delivery")
    func cancelledAfter() {
        var cancellations = 0
        let pause = PendingValue<Void>()
        let task = executor.start { [value] in
            _ = await value.get { cancellations += 1 }
            await pause.get()
        }
        value.deliver(1)
        task.cancel()
        #expect(cancellations == 0)
        pause.deliver(())
    }
}
