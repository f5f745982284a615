import Glibc
import LinuxSystem
import PasteboardWire
import SystemPackage
import Testing

/// Raw bytes between a client and a service on another thread.
struct ClientConnectionRawTests {
    /// A prime number of bytes, so that the loss of a piece of any size shows where the block repeats. The bytes
    /// include NULs.
    private static let block = (0..<65_537).map { UInt8(truncatingIfNeeded: $0) }

    static func bytes(_ count: Int, seed: Int = 0) -> [UInt8] {
        var bytes = Array(block[seed...])
        bytes.reserveCapacity(count + block.count)
        while bytes.count < count { bytes += block }
        return Array(bytes[..<count])
    }

    private func count(_ client: ClientConnection) throws -> Int {
        try client.call(Methods.Count.self, .init(pasteboard: "general"), idleTimeout: nil).reply.count
    }

    @Test("Uploaded bytes are downloaded unchanged, and further calls work", arguments: [0, 1, 65_537, 8 << 20])
    func exact(length: Int) throws {
        let service = try RawService()
        let expected = Self.bytes(length)
        let file = try MemoryFile.containing([1, 2] + expected + [3])
        let handles = try service.client.upload([(file, 2..<2 + length)], idleTimeout: nil)
        #expect(handles == ["0"])
        #expect(try count(service.client) == 1)
        let wanted = Methods.HandleRange(handle: "0", offset: 0, length: length)
        let files = try service.client.download([wanted], idleTimeout: nil)
        #expect(files.map(\.length) == [length])
        // A comparison in #expect would print the arrays if they differed.
        let isSame = try files[0].bytes(in: 0..<length) == expected
        #expect(isSame)
        #expect(try count(service.client) == 1)
    }

    @Test("Several files are transferred in order, and a range ends where its file ends")
    func several() throws {
        let service = try RawService()
        let lengths = [3, 0, 300_000, 1]
        let ranges = try lengths.enumerated().map { index, length in
            (file: try MemoryFile.containing(Self.bytes(length, seed: index)), range: 0..<length)
        }
        #expect(try service.client.upload(ranges, idleTimeout: nil) == ["0", "1", "2", "3"])
        let wanted = lengths.indices.map { Methods.HandleRange(handle: "\($0)", offset: 0, length: 200_000) }
        let files = try service.client.download(wanted, idleTimeout: nil)
        #expect(files.map(\.length) == [3, 0, 200_000, 1])
        for (index, file) in files.enumerated() {
            let isSame = try file.bytes(in: 0..<file.length) == Self.bytes(file.length, seed: index)
            #expect(isSame)
        }
        #expect(try count(service.client) == 4)
    }

    @Test("Transferring no files makes no call")
    func none() throws {
        let service = try RawService()
        #expect(try service.client.upload([], idleTimeout: nil) == [])
        #expect(try service.client.download([], idleTimeout: nil).isEmpty)
        #expect(try count(service.client) == 0)
    }

    @Test("The error of one download leaves the connection usable, even if it is one of several downloads")
    func unknown() throws {
        let service = try RawService()
        _ = try service.client.upload([(try MemoryFile.containing(Self.bytes(100_000)), 0..<100_000)], idleTimeout: nil)
        let wanted = ["0", "x", "0"].map { Methods.HandleRange(handle: $0, offset: 0, length: 100_000) }
        #expect(throws: BridgeError(.invalidBytes, "unknown")) {
            try service.client.download(wanted, idleTimeout: nil)
        }
        #expect(try count(service.client) == 1)
    }

    @Test("The client of a refused upload gets the error, even while it is sending", arguments: [-1, 0, 1 << 20])
    func refused(limit: Int) throws {
        let service = try RawService(limit: limit)
        let small = try MemoryFile.containing([])
        let large = try MemoryFile.containing([UInt8](repeating: 0, count: 32 << 20))
        let error = BridgeError(.refused, limit < 0 ? "nothing" : "too much")
        #expect(throws: error) {
            try service.client.upload([(small, 0..<0), (large, 0..<large.length)], idleTimeout: nil)
        }
        #expect(throws: ClientFault.closed) { try count(service.client) }
    }

    @Test("If a service ends midway, the connection is closed; if it falls silent, the download times out")
    func ends() throws {
        let wanted = Methods.HandleRange(handle: "0", offset: 0, length: 10)
        let ending = try FakeService(answers: 1) { _ in (#"{"parameters":{"length":10}}|12345"#, []) }
        #expect(throws: ClientFault.closed) { try ending.client.download([wanted], idleTimeout: nil) }
        let silent = try FakeService { _ in (#"{"parameters":{"length":10}}|12345"#, []) }
        #expect(throws: ClientFault.timedOut) {
            try silent.client.download([wanted], idleTimeout: ClientConnectionTests.soon)
        }
        #expect(throws: ClientFault.closed) { try silent.count() }
    }

    @Test("A download keeps waiting as long as the service is alive")
    func alive() throws {
        let wanted = Methods.HandleRange(handle: "0", offset: 0, length: 10)
        let service = try FakeService { _ in (#"{"parameters":{"length":10}}|12345"#, []) }
        var asked = 0
        service.client.extendsIdleTimeout = {
            asked += 1
            return asked < 3
        }
        #expect(throws: ClientFault.timedOut) {
            try service.client.download([wanted], idleTimeout: ClientConnectionTests.soon)
        }
        #expect(asked == 3)
    }

    @Test("A length that is negative, or greater than requested, is a fault", arguments: [11, -1])
    func wrongLength(length: Int) throws {
        let wanted = Methods.HandleRange(handle: "0", offset: 0, length: 10)
        let service = try FakeService { _ in (#"{"parameters":{"length":\#(length)}}|12345678901"#, []) }
        #expect(throws: ClientFault.malformed("more bytes than were asked for")) {
            try service.client.download([wanted], idleTimeout: nil)
        }
        #expect(throws: ClientFault.closed) { try service.count() }
    }

    @Test("An upload to a service that does not read times out")
    func unread() throws {
        let (near, far) = try UnixSocket.pair()
        let file = try MemoryFile.containing([UInt8](repeating: 0, count: 8 << 20))
        #expect(throws: ClientFault.timedOut) {
            try ClientConnection(socket: near).upload(
                [(file, 0..<file.length)], idleTimeout: ClientConnectionTests.soon)
        }
        withExtendedLifetime(far) {}
    }

    @Test("An upload of a file on disk that becomes shorter ends the connection")
    func shortened() throws {
        let folder = try TemporaryFolder()
        let disk = try withExtendedLifetime(folder) {
            Descriptor(
                adopting: try FileDescriptor.open(
                    FilePath(folder.file("a")), .readWrite, options: .create, permissions: .ownerReadWrite))
        }
        try disk.fileDescriptor.writeBytes([1, 2, 3])
        let file = try MemoryFile(.borrowed, onDisk: disk)
        try disk.fileDescriptor.resize(to: 1)
        let service = try RawService()
        #expect(throws: ClientFault.system(.ioError)) { try service.client.upload([(file, 0..<3)], idleTimeout: nil) }
        #expect(throws: ClientFault.closed) { try count(service.client) }
    }
}
