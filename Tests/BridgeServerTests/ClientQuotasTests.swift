import BridgeServer
import Configuration
import Glibc
import LinuxSystem
import PasteboardWire
import Testing
import X11Bridge

@Suite struct ClientQuotasTests {
    private let quotas = ClientQuotas(limits: Configuration.Limits(), bytes: TransferBytes())

    private func limit(
        _ name: String, clients: ClientUse = ClientUse(), traffic: DisplayTraffic = DisplayTraffic()
    ) throws -> WireLimit {
        let limits = quotas.limits(Configuration.Limits(), clients, traffic)
        return try #require(limits.first { $0.name == name })
    }

    @Test("A limit reports its use, the refusals of both threads, and the evictions")
    func refusals() throws {
        quotas.refusals.note(.clients, at: 1)
        quotas.refusals.note(.longMessage, at: 1)
        quotas.evictions = 2
        var traffic = DisplayTraffic()
        traffic.refusals.note(.longMessage, at: 2)
        let clients = try limit("limit-clients", clients: ClientUse(count: 5), traffic: traffic)
        #expect(clients.used == 5 && clients.refused == 1 && clients.ended == 2)
        quotas.refusals.note(.badMessage, at: 3)
        #expect(try limit("limit-message", traffic: traffic).refused == 2)
        #expect(try limit("limit-transfers", traffic: traffic).refused == 0)
    }

    @Test("A limit per process reports the use and the program of the process that uses most")
    func biggest() throws {
        let use = ClientUse(count: 5, biggest: (getpid(), 4))
        let clients = try limit("limit-program-clients", clients: use)
        #expect(clients.used == 4 && clients.process == Int(getpid()))
        #expect(clients.program == ProcessName.of(getpid()))
        quotas.inbound.add(10, of: 1)
        quotas.inbound.add(30, of: 2)
        #expect(try limit("limit-incoming").used == 40)
        let incoming = try limit("limit-program-incoming")
        #expect(incoming.used == 30 && incoming.process == 2)
    }

    @Test("The limits on incoming bytes are never below the longest message")
    func inForce() throws {
        var limits = Configuration.Limits()
        (limits.message, limits.incoming, limits.programIncoming) = (8 << 20, 1, 1)
        let all = quotas.limits(limits, ClientUse(), DisplayTraffic())
        for name in ["limit-incoming", "limit-program-incoming"] {
            #expect(try #require(all.first { $0.name == name }).limit > 8 << 20)
        }
    }

    /// This runs in a separate process, because the limit on descriptors applies to the whole process.
    @Test("The limit on the process's descriptors comes last")
    func descriptors() async {
        await #expect(processExitsWith: .success) {
            let quotas = ClientQuotas(limits: Configuration.Limits(), bytes: TransferBytes())
            let last = quotas.limits(Configuration.Limits(), ClientUse(), DisplayTraffic()).last
            #expect(last?.name == "descriptors" && last?.limit == DescriptorReserve.limit)
        }
    }
}
