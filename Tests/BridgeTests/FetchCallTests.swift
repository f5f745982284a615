import Bridge
import LinuxSystem
import PasteboardWire
import Testing

@Suite struct FetchCallTests {
    private let fixture: ServiceFixture
    private let writer: ServiceClient
    private let reader: ServiceClient

    init() throws {
        fixture = try ServiceFixture()
        writer = try fixture.client()
        reader = try fixture.client()
    }

    private func write(_ representations: [[WireNewRepresentation]]) throws {
        let hasBytes = representations.joined().contains { $0.bytes != nil }
        try writer.call(
            Methods.Set.self,
            .init(pasteboards: ["general"], items: representations.map { WireNewItem(representations: $0) }),
            descriptors: hasBytes ? [try MemoryFile.containing([0x61]).descriptor] : [], more: true)
        _ = try writer.replies(to: Methods.Set.self)
    }

    private let text = WireNewRepresentation(
        type: "public.utf8-plain-text", bytes: WireBytes(descriptor: 0, offset: 0, length: 1))

    @Test("A reader of text does not wait for promised files")
    func besideFiles() throws {
        try write([[WireNewRepresentation(type: "text/uri-list", promise: "1"), text]])
        try reader.call(
            Methods.Fetch.self, .init(pasteboard: "general", types: ["public.utf8-plain-text"], descriptors: true),
            more: true)
        let found = try reader.replies(to: Methods.Fetch.self).flatMap(\.found)
        #expect(found.map(\.bytes?.length) == [1])
        #expect(try writer.replies(to: Methods.Set.self).isEmpty)
    }

    @Test("A reader of files requests promised files, and gets an item for each file")
    func promisedFiles() throws {
        try write([[WireNewRepresentation(type: "text/uri-list", promise: "1"), text]])
        try reader.call(
            Methods.Fetch.self, .init(pasteboard: "general", types: ["public.file-url"], descriptors: true), more: true)
        let wanted = try #require(try writer.replies(to: Methods.Set.self).first?.wanted)
        let keeper = try fixture.client()
        let list = Array("file:///a\r\nfile:///b\r\n".utf8)
        try keeper.call(
            Methods.Keep.self,
            .init(ticket: wanted.ticket, bytes: WireBytes(descriptor: 0, offset: 0, length: list.count)),
            descriptors: [try MemoryFile.containing(list).descriptor])
        #expect(try reader.replies(to: Methods.Fetch.self).flatMap(\.found).map(\.item) == [0, 1])
    }

    @Test("Reading everything, or appending, does not request FILE_NAME, which makes GNUstep's server exit")
    func unasked() throws {
        let fixture = try ServiceFixture(display: ":0")
        let reader = try fixture.client()
        fixture.copy(
            ForeignProgram(offers: [("UTF8_STRING", .text("a")), ("FILE_NAME", .text("/a")), ("FILE", .text("/a"))]))
        fixture.succeed()
        try reader.call(Methods.Fetch.self, .init(pasteboard: "general", descriptors: true), more: true)
        fixture.succeed()
        #expect(try reader.replies(to: Methods.Fetch.self).flatMap(\.found).map(\.target) == ["UTF8_STRING"])
        var parameters = Methods.Set.Parameters.text(on: "general")
        parameters.append = true
        try reader.set(parameters)
        fixture.succeed()
        _ = try reader.replies(to: Methods.Set.self)
        #expect(Set(fixture.asked) == ["TARGETS", "UTF8_STRING"])
    }

    @Test("The reasons of thousands of missing items are all sent")
    func reasons() throws {
        try write((0..<1_500).map { _ in [WireNewRepresentation(type: "public.png", promise: "1")] })
        try reader.call(Methods.Fetch.self, .init(pasteboard: "general", descriptors: true), more: true)
        let wanted = try #require(try writer.replies(to: Methods.Set.self).first?.wanted)
        let keeper = try fixture.client()
        // Each "\u{1}" is a single character, but six bytes of JSON.
        let message = String(repeating: "e" + String(repeating: "\u{1}\u{301}", count: 20), count: 2_000)
        try keeper.call(Methods.Break.self, .init(ticket: wanted.ticket, message: message))
        let found = try reader.replies(to: Methods.Fetch.self).flatMap(\.found)
        #expect(found.count == 1_500 && found.allSatisfy { $0.missing != nil })
    }

    @Test("A Fetch beyond the limit on handles releases the handles that it has made")
    func handles() throws {
        let count = WireLimits().handles + 1
        try write((0..<count).map { [WireNewRepresentation(type: "public.png", promise: "\($0)")] })
        try reader.call(Methods.Fetch.self, .init(pasteboard: "general"), more: true)
        let keeper = try fixture.client()
        for _ in 0..<count {
            let wanted = try #require(try writer.reply(to: Methods.Set.self)?.wanted)
            try keeper.call(
                Methods.Keep.self, .init(ticket: wanted.ticket, bytes: WireBytes(descriptor: 0, offset: 0, length: 1)),
                descriptors: [try MemoryFile.containing([0x61]).descriptor])
            _ = try keeper.replies(to: Methods.Keep.self)
        }
        #expect(throws: BridgeError.self) { try reader.replies(to: Methods.Fetch.self) }
        try reader.call(Methods.Fetch.self, .init(pasteboard: "general", items: [0]), more: true)
        #expect(try reader.replies(to: Methods.Fetch.self).flatMap(\.found).map(\.bytes?.length) == [1])
    }

    @Test("Each item is sent once, in the order of the request")
    func set() throws {
        try write([[text], [text], [text]])
        try reader.call(
            Methods.Fetch.self, .init(pasteboard: "general", items: [2, 0, 2, 0, 2], descriptors: true), more: true)
        #expect(try reader.replies(to: Methods.Fetch.self).flatMap(\.found).map(\.item) == [2, 0])
    }

    @Test("Nothing more is requested for a reader that has gone")
    func gone() throws {
        try write((0..<3).map { [WireNewRepresentation(type: "public.png", promise: "\($0)")] })
        try reader.call(Methods.Fetch.self, .init(pasteboard: "general", descriptors: true), more: true)
        let wanted = try #require(try writer.reply(to: Methods.Set.self)?.wanted)
        #expect(wanted.promise == "0")
        reader.close()
        let keeper = try fixture.client()
        try keeper.call(Methods.Break.self, .init(ticket: wanted.ticket, message: ""))
        #expect(try writer.replies(to: Methods.Set.self).isEmpty)
    }
}
