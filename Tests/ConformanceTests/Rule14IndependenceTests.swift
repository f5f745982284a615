import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    @Suite("Rule 14: selections are independent, and a SelectionClear may be outdated (ICCCM 2.3.1)", .requiresXvfb)
    struct Rule14 {
        @Test("A program that takes PRIMARY does not affect CLIPBOARD")
        func primary() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-p", "general", "-p", "find", "both")
                let count = try await sandbox.count()
                let theirs = [("UTF8_STRING", Array("theirs".utf8))]
                try await sandbox.withOwner(theirs, ["--selection", "PRIMARY", "--not-yet"]) { thief in
                    try await sandbox.awaitingChange(of: "find") { try await thief.send("own") }
                    #expect(try await sandbox.xclipPastes(from: "clipboard").text == "both")
                    #expect(try await sandbox.require("get", "-p", "find").text == "theirs")
                    #expect(try await sandbox.require("get").text == "both")
                    #expect(try await sandbox.count() == count)
                }
            }
        }

        @Test(
            "After a burst of claims by the bridge and a rival, the last claimant is the owner",
            arguments: [true, false])
        func burst(isOursLast: Bool) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "first")
                let file = try sandbox.write("theirs".utf8, to: "in")
                try await sandbox.withPeer(["own", "--offer", "UTF8_STRING", file]) { rival in
                    _ = try await rival.await("owned")
                    for round in 0..<20 {
                        // Neither side waits: the notice of a loss is still under way when the next claim is made.
                        try await rival.send("own")
                        // The status is 6 if the rival has just taken the selection twice.
                        let set = try await sandbox.xpb("set", "ours \(round)")
                        #expect([0, 6].contains(set.status), "\(set)")
                        try await rival.send("own")
                        try await rival.send("disown")
                        try await rival.send("own")
                    }
                    // The bridge may take the selection before the rival has checked that it owns the selection.
                    var claims = 0
                    while claims < 60 {
                        if ["owned", "not-owned"].contains(try await rival.next().event) { claims += 1 }
                    }
                    if isOursLast { try await sandbox.require("set", "ours last") }
                    let last = isOursLast ? "ours last" : "theirs"
                    #expect(try await sandbox.require("get").text == last)
                    #expect(try await sandbox.xclipPastes().text == last)
                }
            }
        }
    }
}
