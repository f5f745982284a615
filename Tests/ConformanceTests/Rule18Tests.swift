import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    /// RequestorTests.requests tests that each conversion has a new window and property, and ConversionTests tests how
    /// long transfers are drained.
    @Suite("Rule 18: answers are matched to their requests", .requiresXvfb)
    struct Rule18 {
        private static let image = "image/png"
        private static let bytes = Payload.random(200_000)
        private static let html: Offered = ("text/html", Array("<b>text</b>".utf8))
        private static let chunks = ["--incr", "65536"]

        @Test(
            "A notify with a wrong field is ignored, and the correct notify is accepted",
            arguments: ["selection", "target", "property", "time", "window"])
        func forged(field: String) async throws {
            try await Conformance.withOwner([Self.html], ["--forge", field]) { sandbox, peer in
                let pasted = try await sandbox.require("get", "-t", "text/html")
                #expect(pasted.text == "<b>text</b>")
                #expect(try await peer.await("forged").text == field)
            }
        }

        @Test("A second notify is ignored, with and without INCR", arguments: [true, false])
        func double(inChunks: Bool) async throws {
            let options = ["--double"] + (inChunks ? Self.chunks : [])
            try await Conformance.withOwner([(Self.image, Self.bytes)], options) { sandbox, _ in
                for _ in 0..<5 {
                    let pasted = try await sandbox.require("get", "-t", Self.image)
                    #expect(Payload.difference(pasted.output, Self.bytes) == nil)
                }
            }
        }

        @Test("Answers in a different order are matched to their requests", arguments: [true, false])
        func crossed(inChunks: Bool) async throws {
            let options = ["--hold", Self.image, "--hold", "text/html"] + (inChunks ? Self.chunks : [])
            try await Conformance.withOwner([Self.html, (Self.image, Self.bytes)], options) { sandbox, peer in
                let patience = ["--timeout", "600"]
                async let first = sandbox.require(["get", "-t", "text/html"] + patience)
                let held = try await peer.await("held").target
                async let second = sandbox.require(["get", "-t", Self.image] + patience)
                async let third = sandbox.require(["get", "-t", "text/html"] + patience)
                _ = try await peer.await("held")
                _ = try await peer.await("held")
                #expect(held == "text/html")
                try await peer.send("crossed")
                let (one, two, three) = try await (first, second, third)
                #expect(Payload.difference(two.output, Self.bytes) == nil)
                #expect(one.text == "<b>text</b>" && three.text == "<b>text</b>")
            }
        }

        @Test("If a notify precedes the write, the value is read or refused, and the late write does no harm")
        func notifyFirst() async throws {
            try await Conformance.withOwner([Self.html], ["--notify-first", "text/html"]) { sandbox, peer in
                for _ in 0..<10 {
                    let pasted = try await sandbox.xpb("get", "-t", "text/html")
                    #expect(pasted.status == 1 || pasted.text == "<b>text</b>", "\(pasted)")
                }
                try await sandbox.expectNextCopyWorks()
            }
        }

        @Test("After the reader is killed, the rest of an INCR transfer is read, so that the owner can finish")
        func readerKilled() async throws {
            let options = Self.chunks + ["--at", Self.image, "chunk:2", "pause"]
            try await Conformance.withOwner([(Self.image, Self.bytes)], options) { sandbox, peer in
                _ = try await sandbox.running(["\(Binaries.folder)/xpb", "get", "-t", Self.image]) { reader in
                    _ = try await peer.await("pause")
                    try await reader.kill()
                    try await peer.send("continue")
                    #expect(try await peer.await("sent").length == Self.bytes.count)
                }
                let pasted = try await sandbox.require("get", "-t", Self.image)
                #expect(Payload.difference(pasted.output, Self.bytes) == nil)
            }
        }

        @Test("An INCR transfer that begins after the timeout is read to completion, on a window that still exists")
        func lateIncrement() async throws {
            let options = Self.chunks + ["--hold", Self.image]
            try await Conformance.withOwner([(Self.image, Self.bytes)], options) { sandbox, peer in
                // Only the wait for the contents has a short timeout, not the wait for the targets.
                try await sandbox.require("types")
                #expect(try await sandbox.xpb("get", "-t", Self.image, "--timeout", "3").status == 3)
                _ = try await peer.await("held")
                try await peer.send("answer")
                var event = try await peer.next()
                while event.event != "sent" {
                    #expect(event.event != "error", "the window was gone")
                    event = try await peer.next()
                }
                #expect(event.length == Self.bytes.count)
            }
        }

        @Test("A window is not reused after a timeout")
        func windows() async throws {
            try await Conformance.withOwner([Self.html], ["--silent-for", "text/html"]) { sandbox, peer in
                var windows: Set<Int> = []
                for round in 1...2 {
                    #expect(try await sandbox.xpb("get", "-t", "text/html", "--timeout", "3").status == 3)
                    var event = try await peer.next()
                    while event.event != "silent" {
                        if event.event == "request", let window = event.window { windows.insert(window) }
                        event = try await peer.next()
                    }
                    // Each round has a window for the type. TARGETS has one more, because it is requested only once
                    // from an owner.
                    #expect(windows.count == round + 1)
                }
            }
        }

        @Test("An owner that sends unwanted data forever does not affect the next copy")
        func endless() async throws {
            let options = Self.chunks + ["--endless", "--quiet"]
            try await Conformance.withOwner([(Self.image, Self.bytes)], options) { sandbox, peer in
                _ = try await sandbox.running(["\(Binaries.folder)/xpb", "get", "-t", Self.image]) { reader in
                    while try await peer.await("answered").target != Self.image {}
                    try await reader.kill()
                }
                try await sandbox.expectNextCopyWorks()
            }
        }
    }
}

extension Conformance {
    /// Events that other clients forge while the bridge owns the selection.
    @Suite("Rule 18: events forged by other clients", .requiresXvfb)
    struct Rule18Forged {
        @Test("A forged SelectionRequest is not answered")
        func request() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                try await sandbox.withPeer(["forge", "--event", "request"]) { peer async throws in
                    #expect(try await peer.await("notify").target == "TIMESTAMP")
                }
            }
        }

        @Test("A forged SelectionClear takes no selection away", arguments: ["CLIPBOARD", "CLIPBOARD_MANAGER"])
        func clear(selection: String) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                let count = try await sandbox.count()
                try await sandbox.withPeer(["forge", "--event", "clear", "--selection", selection]) {
                    peer async throws in
                    #expect(try await peer.await("notify").property != nil)
                }
                #expect(try await sandbox.xclipPastes().text == "text")
                #expect(try await sandbox.require("owner").lines.contains("owner: client"))
                #expect(try await sandbox.count() == count)
            }
        }

        @Test("A forged SelectionClear of the bridge's own selection does not end the bridge")
        func replaced() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                let bridge = try sandbox.bridge()
                try await sandbox.withPeer(["forge", "--event", "clear", "--selection", "_XPB_S0"]) { peer in
                    _ = try await peer.await("notify")
                }
                for _ in 0..<3 { #expect(try await sandbox.xclipPastes().text == "text") }
                #expect(try sandbox.bridge() == bridge)
            }
        }

        @Test("A forged DestroyNotify of the bridge's own window is ignored")
        func ownWindow() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                try await sandbox.withPeer(["forge", "--event", "destroy"]) { peer async throws in
                    #expect(try await peer.await("notify").property != nil)
                }
                #expect(try await sandbox.xclipPastes().text == "text")
            }
        }

        @Test(
            "Forged events neither accelerate nor end a transfer",
            arguments: ["delete", "destroy"])
        func transfer(event: String) async throws {
            try await Sandbox.with { sandbox in
                try sandbox.write(Payload.random(2_000_000), to: "in")
                try await sandbox.require("set", "-t", "image/png", "-f", "in")
                let arguments = ["ask", "--target", "image/png", "--pause-after", "2", "--out", sandbox.path("out")]
                try await sandbox.withPeer(arguments) { peer in
                    _ = try await peer.await("paused")
                    // The current chunk has not been read yet, so writing another one now would lose it.
                    for _ in 0..<3 {
                        try await peer.send("forge \(event)")
                        _ = try await peer.await("forged")
                    }
                    // Once the bridge has answered another request, it has handled the forged events.
                    #expect(try await sandbox.ask("--target", "TIMESTAMP").event == "reply")
                    try await peer.send("go")
                    #expect(try await peer.await("reply").length == 2_000_000)
                }
                try await sandbox.expectSame("out", "in")
            }
        }
    }
}
