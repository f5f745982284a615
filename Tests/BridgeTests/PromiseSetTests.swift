import Bridge
import BridgeState
import EventLoop
import FormatConversion
import LinuxSystem
import PasteboardModel
import PasteboardWire
import Testing

@Suite struct PromiseSetTests {
    private final class Replies {
        var all: [Methods.Set.Reply] = []
        var last: Methods.Set.Reply?
        var tickets = 0
    }

    private let replies = Replies()
    private let executor = EventLoopExecutor()
    private let set: PromiseSet
    private let table = PasteboardRegistry(at: 0) { RestorableContents.undoStack(levels: 10) }
    private let general: PasteboardState
    private let find: PasteboardState

    init() throws {
        general = try #require(table[.general])
        find = try #require(table[.find])
        set = PromiseSet { [replies] _ in
            replies.tickets += 1
            return "\(replies.tickets)"
        } send: { [replies] in
            replies.all.append($0)
        } finish: { [replies] in
            replies.last = $0
        }
    }

    /// Reads a promise, and calls `finish` with the outcome.
    private func read(_ promise: Promise, _ finish: @escaping (Result<Promise.Bytes, ConversionFailure>) -> Void) {
        executor.start {
            do throws(ConversionFailure) {
                finish(.success(try await promise.read()))
            } catch {
                finish(.failure(error))
            }
        }
    }

    private func bytes() throws -> Promise.Bytes { (try MemoryFile.containing([7]), 0..<1) }

    @Test("A promise that is wanted before the first reply is requested once, after that reply")
    func order() throws {
        let promise = set.promise(named: "a")
        var count = 0
        for _ in 0..<3 { read(promise) { if case .success = $0 { count += 1 } } }
        #expect(replies.all.isEmpty)
        promise.place(on: general)
        set.start(counts: [4])
        #expect(replies.all.map(\.wanted) == [nil, WireWanted(promise: "a", ticket: "1")])
        promise.fulfill(with: try bytes())
        #expect(count == 3)
        #expect(replies.last?.ended == .kept && replies.last?.counts == [4])
    }

    @Test("A promise on two pasteboards is void once neither holds it")
    func void() {
        let promise = set.promise(named: "a")
        for pasteboard in [general, find] { promise.place(on: pasteboard) }
        set.start(counts: [1, 1])
        promise.remove(from: general)
        #expect(promise.isOpen && replies.last == nil)
        promise.remove(from: find)
        #expect(!promise.isOpen)
        #expect(replies.last?.ended == .replaced)
    }

    @Test("If a promise is replaced on one pasteboard before it is placed on another, it stays on the other")
    func betweenPasteboards() throws {
        let promise = set.promise(named: "a")
        promise.place(on: general)
        promise.remove(from: general)
        promise.place(on: find)
        set.start(counts: [1, 1])
        var outcome: Result<Promise.Bytes, ConversionFailure>?
        read(promise) { outcome = $0 }
        promise.fulfill(with: try bytes())
        #expect(try outcome?.get().range == 0..<1)
        #expect(replies.last?.ended == .kept)
    }

    @Test("A promise that no pasteboard holds when its call is answered is void")
    func voidBefore() {
        let promise = set.promise(named: "a")
        promise.place(on: general)
        promise.remove(from: general)
        set.start(counts: [1])
        #expect(!promise.isOpen)
        #expect(replies.last?.ended == .replaced)
    }

    @Test("A reader that waits when newer contents come still gets the bytes")
    func late() throws {
        let promise = set.promise(named: "a")
        promise.place(on: general)
        set.start(counts: [1])
        var outcome: Result<Promise.Bytes, ConversionFailure>?
        read(promise) { outcome = $0 }
        promise.remove(from: general)
        #expect(replies.last?.ended == .replaced)
        #expect(outcome == nil)
        promise.fulfill(with: try bytes())
        #expect(try outcome?.get().range == 0..<1)
    }

    @Test("The promises of a client that has gone are broken for present and later readers")
    func abandoned() {
        let promise = set.promise(named: "a")
        promise.place(on: general)
        set.start(counts: [1])
        var failures = 0
        read(promise) { if case .failure(.promiseBroken) = $0 { failures += 1 } }
        set.abandon("gone")
        read(promise) { if case .failure(.promiseBroken) = $0 { failures += 1 } }
        #expect(failures == 2)
        #expect(set.isSettled && replies.last == nil)
    }

    @Test("Equal names stand for the same promise, and different names for different promises")
    func names() {
        #expect(set.promise(named: "a") === set.promise(named: "a"))
        #expect(set.promise(named: "a") !== set.promise(named: "b"))
    }

    @Test("Renewing a promise leaves the new promise of the same name open, until it ends with the call")
    func renewed() throws {
        let broken = Promise(name: "a", ask: { _ in }, onEnd: { _ in })
        broken.place(on: general)
        broken.fail("gone")
        let placed = set.promise(named: "a")
        placed.place(on: find)
        set.renew(broken)
        #expect(!broken.isBroken)
        set.start(counts: [1, 2])
        broken.fulfill(with: try bytes())
        #expect(replies.last == nil, "the other promise is still open")
        set.abandon("gone again")
        #expect(placed.isBroken && broken.bytes != nil && set.isSettled)
    }

    @Test("A call that has ended renews no promise, and a promise that is left without its call breaks when it is read")
    func afterEnd() throws {
        let broken = Promise(name: "a", ask: { _ in }, onEnd: { _ in })
        broken.place(on: general)
        broken.fail("gone")
        _ = set.promise(named: "a")
        set.abandon("the client is gone")
        set.renew(broken)
        #expect(broken.isBroken)
        var former: PromiseSet? = PromiseSet { _ in
            "1"
        } send: { _ in
        } finish: { _ in
        }
        let orphan = try #require(former?.promise(named: "b"))
        orphan.place(on: find)
        former = nil
        var reason: String?
        read(orphan) { reason = "\($0)" }
        #expect(reason?.contains("has ended") == true)
    }

    @Test("A call that ends does not break a promise that another call has renewed")
    func keptByAnother() throws {
        let promise = set.promise(named: "a")
        promise.place(on: general)
        set.abandon("gone")
        let next = PromiseSet { _ in
            "1"
        } send: { _ in
        } finish: { _ in
        }
        _ = next.promise(named: "a")
        next.renew(promise)
        set.abandon("closed")
        #expect(promise.isOpen)
    }
}
