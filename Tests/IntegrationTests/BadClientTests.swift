import CopyingSupport
import FoundationEssentials
import Glibc
import TestSupport
import Testing

extension Integration {
    /// Clients that break every rule of the wire protocol. Afterwards the bridge is unchanged, and serves other
    /// clients.
    @Suite("Bad clients")
    struct BadClientTests {
        /// The resources that a bridge uses.
        private struct State {
            let descriptors: Int
            let clients: Int
            /// The proportional set size, in KiB.
            let memory: Int

            private struct Status: Decodable {
                let clients: Int
            }

            init(of bridge: Int32, in sandbox: Sandbox) async throws {
                let status = try await sandbox.require("status", "--json")
                clients = try JSONDecoder().decode(Status.self, from: Data(status.output)).clients
                descriptors = ProcessTable.descriptors(of: bridge).count
                let pss = try await sandbox.shell("awk '/^Pss:/ { print $2 }' /proc/$1/smaps_rollup", "\(bridge)")
                memory = try #require(pss.number, "\(pss)")
            }
        }

        /// The memory in KiB that the C library may keep for later allocations.
        private static let maxGrowth = 48 << 10

        /// Runs `body` with the command of the bad client, while a bridge is running whose `general` has the text
        /// "kept". Then expects the bridge to be unchanged, except for the contents of `find`.
        private static func withBridge(
            changes: [String: String?] = [:], log: String = "info", descriptors: Int? = nil,
            _ body: (Sandbox, [String]) async throws -> Void
        ) async throws {
            try await Sandbox.with(display: nil, changes: changes) { sandbox in
                let command = ["xpbd", "--no-display", "--log-level", log, "--ready-fd", "3"]
                let limit = descriptors.map { "ulimit -n \($0); " } ?? ""
                let script = "\(limit)exec \"$@\" 3>&1"
                _ = try await sandbox.running(["/bin/sh", "-c", script, "sh"] + command) { process in
                    #expect(try await process.line() == "ready")
                    try await sandbox.require("set", "kept")
                    let bridge = process.processID
                    try await sandbox.require("get")
                    let before = try await State(of: bridge, in: sandbox)
                    let socket = "\(sandbox.runtimeFolder)/xpb/none.sock"
                    try await body(sandbox, ["/usr/bin/python3", Binaries.fixture("bad_client.py"), socket])
                    #expect(sandbox.bridges() == [bridge])
                    #expect(try await sandbox.require("get").text == "kept")
                    try await sandbox.require("clear", "-p", "find")
                    // The bridge may handle many other events before it notices that a client has ended.
                    var after = try await State(of: bridge, in: sandbox)
                    while after.descriptors > before.descriptors || after.clients > before.clients {
                        try Task.checkCancellation()
                        after = try await State(of: bridge, in: sandbox)
                    }
                    #expect(after.clients == before.clients)
                    // AddressSanitizer keeps freed memory, to detect its use.
                    if !Binaries.areSanitized { #expect(after.memory <= before.memory + maxGrowth) }
                }
            }
        }

        /// Runs the client with each of the arguments, and expects the given answer and an unharmed bridge.
        private static func expect(
            _ answers: [(String, [String])], _ verb: String, changes: [String: String?] = [:]
        ) async throws {
            try await withBridge(changes: changes) { sandbox, client in
                for (answer, arguments) in answers {
                    for argument in arguments {
                        let words = argument.split(separator: " ").map(String.init)
                        let outcome = try await sandbox.run(client + [verb] + words)
                        if outcome.text.hasPrefix("unsupported") { continue }
                        #expect(outcome.text == answer, "\(argument): \(outcome)")
                        #expect(try await sandbox.require("get").text == "kept")
                    }
                }
            }
        }

        @Test("A message that is invalid, too long or nested too deeply ends its connection and nothing else")
        func noMessages() async throws {
            let closed = [
                "nuls", "deep-array", "deep-object", "deep-open", "deep-elsewhere", "two-objects", "utf16",
                "null-method", "list", "text", "unclosed", "many-keys",
            ]
            try await Self.expect([("closed", closed), ("Refused closed", ["too-long"])], "message")
        }

        @Test("Impossible parameters are answered with an error, and unusual parameters are accepted")
        func oddMessages() async throws {
            let wrong = [
                "huge-fraction", "huge-integer", "long-number", "fraction", "invalid-utf8", "half-character",
                "lone-surrogate", "swapped-surrogates", "duplicate", "null-parameters",
            ]
            let fine = ["longest", "negative", "byte-order-mark", "long-key"]
            try await Self.expect(
                [("InvalidParameter", wrong), ("InvalidName", ["escaped-nul", "long-name"]), ("ok", fine)], "message")
        }

        @Test("Only a memory file with all seals is accepted")
        func files() async throws {
            let others = ["directory", "socket", "pipe", "zero", "epoll", "event", "path", "regular", "memory-path"]
            let unsafe = [
                "unsealed", "sealed-against-shrinking", "not-sealed-against-writing", "seals-can-be-added",
                "sealed-against-later-writing", "huge-pages", "write-only",
            ]
            try await Self.expect([("InvalidBytes", others + unsafe), ("ok", ["sealed", "sealed-read-only"])], "file")
        }

        @Test("Ranges outside a file are refused")
        func ranges() async throws {
            let outside = [
                "behind", "longer", "negative-offset", "negative-length", "sum-overflows", "offset-overflows",
                "another-descriptor",
            ]
            try await Self.expect(
                [("InvalidBytes", outside), ("InvalidParameter", ["no-integer"]), ("ok", ["empty-at-the-end"])], "range"
            )
        }

        @Test("Descriptors that no call names, or that are too many, end the connection and are closed")
        func descriptors() async throws {
            let stray = ["1", "64", "65", "253", "2 1", "65 65", "253 64"]
            try await Self.expect([("closed", stray), ("ok", ["1 1", "64 64"])], "descriptors")
            try await Self.withBridge { sandbox, client in
                let outcome = try await sandbox.run(client + ["stray"])
                #expect(outcome.text == "closed", "\(outcome)")
            }
        }

        @Test("Tens of thousands of calls at once are all answered, and other clients are still served")
        func floods() async throws {
            try await Self.withBridge { sandbox, client in
                for (kind, answers) in [("oneway", 1), ("pipelined", 20_000), ("mixed", 10_000)] {
                    let outcome = try await sandbox.run(client + ["flood", kind, "20000"])
                    #expect(outcome.text == "\(answers) True", "\(outcome)")
                }
            }
        }

        @Test("Two hundred clients that never read their answers delay nobody and leave nothing behind")
        func neverRead() async throws {
            try await Self.withBridge { sandbox, client in
                _ = try await sandbox.running(client + ["unread", "200", "100"]) { clients in
                    #expect(try await clients.line() == "unread")
                    #expect(try await sandbox.require("get").text == "kept")
                    // Clients that are stopped or killed delay nobody either.
                    try clients.suspend()
                    try await sandbox.require("set", "-p", "find", "changed")
                    #expect(try await sandbox.require("get").text == "kept")
                    try await clients.kill()
                }
            }
        }

        @Test("A client that closes one direction is answered as far as possible")
        func halfClosed() async throws {
            try await Self.withBridge { sandbox, client in
                #expect(try await sandbox.run(client + ["half", "write"]).text == "ok closed")
                let outcome = try await sandbox.run(client + ["half", "read"])
                // A socket that is closed with unread data resets its peer; a socket without unread data breaks the
                // pipe. Either may happen, depending on timing.
                #expect(["EPIPE", "ECONNRESET", "sent"].contains(outcome.text), "\(outcome)")
            }
        }

        @Test("A connection that a child inherits is served until the child ends")
        func fork() async throws {
            try await Self.withBridge { sandbox, client in
                // The shell is still running when its child has ended and its grandchild has not.
                let command = ["/bin/sh", "-c", "\"$@\"; read line", "sh"] + client + ["fork"]
                _ = try await sandbox.running(command) { process in
                    #expect(try await process.line() == "left")
                    #expect(try await sandbox.require("get").text == "kept")
                    try await process.finish()
                }
            }
        }

        @Test("The upload of a client that dies is discarded")
        func upload() async throws {
            try await Self.withBridge { sandbox, client in
                let outcome = try await sandbox.run(client + ["upload"])
                #expect(outcome.status == 137 && outcome.text == "uploading", "\(outcome)")
            }
        }

        @Test("An upload that was refused for lack of room continues intact once there is room")
        func cramped() async throws {
            try await Self.withBridge { sandbox, client in
                let outcome = try await sandbox.run(client + ["cramped"])
                #expect(outcome.text == "ok Refused ok ok ok ok", "\(outcome)")
                let kept = try await sandbox.require("get", "-p", "find", "-t", "image/x-bad").output
                // AAAA, BBBB and CCCC, decoded as base64.
                let pieces: [[UInt8]] = [[0x00, 0x00, 0x00], [0x04, 0x10, 0x41], [0x08, 0x20, 0x82]]
                #expect(kept.elementsEqual(pieces.flatMap { Array(repeatElement($0, count: 80_000).joined()) }))
            }
        }

        @Test("A program that uploads up to its limit leaves the bridge enough descriptors for other clients")
        func hoard() async throws {
            try await Self.withBridge(descriptors: 400) { sandbox, client in
                _ = try await sandbox.running(client + ["hoard", "3"]) { process in
                    let words = try await process.line().split(separator: " ")
                    #expect(words.count == 2 && words.last == "Refused", "\(words)")
                    #expect((200..<300).contains(words.first.flatMap { Int($0) } ?? 0))
                    #expect(try await sandbox.require("get").text == "kept")
                    #expect(try await sandbox.run(client + ["clients", "50"]).text == "ok=50")
                    let status = try await sandbox.require("status").text
                    #expect(status.contains("limit: descriptors: 300 of 300, "), "\(status)")
                    #expect(status.contains("refused: no descriptor left for bytes"))
                    let refused = try await sandbox.xpb("set", "new")
                    #expect(refused.status == 6 && refused.error.contains("clear pasteboards"), "\(refused)")
                    try await process.finish()
                }
                try await sandbox.require("set", "-p", "find", "new")
            }
        }

        @Test(
            "Descriptors in waiting messages do not use up the descriptors that the bridge needs",
            arguments: ["whole", "part"])
        func stash(way: String) async throws {
            try await Self.withBridge(descriptors: 400) { sandbox, client in
                _ = try await sandbox.running(client + ["stash", way, "20"]) { process in
                    let served = try await process.line()
                    #expect((1...4).contains(Int(served) ?? 0), "\(served)")
                    #expect(try await sandbox.require("get").text == "kept")
                    #expect(try await sandbox.run(client + ["clients", "50"]).text == "ok=50")
                    try await process.finish()
                }
                try await sandbox.require("set", "-p", "find", "new")
            }
        }

        @Test("The uploads of one process are limited in total over all its connections")
        func programHandles() async throws {
            try await Self.withBridge(changes: ["XPB_LIMIT_PROGRAM_HANDLES": "300"]) { sandbox, client in
                _ = try await sandbox.running(client + ["hoard", "3"]) { process in
                    #expect(try await process.line() == "300")
                    let status = try await sandbox.require("status").text
                    #expect(status.contains("limit: limit-program-handles: 300 of 300, 300 refused"), "\(status)")
                    try await sandbox.require("set", "-p", "find", "new")
                    try await process.finish()
                }
            }
        }

        @Test("Thousands of items that were uploaded one by one cost only a few descriptors")
        func pile() async throws {
            try await Self.withBridge(descriptors: 600) { sandbox, client in
                let outcome = try await sandbox.run(client + ["pile", "2000"])
                #expect(outcome.text == "ok", "\(outcome)")
                for board in ["find", "com.example.pile"] {
                    #expect(try await sandbox.require("get", "-p", board, "--item", "1234").text == "234")
                }
                try await sandbox.require("clear", "-p", "com.example.pile")
            }
        }

        @Test("A process at its limit of connections is refused until it closes some, and other processes are served")
        func processLimit() async throws {
            try await Self.withBridge(changes: ["XPB_LIMIT_PROGRAM_CLIENTS": "50"]) { sandbox, client in
                _ = try await sandbox.running(client + ["clients", "60"]) { process in
                    #expect(try await process.line() == "Refused=10 ok=50")
                    #expect(try await sandbox.require("get").text == "kept")
                    try await process.finish()
                }
                #expect(try await sandbox.run(client + ["clients", "50"]).text == "ok=50")
            }
        }

        @Test("The incomplete messages of one program are limited in total over all its connections")
        func parts() async throws {
            let changes = ["XPB_LIMIT_MESSAGE": "65536", "XPB_LIMIT_PROGRAM_INCOMING": "2 MiB"]
            try await Self.withBridge(changes: changes) { sandbox, client in
                // 34 times 60,000 bytes are within the limit.
                _ = try await sandbox.running(client + ["part", "60", "60000"]) { process in
                    #expect(try await process.line() == "Refused=26 open=34")
                    #expect(try await sandbox.require("get").text == "kept")
                    let status = try await sandbox.require("status").text
                    let most = "most by python3 (\(process.processID))"
                    #expect(
                        status.contains("limit: limit-program-incoming: 1.9 MiB of 2 MiB, 26 refused, \(most)"),
                        "\(status)")
                    let reason = "too many bytes in incomplete and queued messages of one process"
                    #expect(status.contains("refused: \(reason), 26 times"))
                    try await process.finish()
                }
            }
        }

        @Test(
            "Above the limit on all incomplete messages, only the program with most of them loses connections")
        func partsOfAll() async throws {
            let changes = ["XPB_LIMIT_MESSAGE": "65536", "XPB_LIMIT_INCOMING": "2 MiB"]
            try await Self.withBridge(changes: changes) { sandbox, client in
                _ = try await sandbox.running(client + ["part", "10", "60000"]) { few in
                    #expect(try await few.line() == "open=10")
                    _ = try await sandbox.running(client + ["part", "40", "60000"]) { many in
                        #expect(try await many.line() == "Refused=16 open=24")
                        #expect(try await sandbox.require("get").text == "kept")
                        try await many.finish()
                    }
                    try await few.finish()
                }
            }
        }

        @Test("The memory of a long message is freed with its answer, while the connection stays open")
        func padded() async throws {
            try await Self.withBridge { sandbox, client in
                let bridge = try #require(sandbox.bridges().first)
                let before = try await State(of: bridge, in: sandbox).memory
                _ = try await sandbox.running(client + ["padded", "20"]) { process in
                    #expect(try await process.line() == "ok=20")
                    // Otherwise, the messages would take 80 MB.
                    #expect(try await State(of: bridge, in: sandbox).memory <= before + Self.maxGrowth)
                    try await process.finish()
                }
            }
        }

        @Test("At the limit, programs lose idle connections beyond their share, and other clients are served")
        func idleCrowd() async throws {
            try await Self.withBridge(changes: ["XPB_LIMIT_CLIENTS": "40"]) { sandbox, client in
                _ = try await sandbox.running(client + ["clients", "30"]) { first in
                    #expect(try await first.line() == "ok=30")
                    _ = try await sandbox.running(client + ["clients", "20"]) { second in
                        #expect(try await second.line() == "ok=20")
                        #expect(try await sandbox.require("get").text == "kept")
                        let status = try await sandbox.require("status").text
                        // Ten connections were closed for the second program, and one or two since then, depending on
                        // whether the previous command's connection is already closed.
                        #expect(
                            ["39", "40"].contains { status.contains("limit: limit-clients: \($0) of 40, 1") },
                            "\(status)")
                        #expect(status.contains(" ended, most by python3 ("), "\(status)")
                        try await second.finish()
                    }
                    try await first.finish()
                }
            }
        }

        @Test("If no connection is idle, a new client is refused and learns which program has the most connections")
        func busyCrowd() async throws {
            try await Self.withBridge(changes: ["XPB_LIMIT_CLIENTS": "40"]) { sandbox, client in
                _ = try await sandbox.running(client + ["clients", "5"]) { few in
                    #expect(try await few.line() == "ok=5")
                    _ = try await sandbox.running(client + ["watch", "35"]) { watchers in
                        #expect(try await watchers.line() == "ok=35")
                        for command in ["get", "status"] {
                            let refused = try await sandbox.xpb(command)
                            #expect(refused.status == 6, "\(refused)")
                            #expect(refused.error.contains("limit-clients"), "\(refused)")
                            #expect(
                                refused.error.contains(
                                    "process \(watchers.processID) (python3) has the most of them, 35"),
                                "\(refused)")
                        }
                        try await watchers.finish()
                    }
                    let status = try await sandbox.require("status").text
                    #expect(status.contains("refused: too many clients, "), "\(status)")
                    try await few.finish()
                }
            }
        }

        @Test("A connection of another user is closed without an answer, and logged", .enabled(if: geteuid() == 0))
        func otherUser() async throws {
            try await Self.withBridge { sandbox, client in
                // The permissions of the folder are enough to keep others out.
                let outside = try await sandbox.run(client + ["user", "65534"])
                #expect(outside.status == 1 && outside.error.contains("PermissionError"), "\(outside)")
                _ = try await sandbox.shell("chmod 711 . run run/xpb; chmod 666 run/xpb/none.sock")
                let inside = try await sandbox.run(client + ["user", "65534"])
                #expect(inside.text == "closed", "\(inside)")
                _ = try await sandbox.shell("chmod 700 . run run/xpb; chmod 600 run/xpb/none.sock")
                try await sandbox.awaitLog("refused a connection of user 65534")
            }
        }
    }
}
