import LinuxSystem
import PasteboardWire
import SystemPackage
import Testing

struct ServerConnectionDescriptorsTests {
    @Test("A call has the descriptors that it names, and its reply has its own descriptors")
    func passes() throws {
        let peer = try RawPeer()
        try peer.send(call(1), [try memoryDescriptor([1, 2, 3])])
        let call = try #require(try peer.server.nextCall())
        try #require(call.descriptors.count == 1)
        let file = try MemoryFile(adopting: call.descriptors[0])
        #expect(try file.bytes(in: 0..<file.length) == [1, 2, 3])
        peer.server.reply(
            WireBytes(descriptor: 0, offset: 0, length: 1), descriptors: [try memoryDescriptor([4])])
        try peer.server.flush()
        let received = try #require(try UnixSocket.receive(from: peer.socket.fileDescriptor, waits: true))
        #expect(received.descriptors.count == 1)
    }

    @Test("Each of several calls gets its own descriptors, even if they arrive with another call's bytes")
    func sharesOut() throws {
        let peer = try RawPeer()
        let files = try (1...3).map { try memoryDescriptor([UInt8](repeating: 0, count: $0)) }
        try peer.send(wire(call(0) + call(1)), [files[0]])
        try peer.send(wire(call(2) + call(0)), [files[1], files[2]])
        var lengths: [[Int]] = []
        while let call = try peer.server.nextCall() {
            lengths.append(try call.descriptors.map { try MemoryFile(adopting: $0).length })
            peer.server.reply(NoParameters())
        }
        #expect(lengths == [[], [1], [2, 3], []])
    }

    @Test("A call that names a missing descriptor gets no descriptors, and the connection stays open")
    func missing() throws {
        let peer = try RawPeer()
        try peer.send(call(2))
        #expect(try peer.server.nextCall()?.descriptors.isEmpty == true)
        peer.server.reply(NoParameters())
        #expect(try peer.server.nextCall() == nil)
    }

    @Test("Descriptors that no call names end the connection, and are closed")
    func stray() throws {
        let reading: Descriptor
        do {
            let peer = try RawPeer()
            let pipe = try FileDescriptor.pipe(options: .closeOnExec)
            reading = Descriptor(adopting: pipe.readEnd)
            try peer.send(call(1), [Descriptor(adopting: pipe.writeEnd), peer.socket])
            #expect(throws: WireFault.strayDescriptors(1)) { try peer.server.nextCall() }
        }
        #expect(try isAtEnd(reading))
    }

    @Test("More descriptors than the limit of a message end the connection, named or not")
    func tooMany() throws {
        for text in [call(65), #"{"method":"a.B""#] {
            let peer = try RawPeer()
            try peer.send(text, Array(repeating: peer.socket, count: 65))
            #expect(throws: WireFault.tooManyDescriptors(limit: 64)) { try peer.server.nextCall() }
        }
    }

    @Test("A client that sends calls with many descriptors without reading replies must wait")
    func unreadReplies() throws {
        let peer = try RawPeer()
        for _ in 0..<3 { try peer.send(call(40), Array(repeating: peer.socket, count: 40)) }
        #expect(!peer.server.wantsInput)
        var counts: [Int] = []
        while counts.count < 3 {
            while let call = try peer.server.nextCall() {
                counts.append(call.descriptors.count)
                peer.server.reply(NoParameters())
            }
            try peer.server.receive()
        }
        #expect(counts == [40, 40, 40])
    }

    /// Returns true if no writer of a pipe is left.
    private func isAtEnd(_ reading: Descriptor) throws -> Bool {
        try MemoryFileWriter().append(from: reading.fileDescriptor, limit: .max) == 0
    }

    /// Returns a call that names `count` descriptors.
    private func call(_ count: Int) -> String {
        let names = (0..<count).map { #"{"descriptor":\#($0)}"# }.joined(separator: ",")
        return #"{"method":"a.B","parameters":{"list":[\#(names)]}}|"#
    }
}
