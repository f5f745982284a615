import SelectionProtocol
import TestSupport
import Testing
import X11Display

@Suite(.requiresXvfb, .serialized) struct PropertiesTests {
    private static let absent = Conversion.Reading(type: .none, format: 0, length: 0)

    @Test("A list of 5,000 32-bit values arrives unchanged")
    func longList() throws {
        let (writer, reader) = (try openDisplay(), try openDisplay())
        let window = reader.createWindow(for: .requestor)
        reader.synchronize()
        let values = (0..<5_000).map { UInt32(truncatingIfNeeded: $0 &* 2_654_435_761) }
        writer.write(values, to: writer.intern("LIST"), of: window, type: .atom)
        writer.synchronize()

        let value = reader.read(reader.intern("LIST"), of: window, maximum: 100_000)
        #expect(value.type == .atom)
        #expect(value.format == 32)
        #expect(value.length == 20_000)
        #expect(value.words == values)
        #expect(reader.read(reader.intern("LIST"), of: window, maximum: 4).type == .none)
    }

    @Test(
        "Bytes are read in parts, each once, and then deleted",
        arguments: [0, 1, 3, 4, 5, 4_095, 4_096, 4_097, 10_001])
    func parts(count: Int) throws {
        let (writer, reader) = (try openDisplay(), try openDisplay())
        let window = reader.createWindow(for: .requestor)
        reader.synchronize()
        let bytes = Payload.random(count)
        let property = writer.intern("BYTES")
        unsafe bytes.withUnsafeBytes { writer.write(unsafe $0.bytes, to: property, of: window, type: .string) }
        writer.synchronize()

        var read: [UInt8] = []
        let reading = reader.readWhole(property, of: window, part: 4_096) { value in
            value.withBytes { span in unsafe span.withUnsafeBytes { unsafe read.append(contentsOf: $0) } }
        }
        #expect(read == bytes)
        #expect(reading == .init(type: .string, format: 8, length: count))
        #expect(reader.readWhole(property, of: window) { _ in } == Self.absent)
    }

    @Test("The length of a property over the limit is reported, and the property is deleted")
    func overLimit() throws {
        let (writer, reader) = (try openDisplay(), try openDisplay())
        let window = reader.createWindow(for: .requestor)
        reader.synchronize()
        let bytes = Payload.random(10_001)
        let property = writer.intern("BYTES")
        func write() {
            unsafe bytes.withUnsafeBytes { writer.write(unsafe $0.bytes, to: property, of: window, type: .string) }
            writer.synchronize()
        }
        var count = 0
        func read(limit: Int) -> Conversion.Reading {
            count = 0
            return reader.readWhole(property, of: window, part: 4_096, limit: limit) { count += $0.length }
        }
        write()
        #expect(read(limit: 10_000) == .init(type: .string, format: 8, length: 10_001))
        #expect(count == 0)
        #expect(read(limit: 10_000) == Self.absent)
        write()
        #expect(read(limit: 10_001).length == 10_001)
        #expect(count == 10_001)
    }

    @Test(
        "If a property is replaced while it is read, reading ends and the property is deleted",
        arguments: [(100_000, true), (30_001, true), (20_000, false), (100, true)])
    func changing(length: Int, isSameType: Bool) throws {
        let (writer, reader) = (try openDisplay(), try openDisplay())
        let window = reader.createWindow(for: .requestor)
        reader.synchronize()
        let property = writer.intern("BYTES")
        func write(_ count: Int, as type: Atom) {
            let bytes = Payload.random(count)
            unsafe bytes.withUnsafeBytes { writer.write(unsafe $0.bytes, to: property, of: window, type: type) }
            writer.synchronize()
        }
        write(20_000, as: .string)
        var parts: [Int] = []
        let reading = reader.readWhole(property, of: window, part: 4_096, limit: 30_000) { part in
            parts.append(part.length)
            if parts.count == 2 { write(length, as: isSameType ? .string : .atom) }
        }
        #expect(parts == [4_096, 4_096])
        #expect(reading.isChanged || reading.length > 30_000)
        #expect(reading.isChanged == (!isSameType || length < 8_192))
        #expect(reader.readWhole(property, of: window) { _ in } == Self.absent)
    }
}
