import EventLoop
import LinuxSystem
import PasteboardWire
import Testing

@testable import Bridge

@Suite struct CallSharesTests {
    @Test("A program has its share of each round, and one call at least")
    func share() {
        var shares = CallShares(share: .milliseconds(10))
        #expect(shares.hasTime(for: 1))
        shares.spend(.milliseconds(9), for: 1)
        #expect(shares.hasTime(for: 1))
        shares.spend(.milliseconds(1), for: 1)
        #expect(!shares.hasTime(for: 1) && shares.hasTime(for: 2))
        shares.beginRound()
        #expect(shares.hasTime(for: 1))
    }

    @Test("Calls beyond the share are answered in later rounds, in their order, though their client is gone")
    func rounds() throws {
        let fixture = try ServiceFixture()
        fixture.service.shares = CallShares(share: .zero)
        let names = ["com.example.a", "com.example.b", "com.example.c"]
        let session: ClientSession
        do {
            let (near, far) = try UnixSocket.pair()
            session = ClientSession(
                try ServerConnection(socket: far), service: fixture.service, loop: fixture.loop,
                logger: fixture.service.logger
            ) { _ in }
            let channel = ClientChannel(socket: near)
            for name in names {
                channel.append(
                    try EncodedCall(Methods.Create.self, .init(pasteboard: name, lasting: true), oneway: true))
            }
            try channel.flush()
        }
        // Not even its end is a reason to leave some out.
        var known: [Int] = []
        while !session.isClosed, known.count < 10 {
            fixture.service.shares.beginRound()
            session.ready([.readable, .hangup])
            known.append(names.count { fixture.board($0) != nil })
        }
        #expect(known == [1, 2, 3])
        #expect(session.isClosed)
    }

    @Test("A call whose caller has given up before it was taken is not carried out later")
    func abandoned() throws {
        let fixture = try ServiceFixture()
        let session: ClientSession
        do {
            let (near, far) = try UnixSocket.pair()
            session = ClientSession(
                try ServerConnection(socket: far), service: fixture.service, loop: fixture.loop,
                logger: fixture.service.logger
            ) { _ in }
            let channel = ClientChannel(socket: near)
            for (name, oneway) in [("com.example.a", false), ("com.example.b", true)] {
                channel.append(
                    try EncodedCall(
                        Methods.Create.self, .init(pasteboard: name, lasting: true), oneway: oneway))
            }
            try channel.flush()
        }
        session.ready([.readable, .hangup])
        #expect(fixture.board("com.example.a") == nil && fixture.board("com.example.b") != nil)
    }
}
