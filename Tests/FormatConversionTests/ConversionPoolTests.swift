import EventLoop
import FormatConversion
import LinuxSystem
import Logging
import Testing
import UniformTypes

@Suite struct ConversionPoolTests {
    private let pool: ConversionPool
    private let executor = EventLoopExecutor()

    init() throws {
        pool = try ConversionPool(environment: [:], logger: Logger(label: "test"))
    }

    /// Waits for a result of the pool's threads.
    private func receive() throws {
        let isReadable = try waitReadable(pool.fileDescriptor, until: .now + .seconds(60))
        try #require(isReadable)
        pool.receive()
    }

    @Test(
        "The reason for a picture that cannot be converted is the last line of its process, after warnings of libraries"
    )
    func pictureFailure() throws {
        let filter = Filter(
            input: .tiff, output: .png,
            command: ["/bin/sh", "-c", "echo 'WARNING: no sandbox' >&2; echo 'the picture is cut short' >&2; exit 1"],
            isOfPictures: true, deadline: .seconds(60), limit: 1)
        let picture = EncodedBytes(try MemoryFile.containing([1, 2, 3]))
        var reason: String?
        executor.start { [pool] in
            do throws(ConversionFailure) {
                _ = try await pool.run(.filter(filter), on: [picture])
            } catch {
                if case .failed(let text) = error { reason = text }
            }
        }
        while !pool.isIdle { try receive() }
        #expect(reason == "the picture cannot be converted to public.png: the picture is cut short")
    }

    /// Starts the decoding of text that is too long for the caller's thread, and calls `finish` with the outcome.
    @discardableResult private func decode(
        length: Int = 100_000, _ finish: @escaping (Result<EncodedBytes, ConversionFailure>) -> Void
    ) throws -> LoopTask {
        let text = EncodedBytes(try MemoryFile.containing([UInt8](repeating: 0x61, count: length)))
        return executor.start { [pool] in
            do throws(ConversionFailure) {
                finish(.success(try await pool.run(.utf8Text, on: [text])))
            } catch {
                finish(.failure(error))
            }
        }
    }

    @Test("A short step is carried out at once, and a long step on a thread")
    func lengths() throws {
        var answers = 0
        try decode(length: 10) { _ in answers += 1 }
        #expect(answers == 1 && pool.isIdle)
        try decode { _ in answers += 1 }
        #expect(answers == 1 && !pool.isIdle)
        while answers < 2 { try receive() }
        #expect(pool.isIdle)
    }

    @Test("A cancelled job leaves the queue, and its place goes to another job")
    func cancelled() throws {
        var ended: [Int] = []
        var tasks: [LoopTask] = []
        // The jobs occupy both threads and fill the queue.
        for number in 0..<258 { tasks.append(try decode { _ in ended.append(number) }) }
        var refusal: String?
        try decode { refusal = "\($0)" }
        #expect(refusal?.contains("too many conversions") == true)
        tasks[200].cancel()
        #expect(ended == [200])
        try decode { _ in ended.append(258) }
        while ended.count < 259 { try receive() }
        #expect(Set(ended).count == 259)
    }

    @Test("When the pool stops, queued jobs fail, running jobs are completed, and no more jobs begin")
    func stopped() throws {
        var successes = 0
        var failures: [String] = []
        func note(_ result: Result<EncodedBytes, ConversionFailure>) {
            switch result {
            case .success: successes += 1
            case .failure(let error): failures.append("\(error)")
            }
        }
        for _ in 0..<5 { try decode(note) }
        pool.stop()
        #expect(failures.count == 3)
        try decode(note)
        #expect(failures.count == 4 && failures.allSatisfy { $0.contains("ending") }, "\(failures)")
        while successes < 2 { try receive() }
    }
}
