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
                    // The observation may begin after the first copies.
                    let copying = Task {
                        while !Task.isCancelled { _ = try await sandbox.xpb("set", "--text", "x") }
                    }
                    #expect(try await host.line().hasPrefix("changed: "))
                    copying.cancel()
                    _ = await copying.result
                }
            }
        }
    }

    @Suite("Difficult input") struct RefusalTests {
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
