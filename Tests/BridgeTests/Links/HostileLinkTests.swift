import Bridge
import BridgeServer
import BridgeState
import Foundation
import LinuxSystem
import PasteboardModel
import PasteboardStore
import PasteboardWire
import SelectionProtocol
import SystemPackage
import Testing
import X11Bridge

/// A machine that tries to get more over its link than it is allowed.
@Suite struct HostileLinkTests {
    private let fixture: ServiceFixture
    private let local: ServiceClient
    /// A program on the other machine, which may make every call that can be allowed over a link.
    private let remote: ServiceClient

    init() throws {
        fixture = try ServiceFixture(display: ":99")
        local = try fixture.client()
        remote = try fixture.link("server", allow: LinkPermission.allCases)
    }

    /// A password manager with a password.
    private static let passwordManager = ForeignProgram(
        window: .init(0x50_0001),
        offers: [
            ("UTF8_STRING", .text("s3cret")), ("image/png", .text("s3cret")),
            ("x-kde-passwordManagerHint", .text("secret")),
        ])

    private var secrets: [String: () throws -> Void] {
        [
            "local": { try fixture.set(by: local, options: WireOptions(localOnly: true)) },
            "concealed": { try conceal() },
            "of a password manager": { fixture.copy(Self.passwordManager) },
            "with a mark that its owner refuses": {
                fixture.copy(
                    ForeignProgram(offers: [("UTF8_STRING", .text("a")), ("x-kde-passwordManagerHint", .refusal)]))
            },
            "with a mark of another name": {
                fixture.copy(
                    ForeignProgram(offers: [("UTF8_STRING", .text("a")), ("X-PasswordManagerHint", .text(""))]))
            },
        ]
    }

    /// Sets a secret of one byte, as `xpb set --concealed` does.
    private func conceal() throws {
        let bytes: [UInt8] = [0x61]
        let secret = try unsafe bytes.withUnsafeBytes { try SecretMemory.copying(unsafe $0.bytes) }
        try local.call(
            Methods.Set.self, .text(on: "general", options: WireOptions(concealed: true)),
            descriptors: [try secret.pipe(in: 0..<secret.length)])
        fixture.succeed()
        _ = try local.replies(to: Methods.Set.self)
    }

    // MARK: Secrets

    @Test("No call reads, describes or adds to withheld contents, even on a connection that may make all calls")
    func withheld() throws {
        let full = try fixture.link("other", full: true)
        for (kind, copy) in secrets {
            try copy()
            let count = fixture.pasteboard("general")?.count
            for client in [remote, full] {
                let name = "general"
                let errors = [
                    fixture.error(Methods.Get.self, .init(pasteboard: name), of: client),
                    fixture.error(Methods.Get.self, .init(pasteboard: name, stale: true), of: client),
                    fixture.error(Methods.Fetch.self, .init(pasteboard: name), of: client, more: true),
                    fixture.error(Methods.Describe.self, .init(pasteboard: name, lengths: true), of: client),
                    fixture.error(Methods.Match.self, .init(pasteboard: name, types: ["text"]), of: client),
                ]
                #expect(errors.map(\.?.code) == Array(repeating: .refused, count: 5), "\(kind)")
                let adding = #expect(throws: BridgeError.self) { try fixture.set(by: client, append: true) }
                #expect(adding?.code == .refused, "\(kind)")
            }
            #expect(fixture.pasteboard("general")?.count == count, "\(kind)")
        }
    }

    @Test("A password that is copied at any moment of a call is neither read, described nor added to")
    func races() throws {
        for moment in 0..<8 {
            // Each closure returns whether a reply tells of an image, which only the password has.
            let replies: [() throws -> Bool?] = [
                { try remote.replies(to: Methods.Get.self).first.map { $0.type == "public.png" } },
                { try remote.replies(to: Methods.Fetch.self).first.map { $0.found.contains { $0.type != nil } } },
                { try remote.replies(to: Methods.Describe.self).first.map { "\($0.items)".contains("public.png") } },
                { try remote.replies(to: Methods.Match.self).first.map { $0.items != [] } },
                {
                    try remote.replies(to: Methods.Set.self).first.map { _ in
                        fixture.pasteboard("general")?.version?.contents.marks.isSecret == true
                    }
                },
            ]
            for (number, tellsOfPassword) in replies.enumerated() {
                fixture.copy(.text("open"))
                fixture.succeed()
                switch number {
                case 0: try remote.call(Methods.Get.self, .init(pasteboard: "general", types: ["image", "text"]))
                case 1:
                    let parameters = Methods.Fetch.Parameters(pasteboard: "general", types: ["image"])
                    try remote.call(Methods.Fetch.self, parameters, more: true)
                case 2: try remote.call(Methods.Describe.self, .init(pasteboard: "general"))
                case 3: try remote.call(Methods.Match.self, .init(pasteboard: "general", types: ["image"]))
                default:
                    var parameters = Methods.Set.Parameters.text(on: "general")
                    parameters.append = true
                    try remote.set(parameters)
                }
                for _ in 0..<moment { fixture.succeedOnce() }
                fixture.copy(Self.passwordManager)
                fixture.succeed()
                do {
                    #expect(try tellsOfPassword() == false, "call \(number) at \(moment)")
                } catch let error as BridgeError {
                    #expect(error.code == .refused || error.code == .transferBroken, "\(error)")
                }
            }
        }
    }

    @Test("A watcher is not sent the types of withheld contents, even over a link that shares the pasteboard")
    func watched() throws {
        let full = try fixture.link("other", full: true)
        try remote.call(Methods.Monitor.self, .init(pasteboards: ["general"], types: true), more: true)
        try full.call(Methods.Monitor.self, .init(pasteboards: ["general"], types: true, origins: true), more: true)
        for (kind, copy) in secrets {
            try copy()
            // In a burst of changes, an owner is asked after a pause.
            fixture.pass(ReportPace.interval)
            let replies = try remote.replies(to: Methods.Monitor.self)
            #expect(replies.map(\.types) == [[]], "\(kind)")
            let shared = try full.replies(to: Methods.Monitor.self)
            #expect(shared.map(\.types) == [[]] && shared.map(\.withheld) == [true], "\(kind)")
        }
        fixture.copy(.text("open"))
        fixture.pass(ReportPace.interval)
        for client in [remote, full] {
            #expect(try client.replies(to: Methods.Monitor.self).map(\.types.isEmpty) == [false])
        }
    }

    @Test("Contents for one paste are withheld from a machine that shares the pasteboard")
    func once() throws {
        let full = try fixture.link("other", full: true)
        try full.call(Methods.Monitor.self, .init(pasteboards: ["general"], types: true, origins: true), more: true)
        try fixture.set(by: local, options: WireOptions(once: true))
        #expect(try full.replies(to: Methods.Monitor.self).map(\.withheld) == [true])
    }

    @Test("Hidden pasteboards do not exist for other machines")
    func hidden() throws {
        let name = "com.example.hidden"
        _ = try fixture.reply(Methods.Create.self, .init(pasteboard: name, hidden: true), of: local)
        try fixture.set(by: local, on: name)
        let errors = [
            fixture.error(Methods.Get.self, .init(pasteboard: name), of: remote),
            fixture.error(Methods.Describe.self, .init(pasteboard: name), of: remote),
            fixture.error(Methods.Clear.self, .init(pasteboards: [name]), of: remote),
            fixture.error(Methods.Count.self, .init(pasteboard: name), of: remote),
            fixture.error(Methods.GetOwner.self, .init(pasteboard: name), of: remote),
            fixture.error(Methods.Undo.self, .init(pasteboard: name), of: remote),
            fixture.error(Methods.Monitor.self, .init(pasteboards: ["general", name]), of: remote, more: true),
            #expect(throws: BridgeError.self) { try fixture.set(by: remote, on: name) },
        ]
        #expect(errors.map(\.?.code) == Array(repeating: .noSuchPasteboard, count: errors.count))
        let boards = try fixture.reply(Methods.List.self, .init(), of: remote).boards
        #expect(!boards.isEmpty && !boards.contains { $0.name == name })
    }

    // MARK: Contents of this machine

    @Test("An entry is restored on its own pasteboard only if the link may change that pasteboard")
    func restored() throws {
        let stored = try StoredService()
        try stored.set("a", on: "find")
        let entry = try #require(try stored.history().first?.id.number)
        func restore(_ pasteboard: String?, by client: ServiceClient) throws -> Methods.Restore.Reply? {
            try stored.begin(Methods.Restore.self, .init(entry: entry, pasteboard: pasteboard), by: client)
            try stored.settle()
            return try client.replies(to: Methods.Restore.self).first
        }
        let link = try stored.fixture.link("near", allow: [.history])
        for name in [nil, "find"] {
            let error = #expect(throws: BridgeError.self) { try restore(name, by: link) }
            #expect(error?.code == .refused && error?.message.contains("find") == true)
        }
        #expect(try stored.pasteboard("find").count == 1)
        #expect(try restore("general", by: link)?.count == 1)
        let finder = try stored.fixture.link("far", allow: [.history, .find])
        #expect(try restore(nil, by: finder)?.count == 2)
    }

    @Test("Contents that are restored from the history no longer belong to the link")
    func broughtBack() throws {
        let stored = try StoredService()
        let link = try stored.fixture.link("near", allow: [.history])
        func read() throws -> Int? {
            try stored.begin(Methods.Get.self, .init(pasteboard: "general"), by: link)
            try stored.settle()
            return try link.replies(to: Methods.Get.self).first?.bytes.length
        }
        try stored.begin("a", by: link)
        try stored.settle()
        _ = try link.replies(to: Methods.Set.self)
        #expect(try read() == 1)
        let entry = try #require(try stored.history().first?.id.number)
        try stored.begin(Methods.Restore.self, .init(entry: entry), by: link)
        try stored.settle()
        #expect(try link.replies(to: Methods.Restore.self).map(\.count) == [2])
        let error = #expect(throws: BridgeError.self) { try read() }
        #expect(error?.code == .refused)
    }

    @Test("Over a link, the history omits local-only contents, which stay local-only when they are restored")
    func localOnly() throws {
        let stored = try StoredService()
        let link = try stored.fixture.link("near", allow: LinkPermission.allCases)
        func isRefused(entry: Int? = nil) throws -> Bool {
            try stored.begin(Methods.Get.self, .init(pasteboard: "general", entry: entry), by: link)
            try stored.settle()
            return #expect(throws: BridgeError.self) { try link.replies(to: Methods.Get.self) }?.code == .refused
        }
        try stored.begin(
            Methods.Set.self, .text(on: "general", options: WireOptions(localOnly: true)), bytes: "l")
        try stored.settle()
        _ = try stored.client.replies(to: Methods.Set.self)
        let entry = try #require(try stored.history().first?.id.number)
        try stored.set("o")
        try link.call(Methods.History.self, .init(), more: true)
        try stored.settle()
        #expect(try link.replies(to: Methods.History.self).flatMap(\.entries).map(\.preview) == ["o"])
        #expect(try isRefused(entry: entry))
        try stored.begin(Methods.Undo.self, .init(pasteboard: "general"), by: link)
        try stored.settle()
        #expect(try link.replies(to: Methods.Undo.self).map(\.count) == [3])
        #expect(try isRefused())
        try stored.set("p")
        try stored.begin(Methods.Restore.self, .init(entry: entry), by: link)
        try stored.settle()
        #expect(try link.replies(to: Methods.Restore.self).map(\.count) == [5])
        #expect(try isRefused())
    }

    @Test("Contents belong to a link only while all of them came over it")
    func added() throws {
        let other = try fixture.link("other")
        func mayRead(_ client: ServiceClient) -> Bool {
            (try? fixture.reply(Methods.Get.self, .init(pasteboard: "general"), of: client)) != nil
        }
        try fixture.set(by: other, append: true)
        #expect(mayRead(other))
        try fixture.set(by: local, append: true)
        #expect(!mayRead(other))
        fixture.copy(.text("of a program"))
        try fixture.set(by: other, append: true)
        #expect(!mayRead(other))
        try fixture.set(by: remote)
        try fixture.set(by: other, append: true)
        #expect(!mayRead(other))
    }

    @Test("A program on the other machine cannot run filters, and does not see the types that they would make")
    func filters() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "xpb-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder.appending(path: "xpb"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let settings = #"{ "filters": { "public.utf8-plain-text -> public.png": "cat" } }"#
        try Data(settings.utf8).write(to: folder.appending(path: "xpb/config.json"))
        let fixture = try ServiceFixture(environment: ["XDG_CONFIG_HOME": folder.path])
        let local = try fixture.client()
        let remote = try fixture.link("server", allow: LinkPermission.allCases)
        try fixture.set(by: remote)
        func types(_ client: ServiceClient) throws -> [String] {
            let reply = try fixture.reply(Methods.Describe.self, .init(pasteboard: "general"), of: client)
            return reply.items.flatMap(\.representations).map(\.type)
        }
        #expect(try types(local) == ["public.utf8-plain-text", "public.png"])
        #expect(try types(remote) == ["public.utf8-plain-text"])
        let match = Methods.Match.Parameters(pasteboard: "general", types: ["public.png"])
        #expect(try fixture.reply(Methods.Match.self, match, of: local).items == [0])
        #expect(try fixture.reply(Methods.Match.self, match, of: remote).items == [])
        let get = Methods.Get.Parameters(pasteboard: "general", types: ["public.png"])
        #expect(fixture.error(Methods.Get.self, get, of: remote)?.code == .noSuchType)
        let fetch = Methods.Fetch.Parameters(pasteboard: "general", types: ["public.png"])
        #expect(try fixture.reply(Methods.Fetch.self, fetch, of: remote, more: true).found.map(\.type) == [nil])
    }

    // MARK: Limits

    @Test("The limits of a link are the limits that SECURITY.md names")
    func limits() {
        #expect(
            LinkTransfers.maxBytes == 256 << 20 && LinkTransfers.maxDownloaded == 1 << 30
                && Link.maxTimeout == 5 * 60 * 1_000)
        #expect(Link.maxNewPasteboards == 64 && Link.maxTypeNames == 4_096 && CallRate.callsPerSecond == 1_000)
        #expect(CallRate.burst == 2_000)
    }

    @Test("The selections of managers, and names with control characters, cannot be set")
    func names() throws {
        let names = ["WM_S0", "_NET_WM_CM_S0", "CLIPBOARD_MANAGER", "XdndSelection", "a.b_S0", "a.\u{1b}[2J", "", "a."]
        for name in names {
            let error = #expect(throws: BridgeError.self) { try fixture.set(by: remote, on: name) }
            #expect(error?.code == .refused || error?.code == .invalidName, "\(name)")
            #expect(error?.message.utf8.contains(0x1B) != true)
        }
        #expect(fixture.claimed.isEmpty)
    }

    @Test("A link creates a limited number of pasteboards, but may use any existing pasteboard")
    func pasteboards() throws {
        for number in 1...Link.maxNewPasteboards {
            _ = try fixture.reply(Methods.Count.self, .init(pasteboard: "com.example.p\(number)"), of: remote)
        }
        #expect(fixture.error(Methods.Count.self, .init(pasteboard: "com.example.p"), of: remote)?.code == .refused)
        try fixture.set(by: local, on: "com.example.p")
        #expect(try fixture.set(by: remote, on: "com.example.p") == [2])
        #expect(try fixture.set(by: remote, on: "com.example.p1") == [1])
    }

    @Test("The contents that came over a link are limited in total length over all pasteboards")
    func length() throws {
        let half = try MemoryFile.containing([UInt8](repeating: 0, count: LinkTransfers.maxBytes / 2 + 1))
        func set(on pasteboard: String, by client: ServiceClient, append: Bool? = nil) throws {
            let bytes = WireBytes(descriptor: 0, offset: 0, length: 1)
            let item = WireNewItem(representations: [.init(type: "public.data", bytes: bytes)])
            let parameters = Methods.Set.Parameters(pasteboards: [pasteboard], items: [item], append: append)
            try client.call(Methods.Set.self, parameters, descriptors: [half.descriptor])
            fixture.succeed()
            _ = try client.replies(to: Methods.Set.self)
        }
        try set(on: "com.example.a", by: remote)
        try set(on: "com.example.a", by: remote)
        for (pasteboard, append) in [("com.example.a", true), ("com.example.b", false), ("com.example.b", true)] {
            let error = #expect(throws: BridgeError.self) { try set(on: pasteboard, by: remote, append: append) }
            #expect(error?.message.contains("MiB") == true)
        }
        try set(on: "com.example.b", by: local)
        try fixture.set(by: remote, on: "com.example.a")
        try set(on: "com.example.c", by: remote)
    }

    @Test("Replaced contents that a link has yet to read are limited in total length")
    func downloads() throws {
        let file = try MemoryFile.containing([UInt8](repeating: 0, count: LinkTransfers.maxDownloaded / 4 - 1))
        func replace() throws -> String? {
            let bytes = WireBytes(descriptor: 0, offset: 0, length: 1)
            let item = WireNewItem(representations: [.init(type: "public.data", bytes: bytes)])
            // The bridge takes each call's file as a separate file.
            try local.call(
                Methods.Set.self, .init(pasteboards: ["general"], items: [item]), descriptors: [file.descriptor])
            fixture.succeed()
            _ = try local.replies(to: Methods.Set.self)
            return try fixture.reply(
                Methods.Get.self, .init(pasteboard: "general", types: ["public.data"]), of: remote
            ).bytes.handle
        }
        var handles: [String] = []
        for _ in 0..<4 { handles.append(try #require(try replace())) }
        #expect(throws: BridgeError.self) { try replace() }
        _ = try fixture.reply(Methods.Release.self, .init(handle: handles[0]), of: remote)
        _ = try replace()
    }

    @Test("A file that exceeds the limit on unread contents can be read alone")
    func longDownload() throws {
        // A file with a hole takes no memory.
        let writer = try MemoryFileWriter()
        try writer.fileDescriptor.resize(to: Int64(LinkTransfers.maxDownloaded) + 1)
        let bytes = WireBytes(descriptor: 0, offset: 0, length: 1)
        let item = WireNewItem(representations: [.init(type: "public.data", bytes: bytes)])
        try local.call(
            Methods.Set.self, .init(pasteboards: ["general"], items: [item]),
            descriptors: [try writer.sealedDescriptor()])
        fixture.succeed()
        _ = try local.replies(to: Methods.Set.self)
        let get = Methods.Get.Parameters(pasteboard: "general", types: ["public.data"])
        let handle = try #require(try fixture.reply(Methods.Get.self, get, of: remote).bytes.handle)
        try fixture.set(by: local)
        let text = Methods.Get.Parameters(pasteboard: "general")
        #expect(fixture.error(Methods.Get.self, text, of: remote)?.message.contains("1024 MiB") == true)
        _ = try fixture.reply(Methods.Release.self, .init(handle: handle), of: remote)
        #expect(try fixture.reply(Methods.Get.self, text, of: remote).bytes.handle != nil)
    }

    @Test("A call that could make other calls wait for a long time is refused")
    func timeout() throws {
        func clear(within timeout: Int) throws {
            _ = try fixture.reply(Methods.Clear.self, .init(pasteboards: ["general"], timeout: timeout), of: remote)
        }
        #expect(throws: BridgeError.self) { try clear(within: Link.maxTimeout + 1) }
        try clear(within: Link.maxTimeout)
    }

    @Test("A link can use a limited number of types, because the X server keeps their names")
    func types() throws {
        func set(_ round: Int, by client: ServiceClient) throws {
            let representations = (0..<1_024).map { number in
                WireNewRepresentation(
                    type: "application/x-\(round)-\(number)", bytes: WireBytes(descriptor: 0, offset: 0, length: 1))
            }
            try client.set(.init(pasteboards: ["general"], items: [WireNewItem(representations: representations)]))
            fixture.succeed()
            _ = try client.replies(to: Methods.Set.self)
        }
        let full = try fixture.link("other", full: true)
        for round in 0..<Link.maxTypeNames / 1_024 { try set(round, by: full) }
        #expect(throws: BridgeError.self) { try set(-1, by: full) }
        try set(-1, by: remote)
    }
}
