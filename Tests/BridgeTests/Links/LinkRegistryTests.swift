import Bridge
import BridgeServer
import PasteboardWire
import Testing

@Suite final class LinkRegistryTests: LinkedPrograms {
    @Test("A name has at most one link, and a connection belongs to at most one link")
    func once() throws {
        let second = fixture.error(Methods.OpenLink.self, .init(name: "server"), of: local, more: true)
        #expect(second?.message.contains("already") == true)
        #expect(
            fixture.error(Methods.OpenLink.self, .init(name: "a\u{1b}[2J"), of: local, more: true)?.code == .invalidName
        )
        #expect(
            fixture.error(Methods.OpenLink.self, .init(name: "b", allow: ["all"]), of: local, more: true)?.code
                == .refused)
        #expect(fixture.error(Methods.JoinLink.self, .init(key: "1"), of: local)?.code == .refused)
        _ = try fixture.reply(Methods.JoinLink.self, .init(key: key, full: true), of: local)
        #expect(fixture.error(Methods.JoinLink.self, .init(key: key), of: local)?.code == .refused)
        _ = try fixture.reply(Methods.Status.self, .init(), of: local)
    }

    @Test("The status says whether the other machine is reached, and if not, why")
    func reported() throws {
        #expect(fixture.service.links.status.first?.attached == false)
        _ = try fixture.reply(Methods.ReportLink.self, .init(key: key, attached: true), of: local)
        #expect(fixture.service.links.status.first?.attached == true)
        _ = try fixture.reply(Methods.ReportLink.self, .init(key: key, attached: false, reason: "no route"), of: local)
        #expect(fixture.service.links.status.first?.reason == "no route")
    }

    @Test("A new link with the token of an open link ends that link, and no other link")
    func replaced() throws {
        let (first, second, other) = (try fixture.client(), try fixture.client(), try fixture.client())
        for (client, token) in [(first, "a"), (other, "b"), (second, "a")] {
            _ = try fixture.reply(Methods.OpenLink.self, .init(name: "near", token: token), of: client, more: true)
        }
        #expect(try first.replies(to: Methods.OpenLink.self).last?.closed == true)
        #expect(try other.replies(to: Methods.OpenLink.self).last?.closed == nil)
        #expect(fixture.service.links.status.map(\.name) == ["near", "near#2", "server"])
        second.close()
        fixture.succeed()
        #expect(fixture.service.links.status.map(\.name) == ["near#2", "server"])
    }

    @Test("Links of machines with the same name have numbers, and CloseLink takes the name with the number")
    func sameName() throws {
        let clients = [try fixture.client(), try fixture.client(), try fixture.client()]
        for (client, token) in zip(clients, ["a", "b", "c"]) {
            _ = try fixture.reply(Methods.OpenLink.self, .init(name: "near", token: token), of: client, more: true)
        }
        #expect(fixture.service.links.status.map(\.name) == ["near", "near#2", "near#3", "server"])
        _ = try fixture.reply(Methods.CloseLink.self, .init(name: "near#2"), of: local)
        #expect(try clients[1].replies(to: Methods.OpenLink.self).last?.closed == true)
        #expect(fixture.service.links.status.map(\.name) == ["near", "near#3", "server"])
    }

    @Test("A machine that already has a link cannot be linked a second time")
    func back() throws {
        let second = fixture.error(Methods.OpenLink.self, .init(name: "server", token: "a"), of: local, more: true)
        #expect(second?.code == .refused && second?.message.contains("already") == true)
    }

    @Test("A link ends with the connection that opened it, and so do the link's connections")
    func ends() throws {
        owner.close()
        fixture.succeed()
        #expect(fixture.service.links.status.isEmpty && remote.session.isClosed)
        #expect(fixture.error(Methods.JoinLink.self, .init(key: key), of: local)?.code == .refused)
    }

    @Test("A link ends when the program that opened it stops sending, which is all that ssh reports of its death")
    func endOfInput() throws {
        try owner.endSending()
        _ = try owner.exchange([])
        #expect(fixture.service.links.status.isEmpty && remote.session.isClosed)
    }

    @Test("CloseLink ends the call that opened the link")
    func closed() throws {
        #expect(fixture.error(Methods.CloseLink.self, .init(name: "other"), of: local)?.code == .refused)
        _ = try fixture.reply(Methods.CloseLink.self, .init(name: "server"), of: local)
        #expect(try owner.replies(to: Methods.OpenLink.self).last?.closed == true)
        #expect(fixture.service.links.status.isEmpty && remote.session.isClosed)
    }
}
