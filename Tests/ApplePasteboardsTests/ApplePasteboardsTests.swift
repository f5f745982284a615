import CopyingSupport
import TestSupport
import Testing

/// Tests of Apple's names with a real X server, bridge and peers. Each test runs a program in its own sandbox.
@Suite("Apple's names", .serialized, .requiresXvfb, .timeLimit(.minutes(3)))
enum AppleNames {}

extension Sandbox {
    /// Runs a scenario of Tests/AppleHost.
    func host(_ scenario: String, input: String = "") async throws -> Outcome {
        try await run(["\(Binaries.built)/AppleHost", scenario], input: Array(input.utf8))
    }

    func withWatch(_ body: (Running) async throws -> Void) async throws {
        _ = try await running(["\(Binaries.folder)/xpb", "watch", "--initial"]) { try await body($0) }
    }

    func withHost(_ scenario: String, _ body: (Running) async throws -> Void) async throws {
        _ = try await running(["\(Binaries.built)/AppleHost", scenario]) { try await body($0) }
    }
}

extension Running {
    /// Reads a line, which must be a given one.
    func expect(_ expected: String) async throws {
        let line = try await line()
        #expect(line == expected)
    }
}

extension AppleNames {
    @Suite("A program for the Mac") struct SampleTests {
        @Test("The sample, which names AppKit nowhere, behaves as each sentence of Apple's documentation says")
        func sample() async throws {
            try await Sandbox.with { sandbox in
                let outcome = try await sandbox.run(["\(Binaries.built)/MacSample"])
                #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome)")
                #expect(outcome.lines.count > 60)
                for line in outcome.lines { #expect(line.hasPrefix("holds: "), "\(line)") }
            }
        }

        @Test("The sample of UIPasteboard behaves as each sentence says")
        func phone() async throws {
            try await Sandbox.with { sandbox in
                let outcome = try await sandbox.host("phone")
                #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome)")
                #expect(outcome.lines.count > 20)
                for line in outcome.lines { #expect(line.hasPrefix("holds: "), "\(line)") }
            }
        }
    }

    @Suite("Other programs") struct PeerTests {
        @Test("Each copy is one change for other programs, by whatever calls it is made")
        func copies() async throws {
            try await Sandbox.with { sandbox in
                let before = try await sandbox.count()
                try await sandbox.withWatch { watch in
                    try await watch.expect("general\t\(before)\t")
                    try await sandbox.withHost("copies") { host in
                        try await host.expect("\(before + 1)")
                        try await host.expect("<b>fourth</b>")
                        for (number, types) in [
                            (1, "public.utf8-plain-text public.html"), (2, "public.utf8-plain-text public.html"),
                            (3, "public.utf8-plain-text"), (4, "public.utf8-plain-text public.html"),
                        ] {
                            try await watch.expect("general\t\(before + number)\t\(types)")
                        }
                    }
                }
            }
        }

        @Test("The owner of declared types is asked on the main thread, and learns of another copy")
        func owner() async throws {
            try await Sandbox.with { sandbox in
                _ = try await sandbox.count()
                try await sandbox.withHost("owner") { host in
                    try await host.expect("declared public.utf8-plain-text")
                    #expect(try await sandbox.xpb("get").text == "owned")
                    try await host.expect("asked public.utf8-plain-text on the main thread")
                    #expect(try await sandbox.xpb("set", "--text", "other").status == 0)
                    try await host.expect("changed owner")
                }
            }
        }

        @Test("Contents outlive a program that ends at once, and so do promises")
        func ends() async throws {
            try await Sandbox.with { sandbox in
                _ = try await sandbox.count()
                #expect(try await sandbox.host("leaves").status == 0)
                #expect(try await sandbox.xpb("get").text == "left behind")
                #expect(try await sandbox.host("promises").lines.count == 2)
                #expect(try await sandbox.xpb("get").text == "owned")
                #expect(try await sandbox.xpb("get", "-t", "html").text == "owned")
            }
        }

        @Test("A program that lost its contents writes nothing over those of another program")
        func lost() async throws {
            try await Sandbox.with { sandbox in
                _ = try await sandbox.count()
                try await sandbox.withHost("lost") { host in
                    try await host.expect("mine")
                    #expect(try await sandbox.xpb("set", "--text", "other").status == 0)
                    try await host.send("go on")
                    try await host.expect("after another copy: false other")
                }
            }
        }

        @Test("Changes by other programs are posted on the main thread")
        func notifications() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.withHost("notifications") { host in
                    _ = try await host.line()
                    #expect(try await sandbox.xpb("set", "--text", "x").status == 0)
                    try await host.expect("changed: public.utf8-plain-text")
                }
            }
        }
    }

    @Suite("Conflicts") struct ConflictTests {
        @Test(
            "Threads, exits and former owners lose nothing",
            arguments: [
                ("readTwice", ["done"], nil),
                ("clearElsewhere", ["changed owner on the main thread", "of the former owner"], nil),
                ("copyOver", ["changed owner on the main thread", "mine"], "mine"),
                ("copyAtExit", ["changed owner on the main thread"], "new"),
                ("provideNested", ["of public.rtf public.html, finished 1", "nothing, then of com.adobe.pdf"], nil),
                (
                    "suspend",
                    [
                        "asked public.html elsewhere", "owned", "the event has ended", "changed owner",
                        "asked public.utf8-plain-text elsewhere",
                    ], "owned"
                ),
            ] as [(String, [String], String?)])
        func conflicts(scenario: String, lines: [String], left: String?) async throws {
            try await Sandbox.with { sandbox in
                _ = try await sandbox.count()
                let outcome = try await sandbox.host(scenario)
                #expect(outcome.status == 0 && outcome.lines == lines && outcome.error.isEmpty, "\(outcome)")
                if let left { #expect(try await sandbox.xpb("get").text == left) }
            }
        }

        @Test("The promises of contents to which another program adds items are kept")
        func added() async throws {
            try await Sandbox.with { sandbox in
                _ = try await sandbox.count()
                try await sandbox.withHost("owner") { host in
                    try await host.expect("declared public.utf8-plain-text")
                    #expect(try await sandbox.xpb("add", "--text", "added").status == 0)
                    #expect(try await sandbox.xpb("get").text == "owned")
                    try await host.expect("asked public.utf8-plain-text on the main thread")
                    #expect(try await sandbox.xpb("get", "--item", "1").text == "added")
                }
            }
        }

        @Test("The timer of a copy that has been sent sends nothing of the next copy")
        func timers() async throws {
            try await Sandbox.with { sandbox in
                let before = try await sandbox.count()
                try await sandbox.withHost("copyTwice") { host in
                    _ = try await host.line()
                    try await host.expect("cleared")
                    #expect(try await sandbox.xpb("get").text == "first")
                    try await host.send("go on")
                    _ = try await sandbox.require("wait", "--since", "\(before + 1)")
                    #expect(try await sandbox.xpb("get").text == "second")
                }
            }
        }

        @Test("A copy after one that was lost before it was sent reaches other programs by itself")
        func losses() async throws {
            try await Sandbox.with { sandbox in
                _ = try await sandbox.count()
                try await sandbox.withHost("copyAfterLoss") { host in
                    try await host.expect("begun")
                    _ = try await sandbox.require("set", "--text", "other")
                    let count = try await sandbox.count()
                    try await host.send("go on")
                    _ = try await host.line()
                    _ = try await sandbox.require("wait", "--since", "\(count)")
                    #expect(try await sandbox.xpb("get").text == "after the loss")
                }
            }
        }

        @Test("A program with another runtime folder is served by the display's bridge alone")
        func folders() async throws {
            try await Sandbox.with { sandbox in
                _ = try await sandbox.count()
                let folder = sandbox.path("elsewhere")
                #expect(try await sandbox.shell("mkdir -m 700 \"$1\"", folder).status == 0)
                for _ in 0..<10 {
                    let outcome = try await sandbox.changing(["XDG_RUNTIME_DIR": folder]).host("derived")
                    #expect(outcome.lines == ["asked public.html on the main thread", "owned", "owned"], "\(outcome)")
                }
            }
        }
    }

    @Suite("Difficult input") struct RefusalTests {
        @Test("Odd items, property lists and options lose nothing else, and end at once")
        func odd() async throws {
            try await Sandbox.with { sandbox in
                let outcome = try await sandbox.host("odd")
                #expect(
                    outcome.lines == [
                        #"after an empty item: ["two", "three"]"#, "its number: 1",
                        "with an old item: false, then alone: true", "objects: 3, initialized: 3",
                        "a deep property list: false", "a list that expands: nothing", "it is bytes for UIKit: true",
                        "raw bytes: (1,2)", "many numbers: true", "contents of yesterday: 0", "too many types: 0",
                    ], "\(outcome)")
                #expect(outcome.error.contains("an item has no more than 1024 types"))
            }
        }

        @Test("Addresses and telephone numbers are detected as a whole, and nothing within them")
        func detection() async throws {
            try await Sandbox.with { sandbox in
                let outcome = try await sandbox.host("detect")
                #expect(
                    outcome.lines == [
                        #"["https://www.google.com/maps/@48.2,16.3,15z"] [] []"#,
                        #"["https://en.wikipedia.org/wiki/Swift_(bird)"] [] []"#, #"["https://example.org/a"] [] []"#,
                        #"[] ["jane@example.org"] []"#, #"["http://192.168.1.100/"] [] []"#, "[] [] []",
                        #"[] [] ["0664 123 45 67"]"#,
                    ], "\(outcome)")
            }
        }

        @Test("A misuse of an undo manager is told on standard error, and a program without standard error goes on")
        func messages() async throws {
            try await Sandbox.with { sandbox in
                let outcome = try await sandbox.host("misuseUndo")
                #expect(outcome.lines == ["done"])
                #expect(outcome.error.contains("UndoManager: a group was ended that was not begun"), "\(outcome)")
                for redirection in ["2>&-", "2>/dev/full", "2> >(exit 0)"] {
                    let silent = try await sandbox.run([
                        "bash", "-c", "exec \"$0\" misuseUndo \(redirection)", "\(Binaries.built)/AppleHost",
                    ])
                    #expect(silent.status == 0 && silent.lines == ["done"], "\(silent)")
                }
            }
        }

        @Test("Promised contents are converted for the thread that has to provide them")
        func derived() async throws {
            try await Sandbox.with { sandbox in
                let outcome = try await sandbox.host("derived")
                #expect(outcome.lines == ["asked public.html on the main thread", "owned", "owned"], "\(outcome)")
            }
        }

        @Test("Misuse gives nil or false, with a message that names the mistake")
        func refusals() async throws {
            try await Sandbox.with { sandbox in
                let outcome = try await sandbox.host("refusals")
                #expect(outcome.status == 0)
                #expect(
                    outcome.lines == [
                        "a provider that sets nothing: nil",
                        "an item that is written again: false",
                        "no property list: false",
                        "a number as text: false",
                        "no type: false",
                        "a class of types: false",
                        "what can be written stays: true true",
                        "a pasteboard without a name: true",
                        "a class that cannot be read: nil",
                        "an owner that is none: nil",
                        "asked public.utf8-plain-text on the main thread",
                        "an owner that nobody else keeps: owned",
                    ], "\(outcome)")
                #expect(outcome.error.contains("objects of Stranger cannot be read"))
                #expect(outcome.error.contains("the owner Stranger does not conform to NSPasteboardTypeOwner"))
            }
        }

        @Test("An undo of several changes that nothing separated says so, once, and only then")
        func hostless() async throws {
            try await Sandbox.with { sandbox in
                let outcome = try await sandbox.host("hostless")
                #expect(outcome.lines == ["can undo: false", "can undo: true", "can undo: true"], "\(outcome)")
                #expect(outcome.error.split(separator: "\n").count == 1)
                #expect(
                    outcome.error.hasPrefix("Undo: 3 actions have become one undo step, since nothing ends events;"))
            }
        }

        @Test("A property list of 10 MB is written and read again")
        func large() async throws {
            try await Sandbox.with { sandbox in
                let outcome = try await sandbox.host("large")
                #expect(outcome.lines == ["true", "true"], "\(outcome)")
            }
        }

        @Test("Without the bridge's program, the calls fail and the message says what to add to the manifest")
        func unreachable() async throws {
            try await Sandbox.with { sandbox in
                let alone = sandbox.path("alone")
                let copied = try await sandbox.shell(
                    "mkdir \"$1\" && cp \"$2\" \"$1\"", alone, "\(Binaries.built)/AppleHost")
                #expect(copied.status == 0)
                let empty = sandbox.changing(["XPB_XPBD": "", "PATH": alone])
                let outcome = try await empty.run(["\(alone)/AppleHost", "unreachable"])
                #expect(outcome.lines == ["0 0 false", "nil nil false"], "\(outcome)")
                #expect(outcome.error.contains(#"add .product(name: "xpbd", package: "xpb")"#))
            }
        }
    }
}
