import CopyingSupport
import Glibc
import TestRandom
import TestSupport
import Testing

extension Integration {
    /// The bridge in a session of sway without an X display, with wl-copy and wl-paste.
    @Suite("In a Wayland session")
    struct WaylandTests {
        /// Runs `body` in a session of a compositor that serves no X11 programs.
        private func withSession(_ body: (Sandbox) async throws -> Void) async throws {
            try await Sandbox.with(display: nil, changes: Sandbox.logging) { sandbox in
                try await Sway.running(in: sandbox.path("wayland")) { variables in
                    let session = sandbox.changing(variables)
                    try await body(session)
                    try await session.require("bridge", "stop")
                }
            }
        }

        // MARK: Copies from Wayland programs

        @Test("A copy from a Wayland program is available at once with its types, as one change")
        func foreign() async throws {
            try await withSession { session in
                let before = try await session.count()
                try await session.awaitingChange { try await session.wlCopies("täxt") }
                #expect(try await session.require("get").text == "täxt")
                #expect(try await session.count() == before + 1)
                #expect(try await session.require("types").lines.contains("public.utf8-plain-text"))
                #expect(try await session.require("owner").text.hasPrefix("owner: wayland"))
                try await session.awaitingChange { try await session.wlCopies("<b>b</b>", type: "text/html") }
                #expect(try await session.require("get", "-t", "public.html").text == "<b>b</b>")
                #expect(try await session.count() == before + 2)
            }
        }

        @Test("Temporary contents have the mark that keeps clipboard managers from bringing them back")
        func temporary() async throws {
            try await withSession { session in
                try await session.require("set", "lasting")
                #expect(try await !session.wlTypes().contains("x-kde-passwordManagerHint"))
                try await session.require("set", "--expires", "1h", "for a while")
                #expect(try await session.wlTypes().contains("x-kde-passwordManagerHint"))
                let hint = ["/usr/bin/wl-paste", "-n", "--type", "x-kde-passwordManagerHint"]
                #expect(try await session.run(hint).text == "secret")
                #expect(try await session.wlPastes() == "for a while")
            }
        }

        @Test("A copy that was made before the bridge started is found")
        func foundAtStart() async throws {
            try await withSession { session in
                try await session.wlCopies("before")
                #expect(try await session.require("get").text == "before")
            }
        }

        @Test("The contents of a killed program remain with all types, and the count stays the same")
        func killed() async throws {
            try await withSession { session in
                try await session.require("bridge", "start")
                let copying = ["/usr/bin/wl-copy", "--foreground", "--type", "text/plain", "kept ü"]
                _ = try await session.running(copying) { program in
                    try await session.require("wait", "--since", "0", "--timeout", "60")
                    let (count, types) = (try await session.count(), try await session.wlTypes())
                    _ = try await session.awaitStatus("captured", count: count)
                    try await program.kill()
                    #expect(try await session.require("get").text == "kept ü")
                    #expect(try await session.count() == count)
                    #expect(try await session.wlPastes() == "kept ü")
                    #expect(try await session.wlTypes() == types)
                }
            }
        }

        @Test("A secret is read on request, and does not outlive its program")
        func secret() async throws {
            try await withSession { session in
                try await session.require("bridge", "start")
                try await session.awaitingChange {
                    try await session.wlCopies("secret", type: "x-kde-passwordManagerHint")
                }
                #expect(try await session.require("get", "-t", "x-kde-passwordManagerHint").text == "secret")
                try await session.wlClears()
                #expect(try await session.xpb("get").status == 1)
            }
        }

        // MARK: Contents of the bridge

        @Test("Wayland programs paste contents that xpb sets, under the names that they know")
        func own() async throws {
            try await withSession { session in
                try await session.require("set", "täxt")
                let count = try await session.count()
                for type in ["text/plain;charset=utf-8", "text/plain", "UTF8_STRING", "STRING", "TEXT"] {
                    #expect(try await session.wlPastes(type) == "täxt", "\(type)")
                }
                let types = try await session.wlTypes()
                #expect(types.contains("text/plain;charset=utf-8") && !types.contains("COMPOUND_TEXT"), "\(types)")
                #expect(try await session.count() == count)
                #expect(try await session.require("get").text == "täxt")
            }
        }

        @Test("After clear, Wayland programs find nothing, and a clear by a Wayland program empties the pasteboard")
        func cleared() async throws {
            try await withSession { session in
                try await session.require("set", "text")
                try await session.require("clear")
                #expect(try await session.wlTypes() == [])
                try await session.require("set", "text")
                let count = try await session.count()
                try await session.wlClears()
                #expect(try await session.xpb("get").status == 1)
                #expect(try await session.count() == count + 1)
            }
        }

        @Test("clear also empties the clipboard that a Wayland program owns")
        func clearedForeign() async throws {
            try await withSession { session in
                try await session.wlCopies("theirs")
                try await session.require("clear")
                #expect(try await session.wlTypes() == [])
                #expect(try await session.xpb("get").status == 1)
            }
        }

        @Test("One-time contents are gone after one paste")
        func once() async throws {
            try await withSession { session in
                try await session.require("set", "--once", "text")
                let count = try await session.count()
                #expect(try await session.wlPastes() == "text")
                try await session.require("wait", "--since", "\(count)", "--timeout", "60")
                #expect(try await session.wlTypes() == [])
            }
        }

        @Test("A clipboard manager's copy of earlier contents is a change, but its copy of the current contents is not")
        func broughtBack() async throws {
            try await withSession { session in
                try await session.require("set", "earlier")
                let types = try await session.run(["/usr/bin/wl-paste", "--list-types"]).lines
                let marker = try #require(types.first { $0.hasPrefix("application/x-xpb-version;id=") })
                let count = try await session.count()
                try await session.wlCopies("earlier", type: "'\(marker)'")
                #expect(try await session.count() == count)
                #expect(try await session.require("get").text == "earlier")
                try await session.require("set", "later")
                try await session.wlCopies("earlier", type: "'\(marker)'")
                try await session.require("wait", "--since", "\(count + 1)", "--timeout", "60")
                #expect(try await session.count() == count + 2)
            }
        }

        @Test("find is the primary selection")
        func primary() async throws {
            try await withSession { session in
                try await session.require("set", "-p", "find", "ours")
                #expect(try await session.run(["/usr/bin/wl-paste", "--primary", "-n"]).text == "ours")
                try await session.awaitingChange(of: "find") {
                    _ = try await session.shell("/usr/bin/wl-copy --primary theirs >/dev/null 2>&1")
                }
                #expect(try await session.require("get", "-p", "find").text == "theirs")
                #expect(try await session.xpb("get").status == 1)
            }
        }

        @Test("Contents of any length are exact in both directions", arguments: [1, 65_537, 64 << 20])
        func lengths(length: Int) async throws {
            try await withSession { session in
                let bytes = Payload.random(length)
                try session.write(bytes, to: "in")
                try await session.require("set", "-t", "application/x-xpb-test", "-f", "in")
                let pasted = try await session.shell("/usr/bin/wl-paste -n -t application/x-xpb-test >out; cmp in out")
                #expect(pasted.status == 0, "\(pasted)")
                try await session.awaitingChange {
                    let copying = "/usr/bin/wl-copy -t application/x-xpb-other <in >/dev/null 2>&1"
                    let copied = try await session.shell(copying)
                    #expect(copied.status == 0, "\(copied)")
                }
                let read = try await session.shell(
                    "\"$1\" get -t application/x-xpb-other >out2; cmp in out2", Binaries.folder + "/xpb")
                #expect(read.status == 0, "\(read)")
            }
        }

        @Test("A reader that never reads delays nobody")
        func reader() async throws {
            try await withSession { session in
                try session.write(Payload.random(8 << 20), to: "in")
                try await session.require("set", "-t", "application/x-xpb-test", "-f", "in")
                _ = try await session.running(["/usr/bin/wl-paste", "-t", "application/x-xpb-test"]) { reader in
                    try reader.suspend()
                    for number in 0..<20 {
                        try await session.require("set", "\(number)")
                        #expect(try await session.wlPastes() == "\(number)")
                    }
                    try reader.resume()
                    try await reader.kill()
                }
            }
        }

        // MARK: Many copies

        @Test("After random copies by Wayland and xpb, contents and count match on both sides")
        func random() async throws {
            try await withSession { session in
                try await session.require("bridge", "start")
                var random = SeededGenerator(seed: 21)
                var count = try await session.count()
                for number in 0..<60 {
                    let text = "copy \(number)"
                    if Bool.random(using: &random) {
                        try await session.wlCopies(text)
                    } else {
                        try await session.require("set", text)
                    }
                    count += 1
                    try await session.require("wait", "--since", "\(count - 1)")
                    #expect(try await session.count() == count, "\(text)")
                    #expect(try await session.require("get").text == text)
                    #expect(try await session.wlPastes() == text)
                }
            }
        }

        // MARK: Compositors

        @Test("If the compositor is killed, the bridge keeps its contents and offers them to the next compositor")
        func compositorKilled() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                let folder = sandbox.path("wayland")
                let first = try await Sway.running(in: folder) { variables in
                    try await sandbox.changing(variables).require("set", "kept")
                    return variables
                }
                let session = sandbox.changing(first)
                #expect(try await session.require("get").text == "kept")
                // Until the event of the loss arrives, the bridge reports that it is attached.
                try await session.awaitStatus { $0.text.contains("not attached") }
                try await Sway.running(in: folder) { variables in
                    #expect(variables == first)
                    try await session.awaitStatus { !$0.text.contains("not attached") }
                    try await session.awaitOffer(of: "text/plain")
                    #expect(try await session.wlPastes() == "kept")
                    try await session.wlCopies("new")
                    #expect(try await session.require("get").text == "new")
                }
                try await session.require("bridge", "stop")
            }
        }

        @Test("A bridge without a display serves the Wayland display that its next client names")
        func attached() async throws {
            try await withSession { session in
                let without = session.removing("WAYLAND_DISPLAY")
                try await without.require("bridge", "start")
                try await without.require("set", "earlier")
                #expect(try await session.require("get").text == "earlier")
                try await session.awaitOffer(of: "text/plain")
                #expect(try await session.wlPastes() == "earlier")
                #expect(try await session.awaitBridges(1).count == 1)
            }
        }

        @Test("If WAYLAND_DISPLAY names no compositor, the error says so")
        func stale() async throws {
            try await Sandbox.with(display: nil, changes: ["WAYLAND_DISPLAY": "wayland-77"]) { sandbox in
                let outcome = try await sandbox.xpb("set", "text")
                #expect(outcome.status == 4)
                #expect(outcome.error.contains("WAYLAND_DISPLAY, which is 'wayland-77', cannot be used"), "\(outcome)")
                let doctor = try await sandbox.xpb("doctor", "--timeout", "60").text
                let line = "fault\tsession\tWAYLAND_DISPLAY, which is 'wayland-77', is stale"
                #expect(doctor.contains(line), "\(doctor)")
            }
        }

        @Test("status and doctor name the protocol through which copies are seen")
        func told() async throws {
            try await withSession { session in
                try await session.require("bridge", "start")
                let status = try await session.require("status").text
                let line = "wayland: wayland-1, seat0, zwlr_data_control_manager_v1 version 2"
                #expect(status.contains(line), "\(status)")
                let doctor = try await session.xpb("doctor", "--verbose", "--timeout", "60").text
                #expect(doctor.contains("ok\tsession\tcopies from Wayland programs are seen through"), "\(doctor)")
            }
        }
    }
}

extension Sandbox {
    /// Copies with wl-copy, which continues in the background.
    func wlCopies(_ text: String, type: String? = nil) async throws {
        let options = type.map { "--type \($0)" } ?? ""
        let outcome = try await shell("/usr/bin/wl-copy \(options) \"$1\" >/dev/null 2>&1", text)
        try #require(outcome.status == 0, "\(outcome)")
    }

    func wlClears() async throws {
        let outcome = try await run(["/usr/bin/wl-copy", "--clear"])
        try #require(outcome.status == 0, "\(outcome)")
    }

    func wlPastes(_ type: String = "text/plain") async throws -> String {
        try await run(["/usr/bin/wl-paste", "--no-newline", "--type", type]).text
    }

    func wlTypes() async throws -> [String] {
        let outcome = try await run(["/usr/bin/wl-paste", "--list-types"])
        // The types are sorted, because their order does not matter, and the bridge's own mark is left out.
        return outcome.status == 0 ? outcome.lines.filter { !$0.contains("x-xpb-version") }.sorted() : []
    }

    /// Waits until Wayland programs are offered a type. A bridge that has just started makes its offer a moment later.
    func awaitOffer(of type: String) async throws {
        try await awaitStatus { _ in try await wlTypes().contains(type) }
    }
}
