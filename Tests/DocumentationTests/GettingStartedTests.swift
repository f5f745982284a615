// snippet: imports
import FoundationEssentials
import Pasteboard
// end
import Synchronization
import TestSupport
import Testing

extension Documentation {
    @Suite("Getting started") struct GettingStartedTests {
        @Test("Text is copied and pasted")
        func text() async throws {
            try await withPasteboards { sandbox in
                try await waiting {
                    // snippet: copy
                    try Pasteboard.general.setString("Hello")
                    let text = try Pasteboard.general.string
                    // end
                    #expect(text == "Hello")
                }
                #expect(try await sandbox.xclipPastes() == "Hello")
                // snippet: await
                let text = try await Pasteboard.general.async.string
                // end
                #expect(text == "Hello")
            }
        }

        @Test("An item has several representations")
        func representations() async throws {
            try await withPasteboards { sandbox in
                try await waiting {
                    // snippet: representations
                    var item = PasteboardItem(Data("<b>Hello</b>".utf8), type: "public.html")
                    item.setData(Data("Hello".utf8), forType: "public.utf8-plain-text")
                    try Pasteboard.general.setItems([item])
                    // end
                }
                #expect(try await sandbox.xclipPastes() == "Hello")
                #expect(try await sandbox.xclipPastes("text/html") == "<b>Hello</b>")
            }
        }

        @Test("A picture and files are copied and pasted")
        func pictures() async throws {
            try await withPasteboards { sandbox in
                let path = try sandbox.write([0x89, 0x50, 0x4e, 0x47], to: "picture.png")
                try await waiting {
                    // snippet: images
                    let picture = try Data(contentsOf: URL(fileURLWithPath: path))
                    try Pasteboard.general.setImage(EncodedImage(picture, type: .png))
                    if let image = try Pasteboard.general.image {
                        print("\(image.data.count) bytes of \(image.type)")
                    }
                    // end
                    #expect(try Pasteboard.general.image == EncodedImage(picture, type: "public.png"))
                    // snippet: files
                    let hosts = URL(fileURLWithPath: "/etc/hosts")
                    try Pasteboard.general.setURLs([hosts, URL(fileURLWithPath: "/etc/passwd")])
                    let files = try Pasteboard.general.urls.filter(\.isFileURL)
                    // end
                    #expect(files.map(\.lastPathComponent) == ["hosts", "passwd"])
                }
            }
        }

        @Test("Steps of an update are one change")
        func update() async throws {
            try await withPasteboards { _ in
                try await waiting {
                    let count = try Pasteboard.general.setItems([
                        PasteboardItem(Data("old".utf8), type: "com.example.draft")
                    ])
                    // snippet: update
                    try Pasteboard.general.update { items in
                        items.removeAll { $0.types.contains("com.example.draft") }
                        items.append(PasteboardItem(Data("done".utf8), type: .plainText))
                    }
                    // end
                    #expect(try Pasteboard.general.changeCount == count + 1)
                    #expect(try Pasteboard.general.strings == ["done"])
                }
            }
        }

        @Test("Several items have the contents described in the article")
        func items() async throws {
            try await withPasteboards { sandbox in
                try await waiting {
                    // snippet: items
                    try Pasteboard.general.setStrings(["one", "two"])
                    let page = PasteboardItem(Data("<p>three</p>".utf8), type: "public.html")
                    try Pasteboard.general.addItems([page])

                    let number = try Pasteboard.general.numberOfItems
                    let pages = try Pasteboard.general.itemSet(withTypes: ["public.html"])
                    let bytes = try Pasteboard.general.data(forType: "public.html", inItemSet: nil)
                    // end
                    #expect(number == 3)
                    #expect(pages == [2])
                    #expect(bytes == [nil, nil, Data("<p>three</p>".utf8)])
                }
                #expect(try await sandbox.xclipPastes("text/html") == "<p>three</p>")
            }
        }

        @Test("A pasteboard is created and found by its name")
        func named() async throws {
            try await withPasteboards { _ in
                try await waiting {
                    // snippet: named
                    if let scratch = try Pasteboard(named: "com.example.scratch", create: true) {
                        try scratch.setString("for later")
                    }
                    let found = try Pasteboard(named: "com.example.scratch", create: false)
                    // end
                    #expect(try found?.string == "for later")
                    #expect(try Pasteboard(named: "com.example.other", create: false) == nil)
                }
            }
        }

        @Test("A change is awaited")
        func watch() async throws {
            try await withPasteboards { _ in
                let isSeen = Mutex(false)
                // Nothing reports when the count below has been read, and a change before that would go unseen, so the
                // writer repeats its change.
                async let writing: Void = {
                    while !isSeen.withLock({ $0 }) { try await Pasteboard.general.async.setString("news") }
                }()
                // snippet: watch
                let count = try await Pasteboard.general.async.changeCount
                for try await change in Pasteboard.general.changes(since: count) {
                    print("\(change.owner.program ?? "somebody") copied \(change.types)")
                    break
                }
                // end
                isSeen.withLock { $0 = true }
                try await writing
                #expect(try await Pasteboard.general.async.changeCount > count)
            }
        }

        @Test("The Swift code of the README copies, awaits the next copy and pastes it")
        func readme() async throws {
            try await withPasteboards { _ in
                async let writing: Void = {
                    for try await change in Pasteboard.general.changes(since: -1) where change.count > 0 { break }
                    try await Pasteboard.general.async.setString("news")
                }()
                // snippet: readme
                let count = try await Pasteboard.general.async.setString("Hello")
                for try await change in Pasteboard.general.changes(since: count) {
                    print("\(change.owner.program ?? "somebody") copied \(change.types)")
                    if let text = try await Pasteboard.general.async.string { print(text) }
                    break
                }
                // end
                try await writing
                #expect(try await Pasteboard.general.async.changeCount > count)
            }
        }

        @Test("Changes come until the task is cancelled")
        func changes() async throws {
            try await withPasteboards { _ in
                try await Pasteboard.general.async.setString("first")
                let task = Task {
                    // snippet: changes
                    for try await change in Pasteboard.general.changes {
                        print(change.count, change.types)
                    }
                    // end
                }
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
            }
        }

        @Test("A write with an outdated change count is refused")
        func compareAndSet() async throws {
            try await withPasteboards { _ in
                try await waiting {
                    try Pasteboard.general.setString("Hello")
                    // snippet: compare
                    let count = try Pasteboard.general.changeCount
                    let text = try Pasteboard.general.string ?? ""
                    do {
                        try Pasteboard.general.setString(text.uppercased(), ifChangeCount: count)
                    } catch let error as PasteboardError where error.code == .countMismatch {
                        print("another program has copied; the count is \(error.context.count ?? 0)")
                    }
                    // end
                    #expect(try Pasteboard.general.string == "HELLO")
                    let error = #expect(throws: PasteboardError.self) {
                        try Pasteboard.general.setString("late", ifChangeCount: count)
                    }
                    #expect(error?.code == .countMismatch)
                    #expect(error?.context.count == count + 1)
                }
            }
        }

        @Test("Options apply to contents")
        func options() async throws {
            try await withPasteboards { sandbox in
                try await waiting {
                    // snippet: options
                    let options = PasteboardOptions(expirationDate: .now + 60, localOnly: true)
                    try Pasteboard.general.setString("271828", options: options)
                    // end
                }
                #expect(try await sandbox.xclipPastes() == "271828")
            }
        }

        @Test("Errors have codes and messages")
        func errors() async throws {
            @Sendable func paste() throws {
                // snippet: errors
                do {
                    print(try Pasteboard.general.string ?? "nothing to paste")
                } catch let error as PasteboardError where error.code == .unavailable {
                    print("no pasteboard: \(error)")
                } catch let error as PasteboardError where error.code == .silent || error.code == .promiseBroken {
                    print("the owner does not provide the contents: \(error)")
                }
                // end
            }
            try await withPasteboards { _ in
                try await waiting { try paste() }
                var item = PasteboardItem()
                item.setPromise(forType: "text") { throw PasteboardError(code: .empty, message: "there is no ink") }
                try await Pasteboard.general.async.setItems([item])
                try await waiting { try paste() }
            }
            try await Sandbox.with(display: nil) { sandbox in
                try await Client.$current.withValue(Client(environment: sandbox.environment)) {
                    try await waiting { try paste() }
                }
            }
        }
    }
}
