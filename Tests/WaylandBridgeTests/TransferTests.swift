import CompositorFixture
import DataControlProtocol
import EventLoop
import Glibc
import LinuxSystem
import SystemPackage
import Testing
import WaylandBridge
import WaylandWire

@Suite(.timeLimit(.minutes(10))) struct TransferTests {
    // MARK: Reading

    @Test(
        "Contents of every length arrive whole, both ways", arguments: DataControlVariant.allCases,
        [0, 1, 65_536, 65_537, 5_000_000])
    func lengths(variant: DataControlVariant, length: Int) throws {
        let fixture = try WaylandFixture(variant)
        let bytes = pattern(length)
        // The program sends with the same code as the connection.
        try fixture.copyElsewhere(bytes)
        #expect(try fixture.receive() == .success(bytes))
        #expect(fixture.display.transferCount == 0 && fixture.program.display.transferCount == 0)
        #expect(fixture.display.bytesHeld == 0 && fixture.program.display.bytesHeld == 0)
        #expect(fixture.executor.timers.earliest == nil)
        #expect(fixture.compositor.violations == [])
    }

    @Test("64 MiB arrive whole, and the loop keeps running while they arrive")
    func long() throws {
        let fixture = try WaylandFixture()
        let bytes = pattern(64 << 20)
        try fixture.copyElsewhere(bytes)
        let offer = try #require(fixture.recorder.offer())
        var file: MemoryFile?
        fixture.executor.start { [display = fixture.display] in
            file = try? await display.receive(offer, type: "text/plain", idleTimeout: .seconds(60), limit: nil)
        }
        let before = fixture.rounds
        var held = 0
        try fixture.run {
            held = max(held, fixture.display.bytesHeld)
            return file != nil
        }
        #expect(try file?.bytes(in: 0..<bytes.count) == bytes)
        #expect(fixture.rounds - before >= 64, "a round of the loop moved more than one MiB")
        #expect(held > 1 << 20)
    }

    @Test("A program that answers in small pieces is read to the end")
    func pieces() throws {
        let fixture = try WaylandFixture()
        var pipes: [Descriptor] = []
        try fixture.copyElsewhere { _, descriptor in pipes.append(descriptor) }
        let reading = try fixture.begin()
        try fixture.run { !pipes.isEmpty }
        for number in 0..<50 {
            try pipes[0].fileDescriptor.writeBytes([UInt8(number)])
            // Each piece is read on its own.
            try fixture.run { fixture.display.bytesHeld == number + 1 }
        }
        pipes = []
        try fixture.run { reading.result != nil }
        #expect(reading.result == .success((0..<50).map { UInt8($0) }))
    }

    @Test("A program that sends nothing, or stops, ends the transfer after the timeout", arguments: [0, 1, 60_000])
    func stalled(length: Int) throws {
        let fixture = try WaylandFixture()
        var pipes: [Descriptor] = []
        try fixture.copyElsewhere { _, descriptor in
            pipes.append(descriptor)
            // A pipe has room for 65,536 bytes.
            try? descriptor.fileDescriptor.writeBytes(pattern(length))
        }
        let result = try fixture.receive(idleTimeout: .milliseconds(50)) {
            !pipes.isEmpty && fixture.display.bytesHeld == length
        }
        #expect(result == .failure(length == 0 ? .silent : .stalled(received: length)))
        #expect(!isUnread(pipes.first))
    }

    @Test("A program that writes after the timeout is not killed by a signal, and all its bytes are discarded")
    func late() throws {
        let fixture = try WaylandFixture()
        var pipes: [Descriptor] = []
        try fixture.copyElsewhere { _, descriptor in pipes.append(descriptor) }
        for number in 1...20 {
            let result = try fixture.receive(idleTimeout: .milliseconds(1)) { pipes.count == number }
            #expect(result == .failure(.silent))
        }
        // At most 16 pipes are kept.
        #expect(pipes.map { isUnread($0) } == Array(repeating: true, count: 4) + Array(repeating: false, count: 16))
        let late = try #require(pipes.last)
        let piece = pattern(1 << 14)
        for _ in 0..<2_048 {
            // There is room for the next piece once the previous one has been discarded.
            try fixture.run { unreadBytes(in: late) == 0 }
            try SignalMask.suppressingBrokenPipe { () throws(Errno) in
                try late.fileDescriptor.writeBytes(piece)
            }
        }
        #expect(!isUnread(late))
        pipes = []
        #expect(try fixture.receive(idleTimeout: .milliseconds(1)) { !pipes.isEmpty } == .failure(.silent))
    }

    @Test("Contents beyond the limit are refused, and contents at the limit are not")
    func limit() throws {
        let fixture = try WaylandFixture()
        try fixture.copyElsewhere(pattern(100_000))
        #expect(try fixture.receive(limit: 100_000) == .success(pattern(100_000)))
        #expect(try fixture.receive(limit: 99_999) == .failure(.tooLong))
        #expect(try fixture.receive(limit: 0) == .failure(.tooLong))
        #expect(fixture.display.transferCount == 0)
    }

    @Test("The cancellation of a task ends the transfer")
    func cancelled() throws {
        let fixture = try WaylandFixture()
        var pipes: [Descriptor] = []
        try fixture.copyElsewhere { _, descriptor in pipes.append(descriptor) }
        let offer = try #require(fixture.recorder.offer())
        var failure: PipeFailure?
        let task = fixture.executor.start { [display = fixture.display] in
            do throws(PipeFailure) {
                _ = try await display.receive(offer, type: "text/plain", idleTimeout: .seconds(60), limit: nil)
            } catch {
                failure = error
            }
        }
        try fixture.run { !pipes.isEmpty }
        #expect(failure == nil && fixture.display.transferCount == 1)
        task.cancel()
        #expect(failure == .cancelled && fixture.display.transferCount == 0)
        #expect(!isUnread(pipes.first))
        #expect(fixture.executor.timers.earliest == nil)
    }

    // MARK: Ends of offers

    @Test("An offer that is replaced before the first byte fails its reader, after the change is reported")
    func replaced() throws {
        let fixture = try WaylandFixture()
        var pipes: [Descriptor] = []
        try fixture.copyElsewhere { [compositor = fixture.compositor] _, descriptor in
            pipes.append(descriptor)
            compositor.copy("newer")
        }
        let changes = fixture.recorder.owners().count
        #expect(try fixture.receive() == .failure(.offerEnded))
        #expect(fixture.recorder.owners().count == changes + 1)
        let old = ForeignOfferID(1)
        let failure = try fixture.perform { [display = fixture.display] in
            do throws(PipeFailure) {
                _ = try await display.receive(old, type: "text/plain", idleTimeout: .seconds(60), limit: nil)
                return nil as PipeFailure?
            } catch {
                return error
            }
        }
        #expect(failure == .offerEnded)
    }

    @Test("A program that dies before the first byte has ended its offer; empty contents are contents")
    func died() throws {
        let fixture = try WaylandFixture()
        try fixture.copyElsewhere { [compositor = fixture.compositor] _, _ in compositor.clear() }
        #expect(try fixture.receive() == .failure(.offerEnded))
        // The end of the pipe arrives ahead of the end of the offer.
        try fixture.copyElsewhere { [compositor = fixture.compositor, timers = fixture.executor.timers] _, _ in
            _ = timers.set(.now) { compositor.clear() }
        }
        #expect(try fixture.receive() == .failure(.offerEnded))
        try fixture.copyElsewhere { _, _ in }
        #expect(try fixture.receive() == .success([]))
    }

    @Test("A program that ends after a single paste is read")
    func pasteOnce() throws {
        let fixture = try WaylandFixture()
        try fixture.copyElsewhere { [compositor = fixture.compositor] _, descriptor in
            try? descriptor.fileDescriptor.writeBytes([1, 2, 3])
            compositor.clear()
        }
        #expect(try fixture.receive() == .success([1, 2, 3]))
        // A process that the program has started writes after the end of the offer.
        var pipes: [Descriptor] = []
        try fixture.copyElsewhere { [compositor = fixture.compositor] _, descriptor in
            compositor.clear()
            pipes.append(descriptor)
        }
        let reading = try fixture.begin()
        try fixture.run(hasTimers: false) { fixture.recorder.offer() == nil && !pipes.isEmpty }
        #expect(reading.result == nil)
        try pipes[0].fileDescriptor.writeBytes([4])
        pipes = []
        try fixture.run(hasTimers: false) { reading.result != nil }
        #expect(reading.result == .success([4]))
    }

    @Test("Contents that have begun to arrive are read to the end after the offer has ended")
    func replacedLater() throws {
        let fixture = try WaylandFixture()
        try fixture.copyElsewhere(pattern(1_000_000))
        let offer = try #require(fixture.recorder.offer())
        var file: MemoryFile?
        fixture.executor.start { [display = fixture.display] in
            file = try? await display.receive(offer, type: "text/plain", idleTimeout: .seconds(60), limit: nil)
        }
        try fixture.run { fixture.display.bytesHeld > 0 }
        fixture.compositor.copy("newer")
        try fixture.run { file != nil }
        #expect(try file?.bytes(in: 0..<1_000_000) == pattern(1_000_000))
    }

    // MARK: Writing

    @Test("A secret arrives whole, in a pipe and in a socket", arguments: [1, 65_536])
    func secret(length: Int) throws {
        let fixture = try WaylandFixture()
        let secret = try unsafe pattern(length).withUnsafeBytes { try unsafe SecretMemory.copying($0.bytes) }
        let pipe = try Descriptor.pipe()
        fixture.display.outgoing.send(.secret(secret), 0..<length, to: pipe.writing)
        #expect(try pipe.reading.fileDescriptor.readBytes(atMost: 100_000) == pattern(length))
        var (near, far): (Descriptor?, Descriptor) = try UnixSocket.pair()
        if let end = near { fixture.display.outgoing.send(.secret(secret), 0..<length, to: end) }
        near = nil
        var received: [UInt8] = []
        try fixture.run {
            received += (try? UnixSocket.receive(from: far.fileDescriptor, waits: false))??.bytes ?? []
            return received.count == length || fixture.display.transferCount == 0
        }
        received += (try? UnixSocket.receive(from: far.fileDescriptor, waits: false))??.bytes ?? []
        #expect(received == pattern(length))
    }

    @Test(
        "A part of the contents is sent to a pipe and to a socket, and the descriptor is closed",
        arguments: [true, false])
    func part(isSocket: Bool) throws {
        let fixture = try WaylandFixture()
        let bytes = pattern(3_000_000)
        let file = ImmutableBytes.file(try MemoryFile.containing(bytes))
        let reading: Descriptor
        var writing: Descriptor?
        if isSocket { (reading, writing) = try UnixSocket.pair() } else { (reading, writing) = try Descriptor.pipe() }
        let range = 4_097..<2_900_001
        if let end = writing { fixture.display.outgoing.send(file, range, to: end) }
        writing = nil
        #expect(fixture.display.transferCount == 1 && fixture.display.bytesHeld == bytes.count)
        var received: [UInt8] = []
        var isEnd = false
        let registration = fixture.loop.add(reading.fileDescriptor, interest: .readable) { _ in
            let more = (try? reading.fileDescriptor.readBytes(atMost: 100_000)) ?? []
            received += more
            isEnd = more.isEmpty
        }
        try fixture.run { isEnd }
        registration.cancel()
        #expect(received == Array(bytes[range]))
        #expect(fixture.display.transferCount == 0)
        #expect(fixture.executor.timers.earliest == nil)
    }

    /// Sends a file to readers that do not read yet, and returns their ends of the pipes.
    private func waitingReaders(
        _ count: Int, of file: ImmutableBytes, _ fixture: WaylandFixture
    ) throws -> [Descriptor] {
        try (0..<count).map { _ in
            let pipe = try Descriptor.pipe()
            fixture.display.outgoing.send(file, 0..<file.length, to: pipe.writing)
            return pipe.reading
        }
    }

    @Test("A reader that pauses does not delay other readers, has no timeout, and gets everything in the end")
    func pausingReaders() throws {
        let fixture = try WaylandFixture()
        let bytes = pattern(1 << 20)
        let readers = try waitingReaders(50, of: .file(try MemoryFile.containing(bytes)), fixture)
        #expect(fixture.display.transferCount == 50)
        #expect(fixture.display.bytesHeld == 1 << 20, "the same memory counted more than once")
        #expect(fixture.executor.timers.earliest == nil)
        try fixture.copyElsewhere(pattern(100_000))
        #expect(try fixture.receive() == .success(pattern(100_000)))
        #expect(fixture.display.transferCount == 50)
        for reader in readers { #expect(try fixture.contents(of: reader) == bytes) }
        #expect(fixture.display.transferCount == 0)
    }

    @Test("Beyond the limit, the transfer without progress for the longest time ends")
    func stalledEnds() throws {
        let fixture = try WaylandFixture()
        fixture.display.outgoing.maxCount = 2
        let bytes = pattern(1 << 20)
        let file = ImmutableBytes.file(try MemoryFile.containing(bytes))
        let readers = try waitingReaders(2, of: file, fixture)
        let first = try readers[0].fileDescriptor.readBytes(atMost: 1 << 20)
        try fixture.run { (try? waitReadable(readers[0].fileDescriptor, until: .now)) == true }
        let last = try waitingReaders(1, of: file, fixture)[0]
        #expect(fixture.display.transferCount == 2)
        #expect(try fixture.contents(of: readers[1]).count < 1 << 20, "the stalled transfer did not end")
        #expect(try first + fixture.contents(of: readers[0]) == bytes)
        #expect(try fixture.contents(of: last) == bytes)
    }

    @Test(
        "A transfer is complete once all bytes are written, and never if the reader disappears before that",
        arguments: [1, 1 << 20])
    func completion(length: Int) throws {
        let fixture = try WaylandFixture()
        let outgoing = fixture.display.outgoing
        let file = ImmutableBytes.file(try MemoryFile.containing(pattern(length)))
        var completions = 0
        var pipe: (reading: Descriptor?, writing: Descriptor?) = try Descriptor.pipe()
        if let end = pipe.writing { outgoing.send(file, 0..<length, to: end) { completions += 1 } }
        pipe.writing = nil
        #expect(completions == (length == 1 ? 1 : 0))
        let reading = try #require(pipe.reading)
        #expect(try fixture.contents(of: reading) == pattern(length))
        #expect(completions == 1)
        let gone = try Descriptor.pipe().writing
        outgoing.send(file, 0..<length, to: gone) { completions += 1 }
        #expect(completions == 1 && outgoing.count == 0)
    }

    @Test("Contents beyond the limit are not received")
    func maxLength() throws {
        let fixture = try WaylandFixture()
        fixture.display.maxLength = 100_000
        try fixture.copyElsewhere(pattern(100_000))
        #expect(try fixture.receive() == .success(pattern(100_000)))
        try fixture.copyElsewhere(pattern(100_001))
        #expect(try fixture.receive() == .failure(.tooLong))
        #expect(try fixture.receive(limit: 200_000) == .failure(.tooLong))
        fixture.display.maxLength = 200_000
        fixture.display.maxBytesHeld = 100_000
        #expect(try fixture.receive() == .failure(.tooManyBytes))
        try fixture.copyElsewhere(pattern(100_000))
        #expect(try fixture.receive() == .success(pattern(100_000)))
    }

    @Test("Contents that arrive at the same time are limited in total, in bytes and number")
    func total() throws {
        let fixture = try WaylandFixture()
        var pipes: [Descriptor] = []
        try fixture.copyElsewhere { _, descriptor in pipes.append(descriptor) }
        let offer = try #require(fixture.recorder.offer())
        var results: [Int: Result<Int?, PipeFailure>] = [:]
        fixture.display.maxBytesHeld = 100_000
        fixture.display.maxIncoming = 2
        for number in 0..<3 {
            fixture.executor.start { [display = fixture.display] in
                do throws(PipeFailure) {
                    let file = try await display.receive(
                        offer, type: "text/plain", idleTimeout: .seconds(60), limit: nil)
                    results[number] = .success(file?.length)
                } catch {
                    results[number] = .failure(error)
                }
            }
        }
        #expect(results == [2: .failure(.tooManyTransfers)])
        try fixture.run { pipes.count == 2 }
        for pipe in pipes { try pipe.fileDescriptor.writeBytes(pattern(50_000)) }
        try fixture.run { fixture.display.bytesHeld == 100_000 }
        try pipes[0].fileDescriptor.writeBytes([0])
        try fixture.run { results[0] != nil }
        try pipes[1].fileDescriptor.writeBytes(pattern(50_000))
        pipes = []
        try fixture.run { results[1] != nil }
        #expect(results[0] == .failure(.tooManyBytes) && results[1] == .success(100_000))
    }

    @Test("A reader that does not read does not wake the loop")
    func noSpinning() throws {
        let fixture = try WaylandFixture()
        let file = ImmutableBytes.file(try MemoryFile.containing(pattern(1 << 20)))
        let pipe = try Descriptor.pipe()
        let (near, far) = try UnixSocket.pair()
        fixture.display.outgoing.send(file, 0..<file.length, to: pipe.writing)
        fixture.display.outgoing.send(file, 0..<file.length, to: near)
        let before = fixture.rounds
        var isOver = false
        // Only a moment without events shows that nothing wakes the loop. A busy machine only prolongs that moment.
        _ = fixture.executor.timers.set(.now + .milliseconds(300)) { isOver = true }
        try fixture.run { isOver }
        #expect(fixture.rounds - before < 20)
        #expect(fixture.display.transferCount == 2)
        withExtendedLifetime((pipe, far)) {}
    }

    @Test("A reader that disappears ends the transfer, without a signal", arguments: [true, false])
    func readerGone(isSocket: Bool) throws {
        let fixture = try WaylandFixture()
        let file = ImmutableBytes.file(try MemoryFile.containing(pattern(1 << 20)))
        var ends: (reading: Descriptor?, writing: Descriptor)
        if isSocket { ends = try UnixSocket.pair() } else { ends = try Descriptor.pipe() }
        fixture.display.outgoing.send(file, 0..<file.length, to: ends.writing)
        #expect(fixture.display.transferCount == 1)
        ends.reading = nil
        try fixture.run { fixture.display.transferCount == 0 }
        fixture.display.outgoing.send(file, 0..<file.length, to: ends.writing)
        #expect(fixture.display.transferCount == 0)
    }

    @Test("A writer's pipe keeps its flags, and a file is not written to")
    func destinations() throws {
        let fixture = try WaylandFixture()
        let file = ImmutableBytes.file(try MemoryFile.containing(pattern(1 << 20)))
        let pipe = try Descriptor.pipe()
        let before = try Flags.of(pipe.writing)
        fixture.display.outgoing.send(file, 0..<file.length, to: pipe.writing)
        #expect(try Flags.of(pipe.writing) == before)
        let writer = try MemoryFileWriter()
        let regular = Descriptor(adopting: try writer.fileDescriptor.duplicatedCloseOnExec(atLeast: 0))
        fixture.display.outgoing.send(file, 0..<10, to: regular)
        #expect(try FileStatus(of: regular.fileDescriptor).length == 0)
        #expect(fixture.display.transferCount == 1)
        fixture.display.outgoing.removeAll()
        #expect(fixture.display.transferCount == 0)
    }
}

/// Returns the number of bytes in a pipe.
private func unreadBytes(in pipe: Descriptor) -> Int32 {
    var count: Int32 = -1
    _ = unsafe ioctl(pipe.fileDescriptor.rawValue, UInt(FIONREAD), &count)
    return count
}

/// The flags of an open file.
private enum Flags {
    static func of(_ descriptor: Descriptor) throws -> [Int32] {
        let flags = [F_GETFL, F_GETFD].map { fcntl(descriptor.fileDescriptor.rawValue, $0) }
        try #require(!flags.contains(-1))
        return flags
    }
}
