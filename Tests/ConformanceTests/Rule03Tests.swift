import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    @Suite("Rule 3: an owner may be silent, stall or die", .requiresXvfb)
    struct Rule03 {
        private static let type = "image/png"
        private static let bytes = Payload.random(300_000)

        /// The steps at which an owner of 300,000 bytes in chunks of 65,536 may die or stop.
        private static let steps = ["request", "incr", "property", "notify", "chunk:0", "chunk:3", "final"]

        private static func withOwner(
            _ options: [String], _ body: (Sandbox, Peer) async throws -> Void
        ) async throws {
            try await Conformance.withOwner([(type, bytes)], ["--incr", "65536"] + options, body)
        }

        @Test(
            "If the owner is stopped, reading times out with status 3 (5 if part was read), and the next copy works",
            arguments: steps)
        func stopped(step: String) async throws {
            try await Self.withOwner(["--at", Self.type, step, "pause"]) { sandbox, peer in
                let pasted = try await sandbox.xpb("get", "-t", Self.type, "--timeout", "1")
                #expect([3, 5].contains(pasted.status) && !pasted.error.isEmpty, "\(pasted)")
                #expect(Self.bytes.starts(with: pasted.output) && (pasted.status == 5 || pasted.output.isEmpty))
                try await sandbox.expectNextCopyWorks()
            }
        }

        @Test(
            "If the owner is killed, reading fails at once with status 1 (5 if part was read), and the next copy works",
            arguments: steps)
        func killed(step: String) async throws {
            try await Self.withOwner(["--at", Self.type, step, "kill"]) { sandbox, peer in
                // A wait for a timeout would exceed the time limit of the test.
                let pasted = try await sandbox.xpb("get", "-t", Self.type, "--timeout", "600")
                #expect([1, 5].contains(pasted.status), "\(pasted)")
                #expect(Self.bytes.starts(with: pasted.output) && (pasted.status == 5 || pasted.output.isEmpty))
                try await sandbox.expectNextCopyWorks()
            }
        }

        @Test(
            "If the owner's window is destroyed at any step, all or nothing is read, and the next copy works",
            arguments: steps)
        func windowGone(step: String) async throws {
            try await Self.withOwner(["--at", Self.type, step, "destroy"]) { sandbox, peer in
                let pasted = try await sandbox.xpb("get", "-t", Self.type, "--timeout", "600")
                if pasted.status == 0 {
                    #expect(Payload.difference(pasted.output, Self.bytes) == nil)
                } else {
                    #expect(pasted.status == 1 && pasted.output.isEmpty, "\(pasted)")
                }
                // A transfer that has begun continues, because the program is still running.
                if step.hasPrefix("chunk") || step == "final" { #expect(pasted.status == 0, "\(pasted)") }
                try await sandbox.expectNextCopyWorks()
            }
        }

        @Test(
            "After a release at any step, all or nothing is read, and the next copy works", arguments: steps)
        func released(step: String) async throws {
            try await Self.withOwner(["--at", Self.type, step, "disown"]) { sandbox, peer in
                let pasted = try await sandbox.xpb("get", "-t", Self.type, "--timeout", "600")
                if pasted.status == 0 {
                    #expect(Payload.difference(pasted.output, Self.bytes) == nil)
                } else {
                    #expect(pasted.status == 1 && pasted.output.isEmpty, "\(pasted)")
                }
                try await sandbox.expectNextCopyWorks()
            }
        }

        /// ConversionTests checks the timeout to the millisecond.
        @Test("The timeout applies to idle time: a slow transfer is read to completion")
        func slowSender() async throws {
            let options = ["--incr", "15000", "--delay", "0.75"]
            try await Conformance.withOwner([(Self.type, Self.bytes)], options) { sandbox, _ in
                // Twenty chunks take 15 seconds.
                let pasted = try await sandbox.require("get", "-t", Self.type, "--timeout", "14")
                #expect(Payload.difference(pasted.output, Self.bytes) == nil)
            }
        }

        @Test("Adding to a slow owner's contents does not time out while data arrives")
        func addToSlowSender() async throws {
            let options = ["--incr", "15000", "--delay", "0.75"]
            try await Conformance.withOwner([(Self.type, Self.bytes)], options) { sandbox, _ in
                try await sandbox.require("add", "--timeout", "14", "more")
                let pasted = try await sandbox.require("get", "-t", Self.type)
                #expect(Payload.difference(pasted.output, Self.bytes) == nil)
            }
        }

        @Test("A late answer still finds its window, and is not mistaken for the answer to the next request")
        func late() async throws {
            let offers: [Offered] = [("text/html", Array("<b>late</b>".utf8)), (Self.type, Self.bytes)]
            let options = ["--hold", "text/html", "--hold", Self.type, "--incr", "65536"]
            try await Conformance.withOwner(offers, options) { sandbox, peer in
                // Only the wait for the contents has a short timeout, not the wait for the targets.
                try await sandbox.require("types")
                let silent = try await sandbox.xpb("get", "-t", "text/html", "--timeout", "3")
                #expect(silent.status == 3, "\(silent)")
                _ = try await peer.await("held")
                let second = ["\(Binaries.folder)/xpb", "get", "-t", Self.type, "--timeout", "600"]
                async let pasted = sandbox.run(second)
                _ = try await peer.await("held")
                try await peer.send("answer")
                var event = try await peer.next()
                while event.event != "sent" {
                    #expect(event.event != "error", "the window was gone")
                    event = try await peer.next()
                }
                let output = try await pasted.output
                #expect(Payload.difference(output, Self.bytes) == nil)
                try await sandbox.expectNextCopyWorks()
            }
        }

        @Test("An owner that answers nothing times out for all readers, and delays nothing else")
        func silent() async throws {
            try await Conformance.withOwner([("UTF8_STRING", [0x61])], ["--silent"]) { sandbox, _ in
                async let readers = sandbox.shell(
                    """
                    for _ in $(seq 20); do xpb get --timeout 1 & all="$all $!"; done
                    for one in $all; do wait "$one"; echo $?; done
                    """)
                try await sandbox.require("set", "-p", "find", "needle")
                #expect(try await sandbox.xclipPastes(from: "primary").text == "needle")
                let statuses = try await readers.lines
                #expect(statuses == Array(repeating: "3", count: 20))
                try await sandbox.expectNextCopyWorks()
            }
        }
    }
}
