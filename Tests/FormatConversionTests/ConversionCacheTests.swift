import EventLoop
import FormatConversion
import LinuxSystem
import Logging
import Testing

@Suite struct ConversionCacheTests {
    private let pool: ConversionPool
    private let executor = EventLoopExecutor()

    init() throws {
        pool = try ConversionPool(environment: [:], logger: Logger(label: "test"))
    }

    private func cache(
        _ read: @escaping (Int) async throws(ConversionFailure) -> EncodedBytes
    ) -> ConversionCache {
        ConversionCache(
            .init(present: { _ in nil }, read: read, timesOut: false), pool: pool,
            compoundText: CompoundTextConverter(maxLength: 0) { _, text in text }, executor: executor)
    }

    private func bytes(_ text: String) throws -> EncodedBytes {
        EncodedBytes(try MemoryFile.containing(Array(text.utf8)))
    }

    /// Asks for a derivation, and calls `finish` with the outcome.
    @discardableResult private func ask(
        _ cache: ConversionCache, _ derivation: Derivation,
        _ finish: @escaping (Result<EncodedBytes, ConversionFailure>) -> Void
    ) -> LoopTask {
        executor.start {
            do throws(ConversionFailure) {
                finish(.success(try await cache.bytes(of: derivation)))
            } catch {
                finish(.failure(error))
            }
        }
    }

    @Test("A derivation for several readers is carried out once")
    func once() throws {
        var asked = 0
        let source = PendingValue<EncodedBytes>()
        let cache = cache { _ in
            asked += 1
            return await source.get()
        }
        var answers = 0
        for _ in 0..<3 { ask(cache, Derivation.source(0).then(.latin1Text)) { _ in answers += 1 } }
        #expect(asked == 1 && answers == 0)
        source.deliver(try bytes("a"))
        #expect(answers == 3)
        ask(cache, Derivation.source(0).then(.latin1Text)) { _ in answers += 1 }
        #expect(asked == 1 && answers == 4)
    }

    @Test("When the last reader is cancelled, the conversion is cancelled and released")
    func allCancelled() throws {
        final class Reader { var answers = 0 }
        var isCancelled = false
        let cache = cache { _ throws(ConversionFailure) in
            let source = PendingValue<Void>()
            await source.get { source.deliver(()) }
            isCancelled = Task.isCancelled
            throw .broken("cancelled")
        }
        weak var former: Reader?
        var tasks: [LoopTask] = []
        do {
            let reader = Reader()
            former = reader
            tasks = (0..<2).map { _ in ask(cache, .source(0)) { _ in reader.answers += 1 } }
            tasks[0].cancel()
            #expect(reader.answers == 1 && !isCancelled)
            tasks[1].cancel()
            #expect(reader.answers == 2 && isCancelled)
        }
        tasks = []
        #expect(former == nil)
    }

    @Test("A cancelled reader leaves the other readers waiting")
    func oneCancelled() throws {
        let source = PendingValue<EncodedBytes>()
        let cache = cache { _ in await source.get() }
        var answers: [Bool] = []
        ask(cache, .source(0)) { answers.append((try? $0.get()) != nil) }
        ask(cache, .source(0)) { answers.append((try? $0.get()) != nil) }.cancel()
        #expect(answers == [false])
        source.deliver(try bytes("a"))
        #expect(answers == [false, true])
    }

    @Test("An interrupted conversion is tried again, but an impossible conversion is not")
    func again() throws {
        var failures = [ConversionFailure.broken("b"), .impossible("i"), .impossible("never asked for")]
        let cache = cache { _ throws(ConversionFailure) in throw failures.removeFirst() }
        for _ in 0..<3 { ask(cache, .source(0)) { _ in } }
        #expect(failures.count == 1)
    }

    @Test("Ten thousand parts are converted without recursion")
    func deep() throws {
        let bytes = try bytes("x")
        let cache = cache { _ in bytes }
        var length = 0
        ask(cache, .made(.joinedTexts, of: (0..<10_000).map { .source($0) })) { result in
            length = (try? result.get().range.count) ?? 0
        }
        // A long conversion ends later, on a thread.
        while !pool.isIdle {
            _ = try waitReadable(pool.fileDescriptor, until: nil)
            pool.receive()
        }
        #expect(length == 19_999)
    }

    @Test("The first part that fails ends the conversion")
    func failing() throws {
        var asked: [Int] = []
        let bytes = try bytes("x")
        let cache = cache { index throws(ConversionFailure) in
            asked.append(index)
            if index == 1 { throw .refused(source: 1) }
            return bytes
        }
        var failures = 0
        ask(cache, .made(.joinedTexts, of: [.source(0), .source(1), .source(2)])) {
            if case .failure = $0 { failures += 1 }
        }
        #expect(asked == [0, 1] && failures == 1)
    }
}
