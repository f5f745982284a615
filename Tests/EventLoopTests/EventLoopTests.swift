import EventLoop
import LinuxSystem
import Synchronization
import SystemPackage
import Testing

struct EventLoopTests {
    let loop = EventLoop()

    @Test("Only the handlers of ready descriptors are called")
    func calls() throws {
        let ready = try signalled()
        let idle = try EventDescriptor()
        var calls: [Readiness] = []
        _ = loop.add(idle.fileDescriptor, interest: .readable) { _ in Issue.record("the descriptor is not ready") }
        _ = loop.add(ready.fileDescriptor, interest: [.readable, .writable]) { readiness in
            calls.append(readiness)
            loop.stop()
        }
        try loop.run()
        #expect(calls == [[.readable, .writable]])
    }

    @Test("The loop wakes up once for each message, and at no other time")
    func rests() throws {
        let queue = try MessageQueue<Int>()
        let answers = try MessageQueue<Int>()
        var rounds = 0
        loop.beforeSleep = { rounds += 1 }
        _ = loop.add(queue.fileDescriptor, interest: .readable) { _ in
            for message in queue.drain() {
                answers.send(message)
                if message == 20 { loop.stop() }
            }
        }
        let thread = try WorkerThread.start(name: "sender") {
            for message in 1...20 {
                queue.send(message)
                _ = try? waitReadable(answers.fileDescriptor, until: nil)
                _ = answers.drain()
            }
        }
        try loop.run()
        thread.join()
        #expect(rounds == 20)
    }

    @Test("If two handlers of one round cancel each other, only the first is called")
    func cancelsOther() throws {
        let events = try [signalled(), signalled()]
        var registrations: [Registration] = []
        var calls = 0
        for index in 0..<2 {
            registrations.append(
                loop.add(events[index].fileDescriptor, interest: .readable) { _ in
                    calls += 1
                    registrations[1 - index].cancel()
                    if calls > 1 { loop.stop() }
                })
        }
        let end = try signalled()
        _ = loop.add(end.fileDescriptor, interest: .readable) { _ in loop.stop() }
        try loop.run()
        #expect(calls == 1)
    }

    @Test("A handler may cancel itself, and more than once")
    func cancelsItself() throws {
        let event = try signalled()
        var registration: Registration?
        var calls = 0
        registration = loop.add(event.fileDescriptor, interest: .readable) { _ in
            calls += 1
            registration?.cancel()
            registration?.cancel()
        }
        var rounds = 0
        loop.beforeSleep = {
            rounds += 1
            if rounds == 3 { loop.stop() }
        }
        loop.earliestDeadline = { .now }
        try loop.run()
        #expect(calls == 1)
    }

    @Test("An interest that is withdrawn during a round is not reported in that round")
    func losesInterest() throws {
        let events = try [signalled(), signalled()]
        var second: Registration?
        _ = loop.add(events[0].fileDescriptor, interest: .readable) { _ in
            second?.interest = []
            loop.stop()
        }
        second = loop.add(events[1].fileDescriptor, interest: .readable) { _ in
            Issue.record("the interest was withdrawn")
        }
        try loop.run()
    }

    @Test("A new interest and a new registration take effect in the next round")
    func gainsInterest() throws {
        let events = try [signalled(), signalled(), signalled()]
        var calls: [Int] = []
        let second = loop.add(events[1].fileDescriptor, interest: []) { _ in
            calls.append(1)
            _ = loop.add(events[2].fileDescriptor, interest: .readable) { _ in
                calls.append(2)
                loop.stop()
            }
        }
        var first: Registration?
        first = loop.add(events[0].fileDescriptor, interest: .readable) { _ in
            calls.append(0)
            first?.cancel()
            second.interest = .readable
        }
        try loop.run()
        #expect(calls == [0, 1, 1, 2])
    }

    @Test("A hang-up is reported to a handler without any interest")
    func hangsUp() throws {
        let reading: Descriptor
        do { reading = try Pipe().reading }
        var calls: [Readiness] = []
        _ = loop.add(reading.fileDescriptor, interest: []) { readiness in
            calls.append(readiness)
            loop.stop()
        }
        try loop.run()
        #expect(calls == [[.readable, .hangup]])
    }

    @Test("An error of a descriptor is reported as a hang-up")
    func fails() throws {
        let writing: Descriptor
        do { writing = try Pipe().writing }
        var calls: [Readiness] = []
        _ = loop.add(writing.fileDescriptor, interest: []) { readiness in
            calls.append(readiness)
            loop.stop()
        }
        try loop.run()
        #expect(calls == [[.readable, .hangup]])
    }

    @Test("If a registered descriptor is not open, its registration ends, and the loop goes back to sleep")
    func invalid() throws {
        let event = try EventDescriptor()
        _ = loop.add(FileDescriptor(rawValue: .max), interest: .readable) { _ in
            Issue.record("the descriptor is not open")
        }
        _ = loop.add(event.fileDescriptor, interest: .readable) { _ in loop.stop() }
        var rounds = 0
        loop.beforeSleep = {
            rounds += 1
            // The first round's poll has found the invalid descriptor.
            if rounds == 2 { event.signal() }
        }
        try loop.run()
        #expect(rounds == 2)
    }

    @Test("A deadline wakes the loop up once, when it has passed")
    func deadline() throws {
        let deadline = ContinuousClock.now + .milliseconds(5)
        var rounds = 0
        var passed: [ContinuousClock.Instant] = []
        loop.beforeSleep = { rounds += 1 }
        loop.earliestDeadline = { deadline }
        loop.deadlinesPassed = { now in
            passed.append(now)
            loop.stop()
        }
        try loop.run()
        #expect(rounds == 1)
        #expect(passed.count == 1)
        #expect(passed.allSatisfy { $0 >= deadline })
    }

    @Test("A deadline that has passed is reported even if descriptors are always ready")
    func deadlineAmongEvents() throws {
        let event = try signalled()
        var calls = 0
        _ = loop.add(event.fileDescriptor, interest: .readable) { _ in calls += 1 }
        loop.earliestDeadline = { .now - .seconds(1) }
        loop.deadlinesPassed = { _ in loop.stop() }
        try loop.run()
        #expect(calls == 1)
    }

    @Test("The deadline is read after the work before sleeping, because that work may set the deadline")
    func order() throws {
        var order: [String] = []
        loop.beforeSleep = { order.append("before") }
        loop.earliestDeadline = {
            order.append("deadline")
            return .now
        }
        loop.deadlinesPassed = { _ in
            order.append("passed")
            loop.stop()
        }
        try loop.run()
        #expect(order == ["before", "deadline", "passed"])
    }

    @Test("A loop that is stopped in advance ends before it sleeps, and can run again")
    func stopsBeforeSleeping() throws {
        loop.beforeSleep = { loop.stop() }
        try loop.run()
        loop.stop()
        loop.beforeSleep = { Issue.record("the loop was stopped") }
        try loop.run()
        loop.beforeSleep = { loop.stop() }
        try loop.run()
    }
}
