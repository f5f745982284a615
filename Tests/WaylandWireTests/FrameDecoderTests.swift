import Testing
import WaylandWire

@Suite struct FrameDecoderTests {
    private let object = ObjectID(7)

    private func message(_ length: Int, opcode: UInt16 = 1) throws -> [UInt8] {
        var writer = WireWriter()
        for index in 0..<length / 4 { writer.uint(UInt32(index)) }
        return try writer.message(to: try #require(object), opcode: opcode).bytes
    }

    @Test("Messages are the same however the stream is split", arguments: [1, 3, 8, 11, 4_096])
    func split(size: Int) throws {
        let messages = [try message(0), try message(4), try message(4_088), try message(40, opcode: 0xffff)]
        let stream = Array(messages.joined())
        var decoder = FrameDecoder()
        var frames: [WireFrame] = []
        for start in stride(from: 0, to: stream.count, by: size) {
            decoder.append(Array(stream[start..<min(start + size, stream.count)]))
            while let frame = try decoder.next() { frames.append(frame) }
        }
        #expect(decoder.count == 0)
        #expect(frames.map(\.arguments) == messages.map { Array($0.dropFirst(8)) })
        #expect(frames.allSatisfy { $0.object == object })
        #expect(frames.map(\.opcode) == [1, 1, 1, 0xffff])
    }

    @Test("An incomplete message waits")
    func incomplete() throws {
        var decoder = FrameDecoder()
        let bytes = try message(8)
        decoder.append(Array(bytes.dropLast()))
        #expect(try decoder.next() == nil)
        #expect(decoder.count == bytes.count - 1)
        decoder.append([0])
        #expect(try decoder.next()?.arguments.count == 8)
    }

    @Test("A size that no message can have is refused before its bytes arrive", arguments: [0, 4, 7, 9, 4_100, 0xffff])
    func size(_ size: UInt32) {
        var decoder = FrameDecoder()
        decoder.append(wireBytes([1, size << 16]))
        #expect(throws: WireError.size(Int(size))) { try decoder.next() }
    }

    @Test("A message for no object is refused")
    func noObject() {
        var decoder = FrameDecoder()
        decoder.append(wireBytes([0, 8 << 16]))
        #expect(throws: WireError.noObject) { try decoder.next() }
    }
}
