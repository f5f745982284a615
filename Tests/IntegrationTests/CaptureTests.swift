import CopyingSupport
import TestSupport
import Testing

extension Integration {
    /// The capture of other programs' contents, so that the contents outlive their owners.
    @Suite("Capture", .requiresXvfb)
    struct CaptureTests {
        /// Runs `body` while a peer owns CLIPBOARD and offers the given text under each target.
        private static func owning(
            _ offers: [(target: String, text: String)], _ options: [String] = [],
            _ body: (Sandbox, Peer, Int) async throws -> Void
        ) async throws {
            try await Sandbox.with(changes: Sandbox.logging) { sandbox in
                let count = try await sandbox.count() + 1
                var arguments = ["own"] + options
                for (number, offer) in offers.enumerated() {
                    let file = try sandbox.write(Array(offer.text.utf8), to: "offer\(number)")
                    arguments += ["--offer", offer.target, file]
                }
                try await sandbox.withPeer(arguments) { peer in
                    _ = try await peer.await("owned")
                    try await body(sandbox, peer, count)
                }
            }
        }

        @Test("After xclip dies, its contents can be pasted, with the same count and without a watch event")
        func xclip() async throws {
            try await Sandbox.with(changes: Sandbox.logging) { sandbox in
                try sandbox.write(Array("text".utf8), to: "in")
                try await sandbox.xclipCopies("in")
                let count = try await sandbox.count()
                let status = try await sandbox.awaitStatus("captured", count: count)
                #expect(status == "captured: general \(count): public.utf8-plain-text (4 bytes)")
                _ = try await sandbox.running(["xpb", "watch", "--initial"]) { watch in
                    _ = try await watch.line()
                    try await sandbox.awaitingTakeover {
                        // xclip runs in the background.
                        for process in sandbox.processes() where ProcessTable.executable(of: process) == "xclip" {
                            await ProcessTable.end(process)
                        }
                    }
                    #expect(try await sandbox.xclipPastes().text == "text")
                    #expect(try await sandbox.xclipPastes("STRING").text == "text")
                    #expect(try await sandbox.require("get").text == "text")
                    #expect(try await sandbox.count() == count)
                    try await sandbox.require("set", "next")
                    #expect(try await watch.line() == "general\t\(count + 1)\tpublic.utf8-plain-text")
                }
            }
        }

        @Test("After a takeover, the owner is the bridge, on behalf of the dead program, with a timestamp")
        func owner() async throws {
            try await Self.owning([("UTF8_STRING", "text")]) { sandbox, peer, count in
                _ = try await sandbox.awaitStatus("captured", count: count)
                try await sandbox.awaitingTakeover { try await peer.process.kill() }
                let owner = try await sandbox.require("owner").text
                #expect(owner.contains("owner: bridge\n") && owner.contains("program: xpbd\n"), "\(owner)")
                #expect(owner.contains("for: peer.py (process \(peer.process.processID))"), "\(owner)")
                #expect(try await sandbox.ask("--target", "TIMESTAMP").type == "INTEGER")
            }
        }

        @Test("An orderly restart while a program owns the selection is not a change")
        func restarted() async throws {
            try await Sandbox.with { sandbox in
                try sandbox.write("text".utf8, to: "text")
                try await sandbox.require("count")
                try await sandbox.xclipCopies("text")
                let count = try await sandbox.count()
                _ = try await sandbox.awaitStatus("captured", count: count)
                try await sandbox.require("bridge", "restart")
                _ = try await sandbox.awaitStatus("captured", count: count)
                #expect(try await sandbox.require("get").text == "text")
                #expect(try await sandbox.count() == count)
                #expect(try await sandbox.require("history", "list").lines.count == 1)
            }
        }

        @Test("A selection that its owner gives up is empty, even if it was captured")
        func released() async throws {
            try await Self.owning([("UTF8_STRING", "text")]) { sandbox, peer, count in
                _ = try await sandbox.awaitStatus("captured", count: count)
                try await peer.send("disown")
                _ = try await peer.await("disowned")
                #expect(try await sandbox.xpb("get").status == 1)
                #expect(try await sandbox.count() == count + 1)
                #expect(try await sandbox.ask().event == "refused")
            }
        }

        @Test("The owner of a secret is asked only for its targets, and the secret ends with its owner")
        func secret() async throws {
            let offers = [("UTF8_STRING", "secret"), ("x-kde-passwordManagerHint", "secret")]
            try await Self.owning(offers) { sandbox, peer, count in
                let status = try await sandbox.awaitStatus("not captured", count: count)
                #expect(status.hasSuffix("it is a secret"))
                try await peer.send("disown")
                var requests: [String?] = []
                while case let event = try await peer.next(), event.event != "disowned" {
                    if event.event == "request" { requests.append(event.target) }
                }
                #expect(requests == ["TARGETS"])
                try await sandbox.awaitingChange {
                    try await peer.send("own")
                    _ = try await peer.await("owned")
                }
                let last = try await sandbox.count()
                try await peer.process.kill()
                let gone = try await sandbox.require("wait", "--since", "\(last)", "--timeout", "60").number
                #expect(gone == last + 1)
                #expect(try await sandbox.xpb("get").status == 1)
            }
        }

        @Test("A program that looks like GTK 4 is asked only for its targets")
        func gtk4() async throws {
            let offers = [("SAVE_TARGETS", ""), ("UTF8_STRING", "text")]
            try await Self.owning(offers) { sandbox, peer, count in
                let status = try await sandbox.awaitStatus("not captured", count: count)
                #expect(status.contains("GTK 4"))
                try await peer.send("disown")
                var requests: [String?] = []
                while case let event = try await peer.next(), event.event != "disowned" {
                    if event.event == "request" { requests.append(event.target) }
                }
                #expect(requests == ["TARGETS"])
            }
        }

        @Test("Nothing is kept from an owner that is replaced during its capture")
        func replaced() async throws {
            let offers = [("UTF8_STRING", "old"), ("text/html", "<b>old</b>")]
            try await Self.owning(offers, ["--silent-for", "text/html"]) { sandbox, peer, count in
                while try await peer.await("silent").target != "text/html" {}
                try sandbox.write(Array("new".utf8), to: "in")
                try await sandbox.withPeer(["own", "--offer", "UTF8_STRING", sandbox.path("in")]) { newer in
                    _ = try await newer.await("owned")
                    let status = try await sandbox.awaitStatus("captured", count: count + 1)
                    #expect(status.contains("(3 bytes)"), "\(status)")
                    try await peer.process.kill()
                    try await sandbox.awaitingTakeover { try await newer.process.kill() }
                }
                #expect(try await sandbox.xclipPastes().text == "new")
                #expect(try await sandbox.xclipPastes("text/html").status != 0)
                #expect(try await sandbox.count() == count + 1)
            }
        }

        @Test("If an owner dies during its capture, the text that was already captured remains")
        func diesMeanwhile() async throws {
            let offers = [("UTF8_STRING", "text"), ("text/html", "<b>text</b>")]
            try await Self.owning(offers, ["--silent-for", "text/html"]) { sandbox, peer, count in
                while try await peer.await("silent").target != "text/html" {}
                try await sandbox.awaitingTakeover { try await peer.process.kill() }
                #expect(try await sandbox.xclipPastes().text == "text")
                #expect(try await sandbox.count() == count)
            }
        }

        @Test("A representation over the limit is read fully and dropped, and the other representations are captured")
        func long() async throws {
            try await Sandbox.with(changes: Sandbox.logging) { sandbox in
                let count = try await sandbox.count() + 1
                let long = try sandbox.write(Payload.random((16 << 20) + 1), to: "long")
                let text = try sandbox.write(Array("text".utf8), to: "text")
                let html = try sandbox.write(Payload.random(1 << 20), to: "html")
                let offers = ["image/png", long, "text/html", html, "UTF8_STRING", text]
                let arguments = ["own", "--incr", "200000"]
                try await sandbox.withPeer(
                    arguments + stride(from: 0, to: 6, by: 2).flatMap { ["--offer", offers[$0], offers[$0 + 1]] }
                ) { peer in
                    while try await peer.await("sent").length != (16 << 20) + 1 {}
                    let status = try await sandbox.awaitStatus("captured", count: count)
                    #expect(status.contains("capture-limit"), "\(status)")
                    try await sandbox.awaitingTakeover { try await peer.process.kill() }
                }
                #expect(try await sandbox.xclipPastes().text == "text")
                #expect(
                    Payload.difference(try await sandbox.xclipPastes("text/html").output, Payload.random(1 << 20))
                        == nil)
                #expect(try await sandbox.ask("--target", "image/png").event == "refused")
            }
        }

        /// While xclip sends to one requestor, it never answers another.
        @Test("Contents that are too long to capture can be read during the capture")
        func readMeanwhile() async throws {
            try await Sandbox.with(changes: ["XPB_CAPTURE_DELAY": "0"]) { sandbox in
                _ = try await sandbox.count()
                let bytes = Payload.random(40 << 20)
                _ = try sandbox.write(bytes, to: "in")
                for _ in 0..<5 {
                    try await sandbox.xclipCopies("in", as: "image/png")
                    let read = try await sandbox.require("get", "--timeout", "60", "-t", "image/png")
                    #expect(Payload.difference(read.output, bytes) == nil)
                }
            }
        }

        @Test("A window that is destroyed and replaced at once counts as one change, without a takeover")
        func renewed() async throws {
            try await Self.owning([("UTF8_STRING", "text")]) { sandbox, peer, count in
                _ = try await sandbox.awaitStatus("captured", count: count)
                try sandbox.write(Array("renewed".utf8), to: "offer0")
                try await peer.send("renew")
                let window = try await peer.await("owned").window
                let status = try await sandbox.awaitStatus("captured", count: count + 1)
                #expect(status.contains("(7 bytes)"))
                #expect(try await sandbox.require("owner").text.contains(String(window ?? 0, radix: 16)))
                #expect(try await sandbox.count() == count + 1)
            }
        }

        @Test("PRIMARY is not captured, which the status reports, and is empty after its owner's death")
        func primary() async throws {
            try await Sandbox.with { sandbox in
                let count = try await sandbox.count("find") + 1
                let file = try sandbox.write(Array("text".utf8), to: "in")
                try await sandbox.withPeer(["own", "--selection", "PRIMARY", "--offer", "UTF8_STRING", file]) { peer in
                    _ = try await peer.await("owned")
                    let status = try await sandbox.awaitStatus("not captured", "find", count: count)
                    #expect(status.contains("capture-primary"))
                    try await peer.process.kill()
                }
                try await sandbox.require("wait", "-p", "find", "--since", "\(count)", "--timeout", "60")
                #expect(try await sandbox.xpb("get", "-p", "find").status == 1)
            }
        }

        @Test("Contents of a stopped program can be read with --stale; without it, the status is 3")
        func stale() async throws {
            try await Self.owning([("UTF8_STRING", "text")]) { sandbox, peer, count in
                _ = try await sandbox.awaitStatus("captured", count: count)
                let live = try await sandbox.require("get", "--stale")
                #expect(live.text == "text" && live.error.isEmpty)
                try peer.process.suspend()
                #expect(try await sandbox.xpb("get", "--timeout", "1").status == 3)
                // The bridge asks the program until the timeout, and then answers with the captured contents.
                let stale = try await sandbox.require("get", "--stale", "--timeout", "1")
                #expect(stale.text == "text")
                #expect(stale.error.contains("does not answer"), "\(stale)")
                let json = try await sandbox.require("get", "--stale", "--json", "--timeout", "1")
                #expect(json.text.contains("\"stale\":true"), "\(json)")
                let absent = try await sandbox.xpb("get", "--stale", "-t", "image/png", "--timeout", "1")
                #expect(absent.status != 0 && absent.output.isEmpty, "\(absent)")
            }
        }

        @Test("xpb can read the captured contents of a program that runs xpb and waits for it")
        func waitingOwner() async throws {
            try await Sandbox.with(changes: Sandbox.logging) { sandbox in
                let count = try await sandbox.count() + 1
                let reader = ["\(Binaries.folder)/xpb", "get", "--timeout", "60"]
                let program = ["/usr/bin/python3", Binaries.fixture("waiting_owner.py")]
                _ = try await sandbox.running(program + reader) { owner in
                    #expect(try await owner.line() == "owned")
                    _ = try await sandbox.awaitStatus("captured", count: count)
                    try await owner.send("")
                    #expect(try await owner.line() == "0 text")
                }
            }
        }

        @Test("Captured contents and their count remain when the X server ends")
        func serverGone() async throws {
            try await Sandbox.with(display: nil, changes: Sandbox.logging) { sandbox in
                let count = try await sandbox.running(Xvfb.command(Xvfb.nameToKeep())) { server in
                    let there = sandbox.changing(["DISPLAY": ":" + (try await server.line())])
                    let count = try await there.count() + 1
                    let file = try sandbox.write(Array("text".utf8), to: "in")
                    return try await there.withPeer(["own", "--offer", "UTF8_STRING", file]) { peer in
                        _ = try await peer.await("owned")
                        _ = try await there.awaitStatus("captured", count: count)
                        try await server.kill()
                        return count
                    }
                }.result
                #expect(try await sandbox.require("get").text == "text")
                #expect(try await sandbox.count() == count)
            }
        }
    }
}
