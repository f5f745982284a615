import Testing
import WaylandWire

@Suite struct WireCodingTests {
    /// Returns a reader of the arguments that `write` has written.
    private func reader(_ write: (inout WireWriter) -> Void) throws -> WireReader {
        var writer = WireWriter()
        write(&writer)
        let message = try writer.message(to: .display, opcode: 0)
        return WireReader(Array(message.bytes.dropFirst(WaylandWire.headerLength)))
    }

    @Test("Every kind of argument is read back unchanged")
    func arguments() throws {
        var reader = try reader { writer in
            writer.uint(.max)
            writer.int(-2)
            writer.string(WireString("grüß"))
            writer.string(nil)
            writer.object(.display)
            writer.object(nil)
            writer.array([1, 2, 3, 0, 5])
        }
        #expect(try reader.uint() == .max)
        #expect(try reader.int() == -2)
        #expect(try reader.string().text == "grüß")
        #expect(try reader.optionalString() == nil)
        #expect(try reader.object() == .display)
        #expect(try reader.optionalObject() == nil)
        #expect(try reader.array() == [1, 2, 3, 0, 5])
        try reader.finish()
    }

    @Test("A string's length includes the NUL, and the string is padded to a whole word", arguments: 0..<9)
    func padding(length: Int) throws {
        var writer = WireWriter()
        writer.string(WireString(String(repeating: "a", count: length)))
        let bytes = try writer.message(to: .display, opcode: 0).bytes.dropFirst(WaylandWire.headerLength)
        #expect(bytes.first == UInt8(length + 1))
        #expect(bytes.count == 4 + (length / 4 + 1) * 4)
        #expect(bytes.dropFirst(4 + length).allSatisfy { $0 == 0 })
    }

    @Test("A message begins with its object, followed by a word with its size above its opcode")
    func header() throws {
        var writer = WireWriter()
        writer.uint(0x0403_0201)
        let object = try #require(ObjectID(0xff00_0002))
        let message = try writer.message(to: object, opcode: 3)
        let words = [0xff00_0002, 12 << 16 | 3, 0x0403_0201] as [UInt32]
        #expect(message.bytes == wireBytes(words))
    }

    @Test("A message longer than 4,096 bytes cannot be encoded")
    func tooLong() throws {
        var writer = WireWriter()
        writer.array([UInt8](repeating: 1, count: 4_084))
        #expect(try writer.message(to: .display, opcode: 0).bytes.count == 4_096)
        writer.uint(0)
        #expect(throws: WireError.size(4_100)) { try writer.message(to: .display, opcode: 0) }
    }

    @Test("Arguments beyond the end of a message are refused")
    func truncated() throws {
        var empty = WireReader([1, 2, 3])
        #expect(throws: WireError.truncated) { try empty.uint() }
        // A length near 2^32 must not overflow when it is rounded up.
        for length in [5, 0x7fff_ffff, 0xffff_fffd, .max] as [UInt32] {
            var reader = try reader { writer in
                writer.uint(length)
                writer.uint(0)
            }
            #expect(throws: WireError.truncated, "\(length)") { try reader.array() }
        }
    }

    @Test("Bytes after the arguments are refused")
    func trailing() throws {
        var reader = try reader { writer in
            writer.uint(1)
            writer.uint(2)
        }
        _ = try reader.uint()
        #expect(throws: WireError.trailing(4)) { try reader.finish() }
    }

    @Test("A string without its NUL, or with another NUL, is refused")
    func strings() throws {
        for content in [[97], [97, 98, 99, 100], [97, 0, 98, 0], [0, 0]] as [[UInt8]] {
            var reader = try reader { $0.array(content) }
            #expect(throws: WireError.string, "\(content)") { try reader.string() }
        }
        var empty = try reader { $0.array([0]) }
        #expect(try empty.string().text?.isEmpty == true)
    }

    @Test("A required object or string cannot be null")
    func null() throws {
        var reader = try reader { writer in
            writer.object(nil)
            writer.string(nil)
        }
        #expect(throws: WireError.null) { try reader.object() }
        #expect(throws: WireError.null) { try reader.string() }
    }

    @Test("A string that is not UTF-8 has bytes and no text")
    func notUTF8() throws {
        var reader = try reader { $0.array([0xff, 0xfe, 0]) }
        let string = try reader.string()
        #expect(string.bytes == [0xff, 0xfe])
        #expect(string.text == nil)
    }

    @Test("Descriptors are counted in order of arrival, and no descriptor is taken before it has arrived")
    func descriptors() throws {
        var count = DescriptorCount()
        try count.receive(2)
        var reader = WireReader([], descriptors: count)
        #expect(try reader.descriptor() == WireDescriptor(0))
        #expect(try reader.descriptor() == WireDescriptor(1))
        #expect(throws: WireError.noDescriptor) { try reader.descriptor() }
        try count.receive(WaylandWire.maxWaitingDescriptors - 2)
        #expect(throws: WireError.tooManyDescriptors(limit: WaylandWire.maxWaitingDescriptors)) {
            try count.receive(1)
        }
    }
}

/// Returns words as bytes, in the byte order of the machine.
func wireBytes(_ words: [UInt32]) -> [UInt8] {
    words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word.littleEndian >> (8 * $0)) } }
}
