import Bridge
import BridgeState
import EventLoop
import FormatConversion
import Foundation
import LinuxSystem
import PasteboardModel
import PasteboardStore
import PasteboardWire
import SystemPackage
import Testing

/// A service with a store, in a folder that is removed at the end.
final class StoredService {
    let fixture: ServiceFixture
    let client: ServiceClient
    let thread: StoreThread
    let folder: URL
    private var others: [ServiceClient] = []
    /// The latch that unblocks the store.
    private var barrier: Latch?

    /// - Parameter folder: The folder of the store, perhaps from a service that was killed or has ended.
    init(display: String? = ":0", in folder: URL = StoredService.newFolder()) throws {
        self.folder = folder
        fixture = try ServiceFixture(display: display)
        thread = try #require(fixture.service.restore(from: .success(folder.path)))
        client = try fixture.client()
        try settle()
    }

    deinit {
        barrier?.open()
        thread.close { $0.close(counts: [:]) }
        // The thread creates files until it has ended.
        while !thread.isClosed, (try? receive()) != nil {}
        try? FileManager.default.removeItem(at: folder)
    }

    static func newFolder() -> URL {
        // The folder is in memory if possible.
        let place = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
        return URL(filePath: "\(place)/xpb-service-\(UInt64.random(in: 0 ... .max))")
    }

    var service: Service { fixture.service }

    func pasteboard(_ name: String = "general") throws -> PasteboardState { try #require(fixture.pasteboard(name)) }

    // MARK: The store's thread

    /// Waits for a report from the store, or until the test's time limit.
    func receive() throws {
        while try !waitReadable(thread.fileDescriptor, until: .now + .seconds(1)) { try Task.checkCancellation() }
        thread.receive()
    }

    /// Lets the store do all its work, without reports from the X thread.
    func store() throws {
        while !thread.isIdle { try receive() }
    }

    /// Lets the store and the X thread do all their work.
    func settle() throws {
        fixture.succeed()
        while !thread.isIdle {
            try receive()
            fixture.succeed()
        }
    }

    /// Lets the store's own thread and the X thread do all their work, but no copy of long contents.
    func settleStore() throws {
        var isDone = false
        for _ in 1...3 {
            isDone = false
            fixture.succeed()
            fixture.executor.start { [thread] in
                await thread.perform { _ in }
                isDone = true
            }
            while !isDone { try receive() }
        }
        fixture.succeed()
    }

    /// Blocks the store after its present work, and returns once the store is blocked.
    func block() {
        let (reached, barrier) = (Latch(), Latch())
        self.barrier = barrier
        fixture.executor.start { [thread] in
            await thread.perform { _ in
                reached.open()
                barrier.wait()
            }
        }
        reached.wait()
    }

    func unblock() throws {
        barrier?.open()
        barrier = nil
        try settle()
    }

    /// Makes contents impossible to store. Records of pasteboards can still be stored.
    func refuseContents() throws {
        let blobs = folder.appending(path: "blobs")
        try FileManager.default.removeItem(at: blobs)
        try Data().write(to: blobs)
    }

    /// Makes everything impossible to store.
    func refuseAll() {
        fixture.executor.start { [thread] in await thread.perform { $0.close(counts: [:]) } }
    }

    /// Returns a new file with `text`, on the store's disk.
    func makeFile(_ text: String) throws -> Descriptor {
        let path = folder.path + ".file"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(text.utf8).write(to: URL(filePath: path))
        return Descriptor(adopting: try FileDescriptor.open(FilePath(path), .readWrite))
    }

    // MARK: Ends

    /// Returns a service that starts as if this service had just been killed.
    ///
    /// - Parameter isWriting: True while a copy of long contents is under way; the copy continues.
    func killed(whileWriting isWriting: Bool = false) throws -> StoredService {
        try StoredService(display: nil, in: try killedFolder(whileWriting: isWriting))
    }

    /// Returns a copy of the folder, as if the service had just been killed.
    func killedFolder(whileWriting isWriting: Bool = false) throws -> URL {
        block()
        let copy = Self.newFolder()
        try FileManager.default.copyItem(at: folder, to: copy)
        if isWriting { barrier?.open() } else { try unblock() }
        return copy
    }

    /// Shuts the service down, and returns the service that starts next.
    func ended() throws -> StoredService { try StoredService(display: nil, in: try endedFolder()) }

    /// Shuts the service down, and returns a copy of its folder.
    func endedFolder() throws -> URL {
        service.persistence.close()
        while !thread.isClosed { try receive() }
        let copy = Self.newFolder()
        try FileManager.default.copyItem(at: folder, to: copy)
        return copy
    }

    // MARK: Contents

    func text(on name: String = "general") throws -> String? {
        guard let bytes = try pasteboard(name).version?.sources.first?.bytes else { return nil }
        return String(decoding: try bytes.bytes(), as: UTF8.self)
    }

    func items(on name: String = "general") throws -> Int? { try pasteboard(name).version?.contents.items.count }

    func history() throws -> [HistoryEntry] {
        // A slow machine gives the lines in several pages.
        var (query, entries) = (HistoryQuery(), [HistoryEntry]())
        repeat {
            let page = try historyPage(query)
            entries += page.entries
            query.before = page.next
        } while query.before != nil
        return entries
    }

    private func historyPage(_ query: HistoryQuery) throws -> HistoryPage {
        var page: HistoryPage?
        fixture.executor.start { [store = service.store] in
            page = try? await store.ask { (store) throws(StoreFailure) in try store.history(query) }
        }
        try settle()
        return try #require(page)
    }

    // MARK: Calls

    /// Returns another client.
    func other() throws -> ServiceClient {
        others.append(try fixture.client())
        return others[others.count - 1]
    }

    /// Starts a call, and leaves the replies to the caller. The X thread only reports the owners.
    func begin<M: WireMethod>(
        _ method: M.Type, _ parameters: M.Parameters, bytes: String? = nil, by client: ServiceClient? = nil
    ) throws {
        let descriptors = try bytes.map { [try MemoryFile.containing(Array($0.utf8)).descriptor] } ?? []
        try (client ?? self.client).call(method, parameters, descriptors: descriptors)
        fixture.catchUp()
    }

    /// Starts a write of text of one byte.
    func begin(_ text: String, on name: String = "general", append: Bool? = nil, by client: ServiceClient? = nil) throws
    {
        var parameters = Methods.Set.Parameters.text(on: name)
        parameters.append = append
        try begin(Methods.Set.self, parameters, bytes: text, by: client)
    }

    func set(_ text: String, on name: String = "general") throws {
        try begin(text, on: name)
        try settle()
        #expect(try client.replies(to: Methods.Set.self).count == 1)
    }

    /// Performs a call, and returns its last reply.
    func call<M: WireMethod>(_ method: M.Type, _ parameters: M.Parameters) throws -> M.Reply? {
        try begin(method, parameters)
        try settle()
        return try client.replies(to: method).last
    }
}
