import FoundationEssentials
import LinuxSystem
import Testing

@Suite struct MemoryFileDataTests {
    private static func file(_ count: Int) throws -> (file: MemoryFile, bytes: [UInt8]) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        return (try MemoryFile.containing(bytes), bytes)
    }

    @Test("The data has the bytes of the range, copied if short and in place if long")
    func ranges() throws {
        let (file, bytes) = try Self.file(300_000)
        for range in [0..<0, 5..<9, 0..<65_536, 7..<200_007, 300_000..<300_000, 0..<300_000] {
            #expect(try Array(file.data(in: range)) == Array(bytes[range]))
        }
        for range in [-1..<5, 0..<300_001, 200_000..<400_000] {
            #expect(throws: (any Error).self) { try file.data(in: range) }
        }
    }

    @Test("A mapping lives as long as any copy of the data, and changing a copy affects no other copy")
    func lifetime() throws {
        var file: (file: MemoryFile, bytes: [UInt8])? = try Self.file(100_000)
        var data = try file?.file.data(in: 0..<100_000)
        let part = data?[50_000..<60_000]
        file = nil
        data?[0] = 0xFF
        #expect(data?.first == 0xFF && data?.count == 100_000)
        data = nil
        #expect(
            part.map { Array($0.prefix(2)) } == [
                UInt8(truncatingIfNeeded: 50_000 * 31), UInt8(truncatingIfNeeded: 50_001 * 31),
            ])
    }

    @Test("Data is appended to a file")
    func writing() throws {
        let writer = try MemoryFileWriter()
        try writer.append(Data([1, 2]))
        try writer.append(Data())
        try writer.append(Data([0, 0, 3, 4])[2...])
        let file = try writer.seal()
        #expect(try file.bytes(in: 0..<file.length) == [1, 2, 3, 4])
    }
}
