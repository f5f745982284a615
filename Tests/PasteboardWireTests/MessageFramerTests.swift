import PasteboardWire
import Testing

struct MessageFramerTests {
    static let stream = wire("one||three four|five|rest")

    @Test("Messages are the same wherever the stream is split", arguments: 0...stream.count)
    func splits(at position: Int) throws {
        var framer = MessageFramer(limit: 10)
        var messages: [String] = []
        for piece in [Self.stream[..<position], Self.stream[position...]] {
            framer.append(Array(piece))
            while let message = try framer.next() { messages.append(text(message)) }
        }
        #expect(messages == ["one", "", "three four", "five"])
        #expect(framer.count == 4)
    }

    @Test(
        "Messages are the same when the stream arrives byte by byte, taken at once or later", arguments: [1, 2, 7, 25])
    func bytes(taking interval: Int) throws {
        var framer = MessageFramer(limit: 10)
        var messages: [String] = []
        for (index, byte) in (Self.stream + [0]).enumerated() {
            framer.append([byte])
            guard (index + 1) % interval == 0 else { continue }
            while let message = try framer.next() { messages.append(text(message)) }
        }
        while let message = try framer.next() { messages.append(text(message)) }
        #expect(messages == ["one", "", "three four", "five", "rest"])
        #expect(framer.count == 0)
    }

    @Test("A message of the maximum length is taken, and a longer message is a fault, whether complete or not")
    func limit() throws {
        var framer = MessageFramer(limit: 4)
        framer.append(wire("1234"))
        #expect(try framer.next() == nil)
        framer.append(wire("|"))
        #expect(try framer.next() == wire("1234"))
        for stream in ["12345", "12345|", "1234|12345"] {
            var framer = MessageFramer(limit: 4)
            framer.append(wire(stream))
            #expect(throws: WireFault.messageTooLong(limit: 4)) {
                while try framer.next() != nil {}
            }
        }
    }

    @Test("Raw bytes between messages are taken unchanged, wherever the stream is split", arguments: 0...14)
    func raw(at position: Int) throws {
        let stream = wire("one|r|w|four|") + [0]
        var framer = MessageFramer(limit: 4)
        framer.append(Array(stream[..<min(position, 4)]))
        framer.append(Array(stream[min(position, 4)..<max(position, 4)]))
        #expect(try framer.next() == wire("one"))
        #expect(framer.takeRaw(0) == [])
        var raw = framer.takeRaw(4)
        framer.append(Array(stream[max(position, 4)...]))
        raw += framer.takeRaw(4 - raw.count)
        #expect(raw == wire("r|w|"))
        #expect(try framer.next() == wire("four"))
        #expect(try framer.next() == [])
        #expect(framer.count == 0)
    }

    @Test("A buffer that is never empty does not keep the messages that were taken")
    func compacts() throws {
        var framer = MessageFramer(limit: 100)
        framer.append(wire("me"))
        for _ in 0..<1_000 {
            framer.append(wire("ssage|me"))
            #expect(try framer.next() == wire("message"))
            #expect(try framer.next() == nil)
            #expect(framer.count == 2)
        }
    }
}
