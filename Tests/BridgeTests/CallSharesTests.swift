import Bridge
import BridgeServer
import EventLoop
import LinuxSystem
import PasteboardWire
import Testing

@Suite struct CallSharesTests {
    @Test("Calls beyond the share are performed in later rounds, in order, even if their client is gone")
    func rounds() throws {
        let fixture = try ServiceFixture()
        fixture.service.quotas.scheduler = FairScheduler(share: .zero)
        let names = ["com.example.a", "com.example.b", "com.example.c"]
        let session = try gone(from: fixture, having: names.map { (creating: $0, oneway: true) })
        // Not even the end of the client is a reason to skip calls.
        var known: [Int] = []
        while !session.isClosed, known.count < 10 {
            fixture.service.quotas.scheduler.startRound()
            session.ready([.readable, .hangup])
            known.append(names.count { fixture.pasteboard($0) != nil })
        }
        #expect(known == [1, 2, 3])
        #expect(session.isClosed)
    }

    @Test("A call whose caller gives up before the call begins is not performed later")
    func abandoned() throws {
        let fixture = try ServiceFixture()
        // One round has time for both calls, even on a busy machine.
        fixture.service.quotas.scheduler = FairScheduler(share: .seconds(3_600))
        let calls = [(creating: "com.example.a", oneway: false), (creating: "com.example.b", oneway: true)]
        let session = try gone(from: fixture, having: calls)
        session.ready([.readable, .hangup])
        #expect(fixture.pasteboard("com.example.a") == nil && fixture.pasteboard("com.example.b") != nil)
    }

    /// Returns the session of a client that sent calls and closed its end before any call began.
    private func gone(
        from fixture: ServiceFixture, having calls: [(creating: String, oneway: Bool)]
    ) throws -> CallSession {
        let (near, far) = try UnixSocket.pair()
        let channel = ClientChannel(socket: near)
        for (name, oneway) in calls {
            channel.append(
                try EncodedCall(Methods.Create.self, .init(pasteboard: name, lasting: true), oneway: oneway))
        }
        try channel.flush()
        return fixture.service.makeSession(try ServerConnection(socket: far), loop: fixture.loop)
    }
}
