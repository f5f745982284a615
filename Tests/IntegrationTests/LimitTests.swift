import CopyingSupport
import FoundationEssentials
import TestSupport
import Testing

extension Integration {
    /// Limits on the resources that X11 programs can use up.
    @Suite("Limits", .requiresXvfb)
    struct LimitTests {
        private static let type = "image/png"

        private struct Answers: Equatable {
            let served: Int
            let refused: Int
        }

        private struct Status: Decodable {
            struct Limit: Decodable {
                let name: String
                let used: Int
                let refused: Int
                let ended: Int
            }
            struct Refusal: Decodable {
                let reason: String
                let count: Int
            }
            struct Transfer: Decodable {
                let direction: String
                let type: String
                let process: Int?
                let program: String?
                let length: Int?
            }

            let limits: [Limit]
            let refusals: [Refusal]
            let underway: [Transfer]

            func limit(_ name: String) -> Limit? { limits.first { $0.name == name } }
        }

        private static func status(_ sandbox: Sandbox) async throws -> Status {
            try JSONDecoder().decode(Status.self, from: Data(try await sandbox.require("status", "--json").output))
        }

        /// Runs `body` while windows of one program have requested an image of a megabyte and do not read it.
        private static func withCrowd(
            _ windows: Int, of sandbox: Sandbox, _ body: (Answers, Int32) async throws -> Void
        ) async throws {
            let crowd = ["crowd", "--times", "\(windows)", "--ask", "CLIPBOARD", type, "XPB_PEER", "--stay"]
            try await sandbox.withPeer(crowd) { crowd in
                let properties = try #require(try await crowd.await("answered").names)
                let served = properties.compactMap(\.self).count
                try await body(Answers(served: served, refused: windows - served), crowd.process.processID)
            }
        }

        private static func with(
            _ settings: [String: String], _ body: (Sandbox, _ image: [UInt8]) async throws -> Void
        ) async throws {
            try await Sandbox.with(changes: settings) { sandbox in
                let image = Payload.random(1 << 20)
                try await sandbox.require("set", "-t", type, input: image)
                try await body(sandbox, image)
            }
        }

        @Test("Requests of one program over its limit are refused, and another program is served")
        func programs() async throws {
            try await Self.with(["XPB_LIMIT_PROGRAM_TRANSFERS": "10"]) { sandbox, image in
                try await Self.withCrowd(60, of: sandbox) { answers, process in
                    #expect(answers == Answers(served: 10, refused: 50))
                    let pasted = try await sandbox.ask("--target", Self.type)
                    #expect(pasted.length == image.count)
                    let status = try await Self.status(sandbox)
                    let limit = try #require(status.limit("limit-program-transfers"))
                    #expect(limit.used == 10 && limit.refused == 50 && limit.ended == 0)
                    #expect(status.refusals.first { $0.reason == "too many transfers of one program" }?.count == 50)
                    #expect(status.underway.count == 10)
                    #expect(
                        status.underway.allSatisfy {
                            $0.direction == "sending" && $0.type == Self.type && $0.process == Int(process)
                                && $0.program == "peer.py" && $0.length == image.count
                        })
                    let text = try await sandbox.require("status").text
                    #expect(
                        text.contains("transfer: sending \(Self.type) on CLIPBOARD to peer.py (\(process)): 0 bytes"))
                    #expect(text.contains("limit: limit-program-transfers: 10 of 10, 50 refused"))
                    #expect(text.contains("refused: too many transfers of one program, 50 times"))
                }
            }
        }

        @Test("Slow transfers lock nobody out: each new transfer replaces the slowest")
        func slowTransfers() async throws {
            let settings = [
                "XPB_LIMIT_TRANSFERS": "5", "XPB_LIMIT_DRIP_AGE": "0", "XPB_LIMIT_DRIP_RATE": "\(UInt32.max)",
            ]
            try await Self.with(settings) { sandbox, image in
                try await Self.withCrowd(5, of: sandbox) { answers, _ in
                    #expect(answers == Answers(served: 5, refused: 0))
                    for _ in 1...3 {
                        #expect(try await sandbox.ask("--target", Self.type).length == image.count)
                    }
                    let limit = try #require(try await Self.status(sandbox).limit("limit-transfers"))
                    #expect(limit.used <= 5)
                    #expect(limit.refused == 0)
                    #expect(limit.ended >= 1)
                }
            }
        }

        @Test("If no transfer is slow, new transfers are refused until one ends, and short requests are served")
        func full() async throws {
            try await Self.with(["XPB_LIMIT_TRANSFERS": "5"]) { sandbox, image in
                try await Self.withCrowd(5, of: sandbox) { _, _ in
                    let late = try await sandbox.ask("--target", Self.type)
                    #expect(late.event == "refused")
                    #expect(try await sandbox.ask("--target", "TARGETS").event == "reply")
                    #expect(try await sandbox.require("get", "-t", Self.type).output.count == image.count)
                }
                // The bridge may notice the end of the crowd's connection a moment after the crowd has exited.
                try await sandbox.awaitStatus { !$0.text.contains("transfer: sending ") }
                #expect(try await sandbox.ask("--target", Self.type).length == image.count)
            }
        }

        @Test("limit-atoms limits the atoms that new type names create in the X server, and text still works")
        func atoms() async throws {
            try await Sandbox.with(changes: ["XPB_LIMIT_ATOMS": "10"]) { sandbox in
                let names = (0..<30).map { "application/x-xpb-\(UInt64.random(in: .min ... .max))-\($0)" }
                for name in names { try await sandbox.require("set", "-t", name, input: Array("x".utf8)) }
                let known = try await sandbox.withPeer(["known"] + names) { try await $0.await("known").names }
                #expect(known?.count == 10)
                // Clients of the bridge can use all names.
                #expect(try await sandbox.require("get", "-t", names[29]).text == "x")
                try await sandbox.require("set", "text")
                #expect(try await sandbox.xclipPastes().text == "text")

                let own = try await sandbox.xpb("set", "-p", "com.example.new-\(UInt64.random(in: .min ... .max))", "x")
                #expect(own.status == 6 && own.error.contains("limit-atoms"), "\(own)")
                let status = try await Self.status(sandbox)
                let limit = try #require(status.limit("limit-atoms"))
                #expect(limit.used == 10 && limit.refused >= 20)
            }
        }

        @Test("Changed settings take effect at once")
        func changed() async throws {
            try await Self.with([:]) { sandbox, image in
                try await Self.withCrowd(3, of: sandbox) { _, _ in
                    try sandbox.writeConfiguration("{ \"limit-transfers\": 3 }")
                    #expect(try await sandbox.require("config", "limit-transfers").text == "3")
                    #expect(try await sandbox.ask("--target", Self.type).event == "refused")
                    try sandbox.writeConfiguration("{ \"limit-transfers\": 4 }")
                    #expect(try await sandbox.require("config", "limit-transfers").text == "4")
                    #expect(try await sandbox.ask("--target", Self.type).length == image.count)
                }
            }
        }
    }
}
