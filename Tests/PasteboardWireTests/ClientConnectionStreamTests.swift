import LinuxSystem
import PasteboardWire
import SystemPackage
import Testing

struct ClientConnectionStreamTests {
    static let more = #"{"parameters":{"count":1},"continues":true}|"#
    static let last = #"{"parameters":{"count":2}}|"#

    @Test("A stream ends with its last reply, and the connection can be used again")
    func toItsEnd() throws {
        let service = try FakeService { request in
            (request.contains(#""more":true"#) ? Self.more + Self.more + Self.last : Self.last, [])
        }
        #expect(try service.stream(until: nil) { _ in true } == [1, 1, 2])
        #expect(try service.count() == 2)
        #expect(try service.stream(until: nil) { $0 != 2 } == [1, 1, 2])
        #expect(try service.count() == 2)
    }

    @Test("Returning false ends the stream, and makes the connection unusable")
    func ended() throws {
        let service = try FakeService { _ in (Self.more + Self.more + Self.last, []) }
        #expect(try service.stream(until: nil) { _ in false } == [1])
        #expect(throws: ClientFault.closed) { try service.count() }
    }

    @Test("An error in handling a reply ends the stream, and makes the connection unusable")
    func bodyThrows() throws {
        let service = try FakeService { _ in (Self.more, []) }
        #expect(throws: Errno.noSpace) { try service.stream(until: nil) { _ in throw Errno.noSpace } }
        #expect(throws: ClientFault.closed) { try service.count() }
    }

    @Test("A stream does not wait past its deadline")
    func deadline() throws {
        let service = try FakeService { _ in (Self.more, []) }
        var replies = 0
        #expect(throws: ClientFault.timedOut) {
            try service.stream(until: .now + .milliseconds(50)) { _ in
                replies += 1
                return true
            }
        }
        #expect(replies <= 1)
    }

    @Test("Each reply has its own descriptors and its own deadline")
    func descriptors() throws {
        let file = try MemoryFile.containing(Array("bytes".utf8))
        let service = try FakeService { _ in
            let reply =
                #"{"parameters":{"count":1,"found":[{"item":0,"bytes":{"descriptor":0,"offset":0,"length":5}}]}"#
            return (reply + #","continues":true}|"# + reply + "}|", [file.descriptor, file.descriptor])
        }
        var asked: Swift.Set<Int> = []
        var found: [[UInt8]] = []
        try service.client.stream(
            Methods.Fetch.self, .init(pasteboard: "general"),
            deadline: { replies in
                asked.insert(replies)
                return nil
            }
        ) { _, descriptors in
            #expect(descriptors.count == 1)
            let passed = try MemoryFile(adopting: try #require(descriptors.first))
            found.append(try passed.bytes(in: 0..<passed.length))
            return true
        }
        #expect(found == [Array("bytes".utf8), Array("bytes".utf8)])
        #expect(asked.contains(0))
    }

    @Test("An error from the service ends the stream, and the connection can be used again")
    func error() throws {
        let service = try FakeService { request in
            let error = #"{"error":"org.xpb.Pasteboard.Empty","parameters":{"message":"m"}}|"#
            return (request.contains(#""more":true"#) ? Self.more + error : Self.last, [])
        }
        #expect(throws: BridgeError(.empty, "m")) { try service.stream(until: nil) { _ in true } }
        #expect(try service.count() == 2)
    }
}
