import Bridge
import BridgeState
import LinuxSystem
import PasteboardWire
import SelectionProtocol
import SystemPackage
import Testing
import X11Bridge

/// Reads of contents that another program sends in pieces.
@Suite struct ReaderStreamTests {
    private let fixture: ServiceFixture
    private let client: ServiceClient
    private static let type = "image/png"
    private static let allBytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 12) }

    private var bytes: [UInt8] { Self.allBytes }

    init() throws {
        fixture = try ServiceFixture(display: ":99", environment: ["XPB_CAPTURE": "false"])
        client = try fixture.client()
    }

    private static func program(_ targets: [String] = [type]) -> ForeignProgram {
        ForeignProgram(offers: targets.map { ($0, .later) })
    }

    private func get(
        _ type: String = type, more: Bool = true, streams: Bool? = true, descriptors: Bool? = true
    ) throws {
        try client.call(
            Methods.Get.self,
            .init(pasteboard: "general", types: [type], descriptors: descriptors, stream: streams), more: more)
        fixture.succeed()
    }

    /// Plays an owner that announces pieces, and returns the X thread's socket and the client's descriptor.
    private func begin() throws -> (socket: SpooledSocket, reading: Descriptor) {
        let ticket = try #require(fixture.streamable.last)
        let socket = try SpooledSocket()
        fixture.report(.streaming(ticket, socket), .progress(ticket))
        let (reply, descriptors) = try #require(try client.answer(to: Methods.Get.self))
        #expect(reply.stream == true && reply.bytes == WireBytes(descriptor: 0, offset: 0, length: 0))
        #expect(reply.target == Self.type)
        return (socket, try #require(descriptors.first))
    }

    private func send(_ bytes: [UInt8], into socket: SpooledSocket) throws {
        try unsafe bytes.withUnsafeBytes { try unsafe socket.append($0.bytes) }
        if let ticket = fixture.streamable.last { fixture.report(.progress(ticket)) }
    }

    private func end(_ failure: Conversion.Failure? = nil) throws {
        let converted = Converted(type: Self.type, content: .streamed)
        fixture.answer(Self.type, failure.map { .failure($0) } ?? .success(converted))
    }

    /// Returns the bytes that the socket contains now, and lets the service write more.
    private func read(_ reading: Descriptor) throws -> [UInt8] {
        var read: [UInt8] = []
        while try waitReadable(reading.fileDescriptor, until: .now) {
            let more = try reading.fileDescriptor.readBytes(atMost: 1 << 20)
            if more.isEmpty { break }
            read += more
        }
        try fixture.turn()
        return read
    }

    @Test("A client gets each part as it arrives, and a last reply with the length")
    func keepsUp() throws {
        fixture.copy(Self.program())
        try get()
        let (socket, reading) = try begin()
        for start in stride(from: 0, to: bytes.count, by: 500_000) {
            try send(Array(bytes[start..<start + 500_000]), into: socket)
            #expect(try read(reading) == Array(bytes[start..<start + 500_000]))
        }
        #expect(try client.reply(to: Methods.Get.self) == nil)
        try end()
        #expect(try read(reading) == [])
        let last = try #require(try client.reply(to: Methods.Get.self))
        #expect(last.bytes == WireBytes(offset: 0, length: bytes.count))
        #expect(fixture.display.bytes.streamed == 0)
    }

    @Test("A client that stalls gets the rest after the owner has finished, and the memory counts until then")
    func stalls() throws {
        fixture.copy(Self.program())
        try get()
        let (socket, reading) = try begin()
        try send(bytes, into: socket)
        #expect(fixture.display.bytes.streamed == 0, "the memory counts as the owner's transfer")
        try end()
        #expect(fixture.display.bytes.streamed == socket.waiting)
        #expect(socket.waiting > 0)
        var received: [UInt8] = []
        while socket.waiting > 0 {
            #expect(try client.reply(to: Methods.Get.self) == nil)
            received += try read(reading)
        }
        received += try read(reading)
        #expect(received == bytes)
        #expect(try client.reply(to: Methods.Get.self)?.bytes.length == bytes.count)
        #expect(fixture.display.bytes.streamed == 0)
    }

    @Test(
        "If an owner fails midway, the client gets the part that arrived, and then a broken transfer",
        arguments: [Conversion.Failure.ownerGone, .stalled(received: 5), .limit(.bytes), .tooLong])
    func fails(failure: Conversion.Failure) throws {
        fixture.copy(Self.program())
        try get()
        let (socket, reading) = try begin()
        try send(bytes, into: socket)
        try end(failure)
        var received: [UInt8] = []
        while received.count < bytes.count { received += try read(reading) }
        #expect(received == bytes)
        let error = #expect(throws: BridgeError.self) { try client.reply(to: Methods.Get.self) }
        #expect(error?.code == .transferBroken)
    }

    @Test("A client that closes the socket, or its connection, cancels the conversion", arguments: [false, true])
    func closes(closesConnection: Bool) throws {
        fixture.copy(Self.program())
        try get()
        var (socket, reading): (SpooledSocket, Descriptor?) = try begin()
        try send(bytes, into: socket)
        if closesConnection {
            client.close()
        } else {
            #expect(reading != nil)
            reading = nil
            try fixture.turn()
        }
        fixture.succeed()
        #expect(fixture.cancelled == 1)
        #expect(throws: Errno.brokenPipe) { try send([1], into: socket) }
        if !closesConnection {
            let error = #expect(throws: BridgeError.self) { try client.reply(to: Methods.Get.self) }
            #expect(error?.code == .transferBroken)
        }
    }

    @Test("An owner that refuses, or never answers, is an ordinary error")
    func refused() throws {
        fixture.copy(Self.program())
        try get()
        try end(.refused)
        #expect(throws: BridgeError.self) { try client.reply(to: Methods.Get.self) }
        try get()
        try end(.silent)
        let error = #expect(throws: BridgeError.self) { try client.reply(to: Methods.Get.self) }
        #expect(error?.code == .ownerSilent)
    }

    @Test("Contents that arrive in one piece are sent as a file")
    func whole() throws {
        fixture.copy(Self.program())
        try get()
        fixture.answer(Self.type, ForeignProgram.bytes([1, 2, 3], Self.type))
        let (reply, descriptors) = try #require(try client.answer(to: Methods.Get.self))
        #expect(reply.stream == nil && reply.bytes.length == 3 && descriptors.count == 1)
    }

    @Test("Only a client that asks for a stream, several replies and descriptors gets a stream")
    func unasked() throws {
        fixture.copy(Self.program())
        for (more, streams, descriptors) in [(false, true, true), (true, nil, true), (true, true, nil)] {
            try get(more: more, streams: streams, descriptors: descriptors)
            fixture.answer(Self.type, ForeignProgram.bytes([1], Self.type))
            #expect(try client.reply(to: Methods.Get.self)?.bytes.length == 1)
        }
        #expect(fixture.streamable.isEmpty)
    }

    @Test("Neither contents that have to be converted nor secrets are streamed")
    func converted() throws {
        fixture.copy(Self.program(["UTF8_STRING"]))
        try get("text")
        fixture.answer("UTF8_STRING", ForeignProgram.bytes([0x61], "UTF8_STRING"))
        #expect(try client.reply(to: Methods.Get.self)?.bytes.length == 1)
        fixture.copy(Self.program([Self.type, "x-kde-passwordManagerHint"]))
        try get()
        fixture.answer(Self.type, ForeignProgram.bytes([0x61], Self.type))
        #expect(try client.reply(to: Methods.Get.self)?.bytes.length == 1)
        #expect(fixture.streamable.isEmpty)
    }

    @Test("Captured contents are not streamed, so that the capture can answer if the owner dies midway")
    func captured() throws {
        let fixture = try ServiceFixture(display: ":99")
        let client = try fixture.client()
        fixture.copy(ForeignProgram(offers: [(Self.type, .bytes(10))]))
        fixture.pass()
        fixture.programs["CLIPBOARD"] = Self.program()
        try client.call(
            Methods.Get.self, .init(pasteboard: "general", types: [Self.type], descriptors: true, stream: true),
            more: true)
        fixture.succeed()
        #expect(fixture.streamable.isEmpty)
        fixture.die()
        fixture.answer(Self.type, .failure(.ownerGone))
        #expect(try client.replies(to: Methods.Get.self).first?.bytes.length == 10)
    }

    @Test("If an owner dies during a stream, the error says so, even if other representations are captured")
    func diesBesideCapture() throws {
        let fixture = try ServiceFixture(display: ":99")
        let client = try fixture.client()
        fixture.copy(ForeignProgram(offers: [("text/plain", .bytes(10)), (Self.type, .refusal)]))
        fixture.pass()
        fixture.programs["CLIPBOARD"] = ForeignProgram(offers: [("text/plain", .bytes(10)), (Self.type, .later)])
        try client.call(
            Methods.Get.self, .init(pasteboard: "general", types: [Self.type], descriptors: true, stream: true),
            more: true)
        fixture.succeed()
        let ticket = try #require(fixture.streamable.first)
        let socket = try SpooledSocket()
        fixture.report(.streaming(ticket, socket), .progress(ticket))
        fixture.die()
        fixture.answer(Self.type, .failure(.ownerGone))
        #expect(try client.reply(to: Methods.Get.self)?.stream == true)
        let error = #expect(throws: BridgeError.self) { try client.reply(to: Methods.Get.self) }
        #expect(error?.message.contains("ended") == true)
    }
}
