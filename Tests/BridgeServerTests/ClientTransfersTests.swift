import BridgeServer
import FoundationEssentials
import Glibc
import LinuxSystem
import PasteboardWire
import TestSupport
import Testing
import X11Bridge

@Suite struct ClientTransfersTests {
    private let transfers = ClientTransfers(limits: WireLimits())

    private func append(_ bytes: [UInt8], to handle: String) throws {
        _ = try transfers.append(.init(handle: handle, data: Data(bytes).base64EncodedString()))
    }

    private func fails(_ body: () throws -> Void) -> Bool {
        do { try body() } catch let error as BridgeError { return error.code == .invalidBytes } catch { return false }
        return false
    }

    @Test("Uploaded pieces form one file")
    func upload() throws {
        let handle = try transfers.begin().handle
        try append([1, 2], to: handle)
        try append([3], to: handle)
        #expect(try transfers.commit(handle).length == 3)
        #expect(try transfers.committed(handle).bytes(in: 0..<3) == [1, 2, 3])
    }

    @Test("An upload cannot be used before its commit, nor appended to after it")
    func order() throws {
        let handle = try transfers.begin().handle
        #expect(fails { _ = try transfers.committed(handle) })
        _ = try transfers.commit(handle)
        #expect(fails { try append([1], to: handle) })
        #expect(fails { _ = try transfers.commit(handle) })
    }

    @Test("A transfer that a call begins after its connection has ended is refused, and does not count")
    func afterTheEnd() throws {
        let quota = UploadQuota()
        let transfers = ClientTransfers(limits: WireLimits(), quota: quota)
        _ = try transfers.begin()
        transfers.removeAll()
        #expect(throws: BridgeError.self) { try transfers.begin() }
        let file = try MemoryFile.containing([1])
        #expect(throws: BridgeError.self) { try transfers.download(.file(file), 0..<1) }
        #expect(quota.maxHandles == 0)
    }

    @Test("Invalid base64 and pieces over the limit are refused")
    func wrongPieces() throws {
        let handle = try transfers.begin().handle
        #expect(fails { _ = try transfers.append(.init(handle: handle, data: "%%%")) })
        #expect(fails { try append([UInt8](repeating: 0, count: 262_145), to: handle) })
        try append([UInt8](repeating: 0, count: 262_144), to: handle)
    }

    @Test("A range is read in pieces, and reads past its end are empty")
    func download() throws {
        let file = try MemoryFile.containing(Array(0..<10))
        let handle = try transfers.download(.file(file), 2..<7)
        func read(_ offset: Int, _ length: Int) throws -> [UInt8] {
            let reply = try transfers.read(.init(handle: handle, offset: offset, length: length))
            return [UInt8](try #require(Data(base64Encoded: reply.data)))
        }
        #expect(try read(0, 3) == [2, 3, 4])
        #expect(try read(3, 100) == [5, 6])
        #expect(try read(5, 1) == [])
        #expect(try read(Int.max, 1) == [])
        #expect(fails { _ = try read(-1, 1) })
        #expect(fails { _ = try read(0, -1) })
        #expect(fails { _ = try read(0, 262_145) })
    }

    @Test("A released handle is unknown")
    func release() throws {
        let handle = try transfers.begin().handle
        try transfers.release(handle)
        #expect(fails { try transfers.release(handle) })
        #expect(fails { try append([1], to: handle) })
    }

    /// This runs in a separate process, because the limit on descriptors applies to the whole process.
    @Test(
        "An upload needs a descriptor for its first bytes, is refused if none is free, and can continue later")
    func descriptors() async {
        await #expect(processExitsWith: .success) {
            DescriptorReserve.enable()
            var refused: [Refusals.Reason] = []
            let transfers = ClientTransfers(limits: WireLimits()) { refused.append($0) }
            func append(to handle: String) throws -> Int {
                try transfers.append(.init(handle: handle, data: Data([1, 2]).base64EncodedString())).length
            }
            let before = DescriptorLimit.used
            let handles = try (0..<200).map { _ in try transfers.begin().handle }
            // The files are compared, not their number, because the system's threads occasionally open files.
            let open = ProcessTable.descriptors(of: getpid()).values
            guard !open.contains(where: { $0.hasPrefix("/memfd:") }) else { exit(2) }
            var limit = rlimit()
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            guard unsafe getrlimit(resource, &limit) == 0 else { exit(3) }
            limit.rlim_cur = UInt(before + 100)
            guard unsafe setrlimit(resource, &limit) == 0 else { exit(3) }
            var count = 0
            do {
                while true {
                    guard try append(to: handles[count]) == 2 else { exit(4) }
                    count += 1
                }
            } catch let error as BridgeError {
                guard error.code == .refused, error.message.contains("release"), count > 0 else {
                    exit(5)
                }
            }
            guard refused == [.descriptors] else { exit(6) }
            try transfers.release(handles[0])
            guard try append(to: handles[count]) == 2, try transfers.commit(handles[count]).length == 2 else { exit(7) }
        }
    }

    @Test("The number of a client's handles is limited, and releasing a handle makes room")
    func limit() throws {
        var handles: [String] = []
        for _ in 0..<WireLimits().handles { handles.append(try transfers.begin().handle) }
        #expect(throws: BridgeError.self) { try transfers.begin() }
        try transfers.release(handles[0])
        _ = try transfers.begin()
    }
}
