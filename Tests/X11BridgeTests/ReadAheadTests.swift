import Glibc
import LinuxSystem
import SystemPackage
import Testing
import X11Bridge

@Suite struct ReadAheadTests {
    private let descriptor: Descriptor
    private let bytes: Offer.Bytes
    private static let text = Array("0123456789".utf8)

    init() throws {
        descriptor = try Self.makeFile("--" + String(decoding: Self.text, as: UTF8.self))
        bytes = Offer.Bytes(.file(try MemoryFile(.stored, onDisk: descriptor)), 2..<12)
    }

    /// Creates a file on disk, without a name.
    private static func makeFile(_ text: String) throws -> Descriptor {
        let path = FilePath("/tmp/xpb-read-ahead-\(UInt64.random(in: .min ... .max))")
        let file = Descriptor(
            adopting: try FileDescriptor.open(
                path, .readWrite, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite))
        unsafe unlink(path.string)
        try file.fileDescriptor.writeAll(text.utf8)
        return file
    }

    private func read(_ part: Range<Int>, _ ahead: inout ReadAhead) throws -> [UInt8] {
        var read: [UInt8] = []
        try ahead.withBytes(in: part, of: bytes) { span in
            read = unsafe span.withUnsafeBytes { unsafe Array($0) }
        }
        return read
    }

    /// Truncates the file, so that reading fails.
    private func cut() throws {
        try descriptor.fileDescriptor.resize(to: 0)
    }

    @Test("The next piece is available once without the file")
    func prepared() throws {
        var ahead = ReadAhead()
        #expect(try read(0..<3, &ahead) == Self.text[0..<3].map(\.self))
        ahead.prepare(after: 0..<3, of: bytes)
        try cut()
        #expect(try read(3..<6, &ahead) == Self.text[3..<6].map(\.self))
        #expect(throws: Errno.ioError) { try read(3..<6, &ahead) }
    }

    @Test("A piece may be shorter than the prepared piece, since pieces of text end before a character")
    func shorter() throws {
        var ahead = ReadAhead()
        ahead.prepare(after: 0..<4, of: bytes)
        try cut()
        #expect(try read(4..<7, &ahead) == Self.text[4..<7].map(\.self))
    }

    @Test("The last piece ends with the bytes, and the piece after it is empty")
    func last() throws {
        var ahead = ReadAhead()
        ahead.prepare(after: 4..<8, of: bytes)
        try cut()
        #expect(try read(8..<10, &ahead) == Self.text[8..<10].map(\.self))
        ahead.prepare(after: 8..<10, of: bytes)
        #expect(try read(10..<10, &ahead) == [])
    }

    @Test("Other pieces are read from the file, and the prepared piece stays valid", arguments: [0..<3, 4..<7, 3..<8])
    func other(part: Range<Int>) throws {
        var ahead = ReadAhead()
        ahead.prepare(after: 0..<3, of: bytes)
        #expect(try read(part, &ahead) == Self.text[part].map(\.self))
        try cut()
        #expect(throws: Errno.ioError) { try read(part, &ahead) }
        #expect(try read(3..<6, &ahead) == Self.text[3..<6].map(\.self))
    }

    @Test("A prepared piece is used only for its own file, which is released with it")
    func files() throws {
        let other = Offer.Bytes(.file(try MemoryFile.containing(Array("  abcdefghij".utf8))), 2..<12)
        var ahead = ReadAhead()
        weak var file: MemoryFile?
        do {
            let short = try MemoryFile(.stored, onDisk: try Self.makeFile("short text"))
            file = short
            ahead.prepare(after: 2..<5, of: Offer.Bytes(.file(short), 0..<10))
        }
        #expect(try read(3..<6, &ahead) == Self.text[3..<6].map(\.self))
        var letters: [UInt8] = []
        try ahead.withBytes(in: 3..<6, of: other) { span in letters = unsafe span.withUnsafeBytes { unsafe Array($0) } }
        #expect(letters == Array("def".utf8))
        #expect(file != nil)
        ahead.drop()
        #expect(file == nil)
    }

    @Test("A piece that cannot be read ahead is an error when it is requested")
    func unreadable() throws {
        var ahead = ReadAhead()
        try cut()
        ahead.prepare(after: 0..<3, of: bytes)
        #expect(throws: Errno.ioError) { try read(3..<6, &ahead) }
    }
}
