import TestSupport
import Testing

extension Conformance {
    /// A window of its own for each conversion, a property in each: RequestorTests.manners. How long a window is drained:
    /// ConversionTests.
    @Suite("Rule 18: Requestor hygiene", .requiresXvfb)
    struct Rule18 {
        private static let image = "image/png"
        private static let bytes = Payload.random(200_000)
        private static let html: Offered = ("text/html", Array("<b>text</b>".utf8))
        private static let chunks = ["--incr", "65536"]

        @Test(
            "A notify with one wrong field is dropped, and the right one counts",
            arguments: ["selection", "target", "property", "time", "window"])
        func forged(field: String) async throws {
            try await Conformance.withOwner([Self.html], ["--forge", field]) { sandbox, peer in
                let pasted = try await sandbox.require("get", "-t", "text/html")
                #expect(pasted.text == "<b>text</b>")
                #expect(try await peer.await("forged").text == field)
            }
        }

        @Test("A second notify changes nothing, in one piece or in chunks", arguments: [true, false])
        func double(inChunks: Bool) async throws {
            let options = ["--double"] + (inChunks ? Self.chunks : [])
            try await Conformance.withOwner([(Self.image, Self.bytes)], options) { sandbox, _ in
                for _ in 0..<5 {
                    let pasted = try await sandbox.require("get", "-t", Self.image)
                    #expect(Payload.difference(pasted.output, Self.bytes) == nil)
                }
            }
        }

        @Test("Answers that cross find their questions, in one piece or in chunks", arguments: [true, false])
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

        @Test("A notify before the property is written is read or refused, and the owner's late write harms nobody")
        func notifyFirst() async throws {
            try await Conformance.withOwner([Self.html], ["--notify-first", "text/html"]) { sandbox, peer in
                for _ in 0..<10 {
                    let pasted = try await sandbox.xpb("get", "-t", "text/html")
                    #expect(pasted.status == 1 || pasted.text == "<b>text</b>", "\(pasted)")
                }
                try await sandbox.expectNextCopyWorks()
            }
        }

        @Test("The rest of an INCR is taken when its reader was killed, so that the owner comes to its end")
        func readerKilled() async throws {
            let options = Self.chunks + ["--at", Self.image, "chunk:2", "stop"]
            try await Conformance.withOwner([(Self.image, Self.bytes)], options) { sandbox, peer in
                _ = try await sandbox.running(["\(Binaries.folder)/xpb", "get", "-t", Self.image]) { reader in
                    _ = try await peer.await("stop")
                    try await reader.kill()
                    try peer.process.resume()
                    #expect(try await peer.await("sent").length == Self.bytes.count)
                }
                let pasted = try await sandbox.require("get", "-t", Self.image)
                #expect(Payload.difference(pasted.output, Self.bytes) == nil)
            }
        }

        @Test("An INCR that begins after its time is taken to its end, on a window that is still there")
        func lateIncrement() async throws {
            let options = Self.chunks + ["--hold", Self.image]
            try await Conformance.withOwner([(Self.image, Self.bytes)], options) { sandbox, peer in
                #expect(try await sandbox.xpb("get", "-t", Self.image, "--timeout", "3").status == 3)
                _ = try await peer.await("held")
                try await peer.send("answer")
                var event = try await peer.next()
                while event.event != "sent" {
                    #expect(event.event != "error", "its window was gone")
                    event = try await peer.next()
                }
                #expect(event.length == Self.bytes.count)
            }
        }

        @Test("A window is not used again after a deadline")
        func windows() async throws {
            try await Conformance.withOwner([Self.html], ["--silent-for", "text/html"]) { sandbox, peer in
                var windows: Set<Int> = []
                for round in 1...2 {
                    #expect(try await sandbox.xpb("get", "-t", "text/html", "--timeout", "5").status == 3)
                    var event = try await peer.next()
                    while event.event != "silent" {
                        if event.event == "request", let window = event.window { windows.insert(window) }
                        event = try await peer.next()
                    }
                    // One for the type, and once for TARGETS, which one owner is asked for once.
                    #expect(windows.count == round + 1)
                }
            }
        }

        @Test("An owner that sends without end, and nobody wants it, keeps nobody from the next copy")
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
