import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    @Suite("Rule 13: a transfer survives a change of ownership", .requiresXvfb)
    struct Rule13 {
        @Test("A transfer of 32 MB sends its original contents, although the selection and the contents change")
        func version() async throws {
            try await Sandbox.with { sandbox in
                try sandbox.write(Payload.random(32 << 20), to: "in")
                try await sandbox.require("set", "-t", "image/png", "-f", "in")
                let stolen = [("UTF8_STRING", Array("stolen".utf8))]
                let arguments = ["ask", "--target", "image/png", "--pause-after", "60", "--out", sandbox.path("out")]
                try await sandbox.withPeer(arguments) { peer in
                    _ = try await peer.await("paused")
                    try await sandbox.withOwner(stolen, ["--not-yet"]) { thief in
                        try await sandbox.awaitingChange { try await thief.send("own") }
                        #expect(try await sandbox.require("get").text == "stolen")
                        try await sandbox.require("set", "-t", "image/png", "--text", "second")
                        try await sandbox.require("set", "third")
                        try await peer.send("go")
                        #expect(try await peer.await("reply").length == 32 << 20)
                    }
                }
                try await sandbox.expectSame("out", "in")
                #expect(try await sandbox.xclipPastes().text == "third")
            }
        }

        @Test("A clear does not end a transfer in progress")
        func cleared() async throws {
            try await Sandbox.with { sandbox in
                try sandbox.write(Payload.random(2_000_000), to: "in")
                try await sandbox.require("set", "-t", "image/png", "-f", "in")
                let arguments = ["ask", "--target", "image/png", "--pause-after", "2", "--out", sandbox.path("out")]
                try await sandbox.withPeer(arguments) { peer in
                    _ = try await peer.await("paused")
                    try await sandbox.require("clear")
                    try await peer.send("go")
                    #expect(try await peer.await("reply").length == 2_000_000)
                }
                try await sandbox.expectSame("out", "in")
            }
        }
    }
}
