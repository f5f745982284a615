import Bridge
import BridgeServer
import BridgeState
import PasteboardWire
import Testing

@Suite final class LinkTests: LinkedPrograms {
    private func reply<M: WireMethod>(
        _ method: M.Type, _ parameters: M.Parameters, of client: ServiceClient, more: Bool = false
    ) throws -> M.Reply {
        try fixture.reply(method, parameters, of: client, more: more)
    }

    private func error<M: WireMethod>(
        _ method: M.Type, _ parameters: M.Parameters, of client: ServiceClient? = nil, more: Bool = false
    ) -> BridgeError? {
        fixture.error(method, parameters, of: client ?? remote, more: more)
    }

    /// Sets text of one byte.
    @discardableResult
    private func set(by client: ServiceClient, options: WireOptions? = nil, append: Bool? = nil) throws -> [Int] {
        try fixture.set(by: client, options: options, append: append)
    }

    // MARK: Calls

    @Test("Contents that came over the link can be read over it, but local contents cannot")
    func ownContents() throws {
        #expect(try set(by: remote) == [1])
        #expect(try reply(Methods.Get.self, .init(pasteboard: "general"), of: remote).count == 1)
        try set(by: local)
        let error = error(Methods.Get.self, .init(pasteboard: "general"))
        #expect(error?.code == .refused && error?.message.contains("--allow get") == true)
        #expect(self.error(Methods.Fetch.self, .init(pasteboard: "general"), more: true)?.code == .refused)
        #expect(try reply(Methods.Count.self, .init(pasteboard: "general"), of: remote).count == 2)
        #expect(try reply(Methods.Describe.self, .init(pasteboard: "general"), of: remote).items.count == 1)
    }

    @Test("Contents that were added to local contents cannot be read over the link")
    func added() throws {
        try set(by: local)
        try set(by: remote, append: true)
        #expect(error(Methods.Get.self, .init(pasteboard: "general"))?.code == .refused)
        try set(by: remote)
        try set(by: remote, append: true)
        #expect(try reply(Methods.Get.self, .init(pasteboard: "general"), of: remote).count == 4)
    }

    @Test("Contents that undo brings back do not belong to the link")
    func undone() throws {
        let other = try fixture.link("other", allow: [.undo])
        try set(by: local)
        try set(by: other)
        _ = try reply(Methods.Undo.self, .init(pasteboard: "general"), of: other)
        #expect(error(Methods.Get.self, .init(pasteboard: "general"), of: other)?.code == .refused)
    }

    @Test("Calls that a link does not allow are refused, and are counted")
    func refusals() throws {
        _ = error(Methods.Status.self, .init())
        _ = error(Methods.Stop.self, .init())
        _ = error(Methods.History.self, .init(), more: true)
        _ = error(Methods.Monitor.self, .init(pasteboards: ["general"]), more: true)
        _ = error(Methods.Count.self, .init(pasteboard: "find"))
        _ = error(Methods.Count.self, .init(pasteboard: "primary"))
        _ = error(Methods.Count.self, .init(pasteboard: "secondary"))
        _ = error(Methods.Get.self, .init(pasteboard: "general", entry: 1))
        _ = error(Methods.Describe.self, .init(pasteboard: "general", lengths: true))
        _ = error(Methods.JoinLink.self, .init(key: key, full: true))
        let promised = WireNewItem(representations: [.init(type: "public.utf8-plain-text", promise: "a")])
        _ = error(Methods.Set.self, .init(pasteboards: ["general"], items: [promised]), more: true)
        let origin = WireOrigin(machine: "server", time: 1)
        _ = error(Methods.Set.self, .init(pasteboards: ["general"], items: [], origin: origin))
        _ = error(Methods.Clear.self, .init(pasteboards: ["general"], origin: origin))
        let link = try #require(fixture.service.links.status.first)
        #expect(link.refused == 13 && link.calls == 13 && link.connections == 1)
        #expect(fixture.pasteboard("general")?.count == 0)
    }

    @Test("Calls about owners, names, undo, changes or the history are refused without their permissions")
    func closedCalls() throws {
        try set(by: local)
        let errors = [
            error(Methods.GetOwner.self, .init(pasteboard: "general")), error(Methods.List.self, .init()),
            error(Methods.Undo.self, .init(pasteboard: "general")),
            error(Methods.Redo.self, .init(pasteboard: "general")),
            error(Methods.GetUndoState.self, .init(pasteboard: "general")),
            error(Methods.Restore.self, .init(entry: 1)), error(Methods.History.self, .init(), more: true),
            error(Methods.Monitor.self, .init(pasteboards: ["general"]), more: true),
        ]
        #expect(errors.map(\.?.code) == Array(repeating: .refused, count: errors.count))
        #expect(fixture.pasteboard("general")?.count == 1)
    }

    @Test("Each permission allows more calls")
    func allowed() throws {
        let client = try fixture.link("other", allow: [.get, .find, .watch, .list])
        try set(by: local)
        #expect(try reply(Methods.Get.self, .init(pasteboard: "general"), of: client).count == 1)
        #expect(try reply(Methods.Count.self, .init(pasteboard: "find"), of: client).count == 0)
        #expect(try reply(Methods.List.self, .init(), of: client).boards.count > 1)
        let reply = try reply(
            Methods.Monitor.self, .init(pasteboards: ["general"], initial: true), of: client, more: true)
        #expect(reply.count == 1)
    }

    @Test("A link that allows only set refuses even the count")
    func setOnly() throws {
        let client = try fixture.link("other", allow: [.set])
        #expect(try set(by: client) == [0])
        #expect(error(Methods.Count.self, .init(pasteboard: "general"), of: client)?.code == .refused)
        #expect(try reply(Methods.Get.self, .init(pasteboard: "general"), of: client).count == 0)
    }

    // MARK: Secrets

    @Test("Local-only contents and programs' secrets never pass over a link, whatever it allows")
    func secrets() throws {
        let client = try fixture.link("other", allow: [.get])
        try set(by: local, options: WireOptions(localOnly: true))
        #expect(
            error(Methods.Get.self, .init(pasteboard: "general"), of: client)?.message.contains("own machine") == true)
        #expect(error(Methods.Describe.self, .init(pasteboard: "general"), of: client)?.code == .refused)
        fixture.copy(
            ForeignProgram(offers: [("UTF8_STRING", .text("s3cret")), ("x-kde-passwordManagerHint", .text("secret"))]))
        #expect(
            error(Methods.Get.self, .init(pasteboard: "general"), of: client)?.message.contains("concealed") == true)
        #expect(error(Methods.Fetch.self, .init(pasteboard: "general"), of: client, more: true)?.code == .refused)
        #expect(
            error(Methods.Match.self, .init(pasteboard: "general", types: ["text"]), of: client)?.code == .refused)
        fixture.copy(.text("open"))
        #expect(try reply(Methods.Get.self, .init(pasteboard: "general"), of: client).type == "public.utf8-plain-text")
    }

    // MARK: Links

    @Test(
        "A link that allows only set learns no counts of changes or items, and cannot set contents that disappear",
        arguments: [
            Methods.Set.Parameters(pasteboards: ["general"], items: [], ifCount: 7),
            Methods.Set.Parameters(pasteboards: ["general"], items: [], into: 3),
            Methods.Set.Parameters(pasteboards: ["general"], items: [], options: WireOptions(expires: 1)),
            Methods.Set.Parameters(pasteboards: ["general"], items: [], options: WireOptions(once: true)),
        ])
    func setAlone(parameters: Methods.Set.Parameters) throws {
        let client = try fixture.link("other", allow: [.set])
        #expect(try set(by: client) == [0])
        let error = error(Methods.Set.self, parameters, of: client)
        #expect(error?.code == .refused && error?.message.contains("the link does not allow") == true)
        #expect(error?.count == nil)
    }

    /// Returns the general pasteboard's owner as each call reports it over a link, and the state of undo.
    private func owners(toldTo client: ServiceClient) throws -> ([WireOwner], WireUndoState?) {
        let described = try reply(Methods.Describe.self, .init(pasteboard: "general"), of: client)
        let listed = try reply(Methods.List.self, .init(), of: client)
        let seen = try reply(
            Methods.Monitor.self, .init(pasteboards: ["general"], initial: true), of: client, more: true)
        let inList = try #require(listed.boards.first { $0.name == "general" }?.owner)
        return ([described.owner, inList, seen.owner], seen.undo)
    }

    @Test("Only a link that may ask for the owner learns the owner's program")
    func ownersProgram() throws {
        try set(by: local)
        for (allowed, isTold) in [([LinkPermission.watch, .list], false), ([.watch, .list, .owner, .undo], true)] {
            let (owners, undo) = try owners(toldTo: fixture.link(isTold ? "told" : "untold", allow: allowed))
            for owner in owners {
                #expect(owner.kind == .client && (owner.process != nil) == isTold && (owner.since != nil) == isTold)
            }
            // The state of undo names the program too.
            #expect((undo != nil) == isTold)
        }
    }

    @Test("Only a link that may ask for the owner learns a program's window and process")
    func ownersWindow() throws {
        fixture.copy(ForeignProgram(process: 7, offers: [("UTF8_STRING", .text("a"))]))
        for (allowed, isTold) in [([LinkPermission.watch, .list], false), ([.watch, .list, .owner], true)] {
            let (owners, _) = try owners(toldTo: fixture.link(isTold ? "told" : "untold", allow: allowed))
            for owner in owners { #expect(isTold ? owner.window != nil : owner == WireOwner(kind: .window)) }
        }
    }

    @Test("A watch over a link is not sent the types of withheld contents, not even when the contents are replaced")
    func replacedTypes() throws {
        let client = try fixture.link("other", allow: [.watch])
        try set(by: local, options: WireOptions(localOnly: true))
        try client.call(Methods.Monitor.self, .init(pasteboards: ["general"], types: true), more: true)
        fixture.succeed()
        try local.call(Methods.Clear.self, .init(pasteboards: ["general"]))
        fixture.succeed()
        let replies = try client.replies(to: Methods.Monitor.self)
        #expect(replies.map(\.types) == [[]] && replies.allSatisfy { $0.removed?.isEmpty != false })
    }

    @Test("A watch over a link does not see a hidden pasteboard that is created later under the same name")
    func hiddenLater() throws {
        let client = try fixture.link("other", allow: [.watch])
        try client.call(Methods.Monitor.self, .init(pasteboards: ["com.example.app"]), more: true)
        fixture.succeed()
        _ = try reply(Methods.Remove.self, .init(pasteboard: "com.example.app"), of: local)
        _ = try client.replies(to: Methods.Monitor.self)
        let hidden = Methods.Create.Parameters(pasteboard: "com.example.app", lasting: true, hidden: true)
        _ = try reply(Methods.Create.self, hidden, of: local)
        try fixture.set(by: local, on: "com.example.app")
        #expect(try client.replies(to: Methods.Monitor.self).isEmpty)
    }

    @Test("The owner of contents names the link")
    func named() throws {
        try set(by: remote)
        #expect(try reply(Methods.GetOwner.self, .init(pasteboard: "general"), of: local).owner.link == "server")
        try set(by: local)
        #expect(try reply(Methods.GetOwner.self, .init(pasteboard: "general"), of: local).owner.link == nil)
    }

    @Test("A watch over a link ends when its program stops sending, which is all that ssh reports of its death")
    func endedWatch() throws {
        let client = try fixture.link("other", allow: [.watch])
        _ = try reply(Methods.Monitor.self, .init(pasteboards: ["general"], initial: true), of: client, more: true)
        try client.endSending()
        _ = try client.exchange([])
        #expect(client.session.isClosed)
        #expect(fixture.service.links.status.first { $0.name == "other" }?.connections == 0)
    }
}
