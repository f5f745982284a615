import Configuration
import LinuxSystem
import SelectionProtocol
import SystemPackage
import TestSupport
import Testing
import X11Bridge
import X11Display

/// Tests of conversions whose pieces go to a socket, step by step, with an owner played by the test.
@Suite(.requiresXvfb, .serialized) struct StreamingTests {
    private final class Recorder {
        var sockets: [SpooledSocket] = []
        var drained = 0
        var outcomes: [Result<Converted, Conversion.Failure>] = []

        func record(_ report: DisplayReport) {
            switch report {
            case .streaming(_, let socket): sockets.append(socket)
            case .drained: drained += 1
            case .converted(_, let outcome): outcomes.append(outcome)
            default: break
            }
        }

        var failures: [Conversion.Failure] {
            outcomes.compactMap { if case .failure(let failure) = $0 { failure } else { nil } }
        }
    }

    private static let selection = "PRIMARY"
    private let recorder = Recorder()
    private let session: DisplaySession
    private let owner: XDisplay

    init() throws {
        let name = try #require(Xvfb.display)
        session = try DisplaySession(opening: name, replacing: true) { [recorder] in recorder.record($0) }
        session.watch(Self.selection)
        owner = try XDisplay(opening: name)
        let window = owner.createWindow(for: .owner)
        owner.setOwner(of: owner.intern(Self.selection), to: window, time: owner.serverTime())
        owner.synchronize()
        session.catchUp()
    }

    private func settle() {
        owner.synchronize()
        session.display.synchronize()
        session.drainEvents(limit: 1_000)
    }

    /// Asks for text, and returns the request as the owner sees it.
    private func ask(streams: Bool = true) throws -> SelectionRequest {
        session.convert(
            .init(Ticket(number: 1), of: Self.selection, to: "STRING", idleTimeout: .seconds(60), streams: streams))
        settle()
        while let event = owner.nextEvent() {
            if case .request(let request) = event { return request }
        }
        throw CancellationError()
    }

    private func announce(_ request: SelectionRequest) {
        owner.write([0], to: request.property, of: request.requestor, type: owner.intern("INCR"))
        owner.notify(request, property: request.property)
        settle()
    }

    private func send(_ bytes: [UInt8], _ request: SelectionRequest) {
        unsafe bytes.withUnsafeBytes {
            unsafe owner.write($0.bytes, to: request.property, of: request.requestor, type: .string)
        }
        settle()
    }

    private func contents(_ reading: Descriptor) throws -> [UInt8] {
        try waitReadable(reading.fileDescriptor, until: .now)
            ? try reading.fileDescriptor.readBytes(atMost: 1 << 20) : []
    }

    @Test("The socket exists once the owner announces pieces, and has each piece before the next is requested")
    func pieces() throws {
        let request = try ask()
        #expect(recorder.sockets.isEmpty)
        announce(request)
        let reading = try #require(recorder.sockets.first?.takeReadingEnd())
        for number in UInt8(0)..<5 {
            send([UInt8](repeating: number, count: 10_000), request)
            #expect(try contents(reading) == [UInt8](repeating: number, count: 10_000))
            #expect(session.heldBytes == 0)
        }
        #expect(recorder.outcomes.isEmpty)
        send([], request)
        guard case .success(let converted)? = recorder.outcomes.first, case .streamed = converted.content else {
            Issue.record("\(recorder.outcomes)")
            return
        }
        #expect(recorder.sockets.first?.appended == 50_000)
        #expect(session.transferCount == 0)
    }

    @Test("An announcement without any bytes is an empty stream")
    func empty() throws {
        let request = try ask()
        announce(request)
        send([], request)
        #expect(recorder.sockets.first?.appended == 0)
        #expect(recorder.outcomes.count == 1 && recorder.failures.isEmpty)
    }

    @Test("A value in one piece, and pieces for a caller that does not stream, are stored", arguments: [false, true])
    func stored(inPieces: Bool) throws {
        let request = try ask(streams: !inPieces)
        if inPieces { announce(request) }
        let bytes = [UInt8](repeating: 1, count: 10_000)
        send(bytes, request)
        if inPieces {
            send([], request)
        } else {
            owner.notify(request, property: request.property)
            settle()
        }
        #expect(recorder.sockets.isEmpty)
        guard case .success(let converted)? = recorder.outcomes.first, case .file(let file) = converted.content else {
            Issue.record("\(recorder.outcomes)")
            return
        }
        #expect(try file.bytes(in: 0..<file.length) == bytes)
    }

    @Test("A reader that has closed the socket cancels the conversion, and the rest is read and dropped")
    func closed() throws {
        let request = try ask()
        announce(request)
        var reading = recorder.sockets.first?.takeReadingEnd()
        #expect(reading != nil)
        reading = nil
        // A process that another test is starting has a copy of the reading end until it runs its program.
        var set = PollSet()
        set.append(try #require(recorder.sockets.first).fileDescriptor, [])
        _ = try set.wait(until: nil)
        send([1, 2, 3], request)
        #expect(recorder.failures == [.cancelled])
        send([4], request)
        #expect(recorder.drained == 0)
        send([], request)
        #expect(recorder.drained == 1)
        #expect(session.transferCount == 0)
    }

    @Test("Bytes that a slow reader leaves count towards the limit, and bytes that a fast reader takes do not")
    func limited() throws {
        var limits = Configuration.Limits()
        limits.transferBytes = 1_000_000
        session.apply(limits)
        let piece = [UInt8](repeating: 1, count: 250_000)
        let request = try ask()
        announce(request)
        let socket = try #require(recorder.sockets.first)
        let reading = try #require(socket.takeReadingEnd())
        for _ in 0..<8 {
            send(piece, request)
            #expect(try contents(reading) == piece)
        }
        #expect(recorder.failures.isEmpty)
        for _ in 0..<20 where recorder.failures.isEmpty {
            send(piece, request)
            #expect(session.heldBytes == (recorder.failures.isEmpty ? socket.waiting : 0))
        }
        #expect(recorder.failures == [.limit(.bytes)])
        #expect(socket.waiting <= limits.transferBytes)
    }
}
