import FoundationEssentials
import Pasteboard
import PasteboardModel
import Synchronization
import TestSupport
import Testing

extension Library {
    @Suite("A thread with contents of its own", .requiresXvfb) struct OwnThreadTests {
        @Test("A thread that waits for its own promise provides the bytes meanwhile")
        func ownPromise() async throws {
            try await withLibrary { _ in
                try await onThread {
                    let events = try PasteboardEvents()
                    var drawings = 0
                    var item = PasteboardItem()
                    item.setPromise(
                        forType: .html,
                        provider: events.provider {
                            drawings += 1
                            // The provider may read as well.
                            let types = try Pasteboard.general.types
                            #expect(types.first == "public.html")
                            return Data("<b>drawn</b>".utf8)
                        })
                    try Pasteboard.general.setItems([item])
                    #expect(try Pasteboard.general.string == "drawn")
                    #expect(try Pasteboard.general.data(forType: .html) == Data("<b>drawn</b>".utf8))
                    #expect(drawings == 1)
                }
            }
        }

        @Test("Promises are kept at the end of the program by the thread that waits for that")
        func keeping() async throws {
            try await withLibrary { sandbox in
                try await onThread {
                    let events = try PasteboardEvents()
                    var item = PasteboardItem()
                    item.setPromise(forType: .plainText, provider: events.provider { Data("kept".utf8) })
                    try Pasteboard.general.setItems([item])
                    #expect(Pasteboard.keepPromises(within: .seconds(60)))
                }
                #expect(try await sandbox.xclipPastes().text == "kept")
            }
        }

        @Test("Everything but providers waits for dispatch")
        func dispatch() async throws {
            try await withLibrary { _ in
                try await onThread {
                    let events = try PasteboardEvents()
                    var isDone = false
                    let done = Completion<Void>()
                    events.perform({ done.complete(.success(())) }) { _ in isDone = true }
                    try done.wait()
                    try Pasteboard.general.setString("x")
                    #expect(!isDone)
                    while !isDone { events.dispatch() }
                }
            }
        }

        @Test("A program that writes once its observation has started sees its own change")
        func ownChange() async throws {
            try await withLibrary { _ in
                try await onThread {
                    let events = try PasteboardEvents()
                    var start: Int?
                    var counts: [Int] = []
                    events.observe(.general, started: { start = $0 }, change: { counts.append($0.count) })
                    while start == nil { events.dispatch() }
                    let count = try Pasteboard.general.setString("own")
                    while counts.isEmpty { events.dispatch() }
                    #expect(start == count - 1 && counts == [count])
                }
            }
        }

        @Test("An update that another program interrupts begins again with that program's contents")
        func update() async throws {
            try await withLibrary { _ in
                try await onThread {
                    try Pasteboard.general.setString("first")
                    var attempts = 0
                    let count = try Pasteboard.general.update { items in
                        attempts += 1
                        if attempts == 1 { try Pasteboard.general.setString("second") }
                        items.append(PasteboardItem(Data("added".utf8), type: .plainText))
                    }
                    #expect(attempts == 2)
                    #expect(try Pasteboard.general.changeCount == count)
                    #expect(try Pasteboard.general.strings == ["second", "added"])
                    // An update that is interrupted each time gives up, and changes nothing.
                    attempts = 0
                    let error = #expect(throws: PasteboardError.self) {
                        try Pasteboard.general.update { items in
                            attempts += 1
                            try Pasteboard.general.setString("\(attempts)")
                            items = []
                        }
                    }
                    #expect(error?.code == .countMismatch && attempts == Pasteboard.maxUpdateAttempts)
                    #expect(try Pasteboard.general.string == "\(attempts)")
                }
            }
        }

        @Test("An update after which nothing is left clears the pasteboard, and one that throws changes nothing")
        func updateToNothing() async throws {
            try await withLibrary { _ in
                struct Refusal: Error {}
                let general = Pasteboard.general.async
                let count = try await general.setString("first")
                await #expect(throws: Refusal.self) { try await general.update { _ in throw Refusal() } }
                #expect(try await general.changeCount == count)
                try await general.update { $0 = [] }
                #expect(try await general.numberOfItems == 0)
            }
        }

        @Test("The types of an owner that does not answer are unknown, and the caller need not wait for them")
        func silent() async throws {
            try await withLibrary { sandbox in
                #expect(try await Pasteboard.general.async.contains(types: ["text"], within: .zero) == false)
                try await Pasteboard.general.async.setString("x")
                #expect(try await Pasteboard.general.async.contains(types: ["text"], within: .zero) == true)
                #expect(try await Pasteboard.general.async.contains(types: ["image"], within: .zero) == false)
                try sandbox.write(Array("text".utf8), to: "in")
                let before = try await Pasteboard.general.async.changeCount
                let copying = ["xclip", "-quiet", "-i", "-selection", "clipboard", sandbox.path("in")]
                _ = try await sandbox.running(copying) { owner in
                    try await sandbox.require("wait", "--since", "\(before)", "--timeout", "60")
                    try owner.suspend()
                    let isText = try await Pasteboard.general.async.contains(types: ["text"], within: .milliseconds(1))
                    #expect(isText == nil)
                }
            }
        }
    }
}
