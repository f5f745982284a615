import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    @Suite("Rule 25: PRIMARY changes all the time", .requiresXvfb)
    struct Rule25 {
        private static let text: [Offered] = [("UTF8_STRING", Array("dragged".utf8))]

        @Test("Nine hundred changes at three hundred per second are all counted, and nothing is requested")
        func churn() async throws {
            try await Conformance.withOwner(Self.text, ["--selection", "PRIMARY"], captures: true) { sandbox, peer in
                let before = try await sandbox.count("find")
                try await peer.send("churn 900 300")
                _ = try await peer.await("churned")
                try await sandbox.require("wait", "-p", "find", "--since", "\(before + 899)", "--timeout", "60")
                #expect(try await sandbox.count("find") == before + 900)
                let status = try await sandbox.awaitStatus("not captured", "find", count: before + 900)
                #expect(status.contains("capture-primary"))
                #expect(try await peer.requestsUntilNow() == [])
            }
        }

        @Test("A CLIPBOARD that changes quickly is captured once, after it has settled")
        func clipboard() async throws {
            try await Sandbox.with(changes: ["XPB_CAPTURE_DELAY": "4"]) { sandbox in
                try await sandbox.withOwner(Self.text, ["--not-yet"]) { peer in
                    let before = try await sandbox.count()
                    try await peer.send("churn 900 300")
                    _ = try await peer.await("churned")
                    _ = try await sandbox.awaitStatus("captured", count: before + 900)
                    let asked = try await peer.requestsUntilNow()
                    #expect(asked == ["TARGETS", "UTF8_STRING"])
                }
            }
        }

        @Test(
            "If PRIMARY is captured, its owner is asked only after the button or Shift key was released",
            arguments: ["button", "shift"])
        func selecting(what: String) async throws {
            try await Sandbox.with(changes: ["XPB_CAPTURE_PRIMARY": "yes", "XPB_CAPTURE_DELAY": "0"]) { sandbox in
                try await sandbox.withOwner(Self.text, ["--selection", "PRIMARY", "--not-yet"]) { peer in
                    try await peer.send("press \(what)")
                    try await peer.send("own")
                    _ = try await peer.await("owned")
                    let count = try await sandbox.count("find")
                    // These commands give the bridge enough time for a request, if it made one.
                    for number in 0..<10 { try await sandbox.require("set", "-p", "secondary", "\(number)") }
                    try await peer.send("release \(what)")
                    var event = try await peer.next()
                    while event.event != "released" {
                        #expect(event.event != "request")
                        event = try await peer.next()
                    }
                    _ = try await peer.await("request")
                    _ = try await sandbox.awaitStatus("captured", "find", count: count)
                }
            }
        }

        @Test("The bridge does not fight for PRIMARY")
        func lost() async throws {
            try await Conformance.withOwner(Self.text, ["--selection", "PRIMARY", "--not-yet"]) { sandbox, peer in
                try await sandbox.require("set", "-p", "find", "needle")
                try await peer.send("own")
                _ = try await peer.await("owned")
                let count = try await sandbox.count("find")
                #expect(try await sandbox.require("get", "-p", "find").text == "dragged")
                #expect(try await sandbox.count("find") == count)
                try await peer.send("disown")
                var events: [String] = []
                while case let event = try await peer.next(), event.event != "disowned" { events.append(event.event) }
                #expect(!events.contains("lost"))
            }
        }
    }
}
