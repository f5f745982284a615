import LinuxSystem
import Pasteboard
import Testing

@Suite struct CompletionTests {
    @Test("All threads and tasks get the result, whether they wait already or begin later")
    func all() async throws {
        let completion = Completion<Int>()
        let threads = try (0..<8).map { _ in
            let seen = Completion<Int>()
            _ = try WorkerThread.start(name: "waiter") {
                seen.complete(Result { try completion.wait() })
            }
            return seen
        }
        async let awaited = completion.value()
        completion.complete(.success(7))
        completion.complete(.success(8))
        #expect(try await awaited == 7)
        for thread in threads { #expect(try await thread.value() == 7) }
        #expect(try completion.wait() == 7)
    }

    @Test("A cancelled task stops waiting, and completes the value only if nobody else waits for it")
    func cancellation() async throws {
        for isAbandoned in [true, false] {
            let completion = Completion<Int>()
            let task = Task { try await completion.value(isAbandoned: isAbandoned) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(completion.isDone == isAbandoned)
        }
    }

    @Test("A cancellation at any moment leaves nobody waiting")
    func race() async throws {
        for _ in 0..<2_000 {
            let completion = Completion<Int>()
            let task = Task { try await completion.value(isAbandoned: false) }
            async let done: Void = completion.complete(.success(1))
            task.cancel()
            await done
            if case .success(let value) = await task.result { #expect(value == 1) }
        }
    }
}
