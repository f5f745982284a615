import Bridge
import BridgeState
import FormatConversion
import LinuxSystem
import PasteboardModel
import PasteboardWire
import SystemPackage
import Testing
import X11Bridge

@Suite struct SecretsTests {
    private let fixture: ServiceFixture
    private let client: ServiceClient

    init() throws {
        fixture = try ServiceFixture()
        client = try fixture.client()
    }

    /// Returns a pipe with the bytes, as a client passes a secret.
    private func pipe(_ bytes: [UInt8]) throws -> Descriptor {
        let secret = try unsafe bytes.withUnsafeBytes { try SecretMemory.copying(unsafe $0.bytes) }
        return try secret.pipe(in: 0..<secret.length)
    }

    private func parameters(
        _ representations: [WireNewRepresentation], append: Bool? = nil, into: Int? = nil, concealed: Bool = true
    ) -> Methods.Set.Parameters {
        .init(
            pasteboards: ["general"], items: [WireNewItem(representations: representations)], append: append,
            into: into, options: WireOptions(concealed: concealed))
    }

    private func representation(
        _ range: Range<Int>, as type: String = "public.utf8-plain-text", in index: Int = 0
    ) -> WireNewRepresentation {
        .init(
            type: type, bytes: WireBytes(descriptor: index, offset: range.lowerBound, length: range.count))
    }

    private func set(_ parameters: Methods.Set.Parameters, _ descriptors: [Descriptor]) throws {
        try client.call(Methods.Set.self, parameters, descriptors: descriptors)
        _ = try client.replies(to: Methods.Set.self)
    }

    private func set(_ text: String, as type: String = "public.utf8-plain-text", append: Bool? = nil) throws {
        let bytes = Array(text.utf8)
        try set(parameters([representation(0..<bytes.count, as: type)], append: append), [try pipe(bytes)])
    }

    private func refusal(_ body: () throws -> Void) -> BridgeError? {
        #expect(throws: BridgeError.self) { try body() }
    }

    private var version: PasteboardState.Version? { fixture.pasteboard("general")?.version }
    private var names: [String] { version?.plan.targets.map(\.name) ?? [] }

    // MARK: Reading

    @Test("Each reader gets a secret through its own pipe")
    func read() throws {
        try set("s3cret")
        for type in ["public.utf8-plain-text", "UTF8_STRING", "text/plain", "STRING", "text"] {
            try client.call(Methods.Get.self, .init(pasteboard: "general", types: [type], descriptors: true))
            let (reply, descriptors) = try #require(try client.answer(to: Methods.Get.self))
            #expect(reply.bytes == WireBytes(descriptor: 0, offset: 0, length: 6))
            let held = try ImmutableBytes(adopting: descriptors[0])
            #expect(held.secret != nil, "\(type)")
            #expect(try held.bytes(in: 0..<6) == Array("s3cret".utf8))
        }
    }

    @Test("All representations of a secret come through one pipe, as ranges of its bytes")
    func fetch() throws {
        try set(
            parameters([representation(0..<3), representation(2..<5, as: "com.example.other")]),
            [try pipe(Array("abcde".utf8))])
        try client.call(Methods.Fetch.self, .init(pasteboard: "general", descriptors: true), more: true)
        let (reply, descriptors) = try #require(try client.answer(to: Methods.Fetch.self))
        #expect(
            reply.found.map(\.type) == [
                "public.utf8-plain-text", "com.example.other", "org.nspasteboard.ConcealedType",
            ])
        #expect(reply.found.compactMap(\.bytes?.length) == [3, 3, 0])
        let held = try descriptors.map { try ImmutableBytes(adopting: $0) }
        let place = try #require(reply.found[1].bytes)
        let range = place.offset..<place.offset + place.length
        #expect(try held[place.descriptor ?? 9].bytes(in: range) == Array("cde".utf8))
    }

    @Test("A secret is not read in pieces")
    func noPieces() throws {
        try set("s3cret")
        let error = refusal {
            try client.call(Methods.Get.self, .init(pasteboard: "general"))
            _ = try client.replies(to: Methods.Get.self)
        }
        #expect(error?.code == .refused && error?.message.contains("descriptor") == true)
    }

    @Test("A secret has its own types and its mark, and nothing is derived from it")
    func types() throws {
        try set("<b>s3cret</b>", as: "public.html")
        try client.call(Methods.Describe.self, .init(pasteboard: "general", targets: true))
        let reply = try #require(try client.replies(to: Methods.Describe.self).first)
        #expect(reply.items[0].representations.map(\.type) == ["public.html", "org.nspasteboard.ConcealedType"])
        #expect(reply.options?.concealed == true)
        #expect(reply.items[0].targets?.contains("UTF8_STRING") == false)
        let error = refusal {
            try client.call(
                Methods.Get.self, .init(pasteboard: "general", types: ["public.utf8-plain-text"], descriptors: true))
            _ = try client.replies(to: Methods.Get.self)
        }
        #expect(error?.code == .noSuchType)
    }

    // MARK: Names

    @Test("Secret text is offered under the names with the same bytes, and with KDE's mark")
    func textNames() throws {
        try set("s3cret")
        for name in [
            "UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "STRING", "TEXT", "x-kde-passwordManagerHint",
            "org.nspasteboard.ConcealedType",
        ] { #expect(names.contains(name), "\(name)") }
        try set("geheim\u{FC}")
        #expect(names.contains("UTF8_STRING") && names.contains("text/plain"))
        #expect(!names.contains("STRING") && !names.contains("COMPOUND_TEXT"))
    }

    @Test("The offer of a secret contains only its bytes and the mark's constant")
    func bodies() throws {
        try set("s3cret")
        for body in try #require(version?.plan.bodies) {
            switch body.derivation {
            case .source, .made(.constant, _): break
            case .made(let step, _): Issue.record("\(step) was made from the secret")
            }
        }
    }

    @Test("A secret of another type is offered under its own name", arguments: ["image/png", "application/x-mine"])
    func otherNames(type: String) throws {
        try set("s3cret", as: type)
        #expect(names.contains(type) && names.contains("x-kde-passwordManagerHint"))
        #expect(!names.contains("UTF8_STRING"))
    }

    // MARK: Refusals

    @Test("A secret can be passed only through a pipe")
    func refused() throws {
        let text = parameters([representation(0..<6)])
        let file = refusal { try set(text, [try MemoryFile.containing(Array("s3cret".utf8)).descriptor]) }
        #expect(file?.code == .invalidBytes)
        let short = refusal { try set(text, [try pipe(Array("s3c".utf8))]) }
        #expect(short?.code == .invalidBytes && short?.message.contains("3 bytes of the 6") == true)
        let promised = refusal {
            try client.promise(.promising(on: "general", options: WireOptions(concealed: true)))
            _ = try client.replies(to: Methods.Set.self)
        }
        #expect(promised?.code == .refused)
        let uploaded = refusal {
            try set(
                parameters([
                    WireNewRepresentation(
                        type: "public.utf8-plain-text", bytes: WireBytes(handle: "1", offset: 0, length: 6))
                ]), [])
        }
        #expect(uploaded?.code == .invalidBytes && uploaded?.message.contains("pipe") == true)
        #expect(fixture.pasteboard("general")?.isEmpty == true)
    }

    @Test("A pipe is refused for contents that are not concealed")
    func pipeOfOthers() throws {
        let error = refusal { try set(parameters([representation(0..<1)], concealed: false), [try pipe([0x61])]) }
        #expect(error?.code == .invalidBytes)
    }

    @Test("Secrets over 64 KiB in total, and invalid ranges, are refused")
    func long() throws {
        let half = { try self.pipe(.init(repeating: 0x61, count: 40_000)) }
        let two = parameters([representation(0..<40_000), representation(0..<40_000, in: 1)])
        #expect(refusal { try set(two, [try half(), try half()]) }?.code == .refused)
        #expect(refusal { try set(parameters([representation(0..<65_537)]), [try half()]) }?.code == .refused)
        let negative = WireNewRepresentation(
            type: "public.utf8-plain-text", bytes: WireBytes(descriptor: 0, offset: -1, length: 6))
        #expect(refusal { try set(parameters([negative]), [try half()]) }?.code == .invalidBytes)
        let overflowing = WireNewRepresentation(
            type: "public.utf8-plain-text", bytes: WireBytes(descriptor: 0, offset: .max, length: .max))
        #expect(refusal { try set(parameters([overflowing]), [try half()]) }?.code == .refused)
    }

    // MARK: Adding

    @Test("Contents that are combined with a secret become a secret", arguments: [false, true])
    func added(secretFirst: Bool) throws {
        func plain() throws {
            try set(
                parameters([representation(0..<4)], append: true, concealed: false),
                [try MemoryFile.containing(Array("open".utf8)).descriptor])
        }
        if !secretFirst { try plain() }
        try set("s3cret", append: true)
        if secretFirst { try plain() }
        let version = try #require(version)
        #expect(version.options.concealed && version.contents.items.count == 2 && version.contents.marks.isConcealed)
        for backing in version.backings { #expect(backing.held?.secret != nil) }
        #expect(!version.contents.isStorable(with: version.options))
    }

    @Test("Contents added to another program's secret become a secret in locked memory")
    func addedToForeign() throws {
        let fixture = try ServiceFixture(display: ":0")
        fixture.copy(
            ForeignProgram(offers: [("UTF8_STRING", .text("s3cret")), ("x-kde-passwordManagerHint", .text("secret"))]))
        var text = Methods.Set.Parameters.text(on: "general")
        text.append = true
        try fixture.client().set(text)
        fixture.succeed()
        let version = try #require(fixture.pasteboard("general")?.version)
        #expect(version.options.concealed && version.contents.items.count == 2)
        for backing in version.backings { #expect(backing.held?.secret != nil) }
    }

    @Test("A secret stays a secret when contents are added, even if its program lists the mark but does not serve it")
    func addedToUnservedMark() throws {
        let fixture = try ServiceFixture(display: ":0")
        fixture.copy(
            ForeignProgram(offers: [("UTF8_STRING", .text("s3cret")), ("x-kde-passwordManagerHint", .refusal)]))
        var text = Methods.Set.Parameters.text(on: "general")
        text.append = true
        try fixture.client().set(text)
        fixture.succeed()
        let version = try #require(fixture.pasteboard("general")?.version)
        #expect(version.options.concealed)
        for backing in version.backings { #expect(backing.held?.secret != nil) }
    }

    @Test("Contents that would make a secret too long are not added to it")
    func addedLong() throws {
        try set("s3cret")
        let error = refusal {
            try set(
                parameters([representation(0..<65_535)], append: true, concealed: false),
                [try MemoryFile.containing(.init(repeating: 0x61, count: 65_535)).descriptor])
        }
        #expect(error?.code == .refused && fixture.pasteboard("general")?.count == 1)
    }

    @Test("Locked memory is freed with its contents")
    func released() throws {
        try set("s3cret")
        weak let secret = version?.backings.first?.held?.secret
        #expect(secret != nil)
        try set("other")
        #expect(secret == nil)
    }
}
