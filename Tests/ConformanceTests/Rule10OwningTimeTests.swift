import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    @Suite("Rule 10: claims and answers carry server times (ICCCM 2.1)", .requiresXvfb)
    struct Rule10 {
        /// Returns the owners of CLIPBOARD that the server reports during `body`, with their times.
        private static func owners(
            _ count: Int, in sandbox: Sandbox, while body: () async throws -> Void
        ) async throws -> [(window: Int, time: Int)] {
            try await sandbox.withPeer(["watch"]) { watch in
                _ = try await watch.await("watching")
                try await body()
                var owners: [(window: Int, time: Int)] = []
                while owners.count < count {
                    let event = try await watch.await("owner")
                    let window = try #require(event.window)
                    if window != 0 { owners.append((window, try #require(event.time))) }
                }
                return owners
            }
        }

        @Test("Every change of the contents is claimed with a new window and a later server time")
        func anew() async throws {
            try await Sandbox.with { sandbox in
                _ = try await sandbox.count()
                let owners = try await Self.owners(4, in: sandbox) {
                    for _ in 0..<2 { try await sandbox.require("set", "the same") }
                    try await sandbox.require("add", "more")
                    try await sandbox.require("undo")
                }
                #expect(Set(owners.map(\.window)).count == 4)
                #expect(owners.allSatisfy { $0.time != 0 })
                let steps = zip(owners, owners.dropFirst()).map { UInt32($1.time) &- UInt32($0.time) }
                #expect(steps.allSatisfy { (1..<1 << 31).contains($0) }, "\(owners)")
            }
        }

        @Test("Another program's claim with a later time succeeds, is noticed, and can be reversed")
        func competitor() async throws {
            try await Sandbox.with { sandbox in
                let theirs = [("UTF8_STRING", Array("theirs".utf8))]
                for round in 0..<5 {
                    try await sandbox.require("set", "ours \(round)")
                    try await sandbox.withOwner(theirs, ["--not-yet"]) { peer in
                        try await sandbox.awaitingChange { try await peer.send("own") }
                        #expect(try await sandbox.require("get").text == "theirs")
                        try await sandbox.require("set", "ours again")
                        _ = try await peer.await("lost")
                        let pasted = try await sandbox.xclipPastes()
                        #expect(pasted.text == "ours again", "round \(round): \(pasted)")
                    }
                }
            }
        }

        @Test("A request is answered whatever its time, and the answer has the same time")
        func anyTime() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                let reply = try await sandbox.ask("--target", "TIMESTAMP")
                let acquired = UInt32(try #require(reply.values?.first))
                let times = [
                    0, 1, acquired &- 1, acquired, acquired &+ 1, acquired &- 1_403, acquired &+ 1 << 31,
                    acquired &+ 1 << 31 &- 1, acquired &- 1 << 30, .max,
                ]
                for time in times {
                    try await sandbox.withPeer(["ask", "--time", "\(time)"]) { peer async throws in
                        #expect(try await peer.await("notify").time == Int(time))
                        #expect(try await peer.await("reply").text == "text")
                    }
                }
            }
        }

        @Test("A refusal has the time of its request", arguments: ["current", "1", "4294967295"])
        func refusedTime(time: String) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                try await sandbox.withPeer(["ask", "--target", "XPB_NEVER_SEEN", "--time", time]) { peer in
                    let asked = try await peer.await("asked").time
                    let notify = try await peer.await("notify")
                    #expect(notify.property == nil && notify.time == asked)
                }
            }
        }
    }
}
