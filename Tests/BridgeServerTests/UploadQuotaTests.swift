import BridgeServer
import Configuration
import FoundationEssentials
import LinuxSystem
import PasteboardWire
import Testing
import X11Bridge

@Suite struct UploadQuotaTests {
    private static func quota(program: Int, all: Int) -> UploadQuota {
        var limits = Configuration.Limits()
        limits.programBytes = program
        limits.transferBytes = all
        return UploadQuota(limits: limits)
    }

    @Test("There is a limit for each process, and one for all processes together")
    func shares() {
        let quota = Self.quota(program: 10, all: 15)
        #expect(quota.add(10, of: 1) == nil)
        #expect(quota.add(1, of: 1) == .programBytes)
        #expect(quota.add(5, of: 2) == nil)
        #expect(quota.add(1, of: 2) == .transferBytes)
        quota.remove(3, of: 1)
        #expect(quota.add(3, of: 2) == nil)
        #expect(quota.bytes == 15 && quota.bytes(of: 1) == 7 && quota.bytes(of: 2) == 8)
    }

    @Test("The handles of a process's connections count together, until they are released or closed")
    func handles() throws {
        var limits = Configuration.Limits()
        limits.programHandles = 3
        let quota = UploadQuota(limits: limits)
        var refused: [Refusals.Reason] = []
        func client(_ process: Int32) -> ClientTransfers {
            ClientTransfers(limits: WireLimits(), quota: quota, process: process) { refused.append($0) }
        }
        let (first, second, other) = (client(7), client(7), client(8))
        let file = try MemoryFile.containing([1])
        let handles = [try first.begin().handle, try first.download(.file(file), 0..<1)]
        _ = try second.begin()
        #expect(throws: BridgeError.self) { try first.begin() }
        #expect(throws: BridgeError.self) { try second.download(.file(file), 0..<1) }
        #expect(refused == [.programHandles, .programHandles])
        #expect(first.count == 2 && second.count == 1 && quota.maxHandles == 3)
        _ = try other.begin()
        try first.release(handles[1])
        _ = try second.begin()
        #expect(throws: BridgeError.self) { try first.begin() }
        second.removeAll()
        _ = try first.begin()
        #expect(quota.maxHandles == 2)
        first.removeAll()
        other.removeAll()
        #expect(quota.maxHandles == 0)
    }

    @Test("Transfers with X11 programs share the total limit")
    func totalWithX11() {
        var limits = Configuration.Limits()
        limits.transferBytes = 15
        let total = TransferBytes()
        let quota = UploadQuota(limits: limits, whole: total)
        total.setPeers(10)
        #expect(quota.add(6, of: 1) == .transferBytes)
        #expect(quota.add(5, of: 1) == nil && total.uploaded == 5)
        quota.remove(5, of: 1)
        #expect(total.uploaded == 0)
    }

    @Test("The uploads of a process's connections count together, until they are released or closed")
    func connections() throws {
        let quota = Self.quota(program: 4, all: 100)
        var refused: [Refusals.Reason] = []
        func client() -> ClientTransfers {
            ClientTransfers(limits: WireLimits(), quota: quota, process: 7) { refused.append($0) }
        }
        func upload(_ count: Int, by client: ClientTransfers) throws -> String {
            let handle = try client.begin().handle
            let data = Data(repeating: 0x61, count: count).base64EncodedString()
            _ = try client.append(.init(handle: handle, data: data))
            return handle
        }
        let (first, second) = (client(), client())
        let handle = try upload(3, by: first)
        #expect(throws: BridgeError.self) { try upload(2, by: second) }
        #expect(refused == [.programBytes])
        _ = try first.commit(handle)
        #expect(quota.bytes == 3, "committed bytes still count")
        try first.release(handle)
        _ = try upload(4, by: second)
        #expect(quota.bytes == 4)
        second.removeAll()
        #expect(quota.bytes == 0 && quota.bytes(of: 7) == 0)
    }

    @Test("Raw bytes count as they arrive, and an upload that cannot fit is refused at once")
    func raw() throws {
        let quota = Self.quota(program: 4, all: 100)
        var refused: [Refusals.Reason] = []
        let client = ClientTransfers(limits: WireLimits(), quota: quota, process: 7) { refused.append($0) }
        #expect(throws: BridgeError.self) { try client.begin(length: 5) }
        #expect(throws: BridgeError.self) { try client.begin(length: .max) }
        #expect(refused == [.programBytes, .transferBytes] && client.count == 0)
        let (first, second) = (try client.begin(length: 3), try client.begin(length: 3))
        #expect(quota.bytes == 0)
        try client.append([1, 2, 3], to: first)
        #expect(quota.bytes == 3)
        #expect(throws: BridgeError.self) { try client.append([1, 2, 3], to: second) }
        #expect(quota.bytes == 3)
        client.removeAll()
        #expect(quota.bytes == 0 && quota.bytes(of: 7) == 0 && quota.maxHandles == 0)
    }
}
