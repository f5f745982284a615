import CopyingSupport
import TestSupport
import Testing

extension Integration {
    /// Entire error messages: the bridge supplies the cause, and the command line adds the next step.
    @Suite("Advice", .requiresXvfb)
    struct AdviceTests {
        private static func expect(
            _ line: String, of arguments: [String], in sandbox: Sandbox,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            let outcome = try await sandbox.run(["\(Binaries.folder)/xpb"] + arguments)
            #expect(outcome.error == "xpb: \(line)\n", sourceLocation: sourceLocation)
        }

        @Test("A missing type, pasteboard or entry is reported with the existing ones, or the command that lists them")
        func missing() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "-t", "image/png", input: [1])
                try await Self.expect(
                    "none of the requested types is available; on offer: public.png", of: ["get", "-t", "text"],
                    in: sandbox)
                try await Self.expect(
                    "there is no pasteboard 'com.example.none'; 'xpb list' lists the pasteboards",
                    of: ["get", "-p", "com.example.none"], in: sandbox)
                try await Self.expect(
                    "there is no entry 99; 'xpb history' lists the entries", of: ["history", "show", "99"], in: sandbox)
            }
        }

        @Test("An owner that does not answer is reported with the command that names it")
        func silent() async throws {
            try await Sandbox.with { sandbox in
                _ = try await sandbox.count()
                let file = try sandbox.write(Array("text".utf8), to: "in")
                try await sandbox.withPeer(["own", "--offer", "UTF8_STRING", file, "--silent"]) { peer in
                    _ = try await peer.await("owned")
                    try await Self.expect(
                        "the program that owns CLIPBOARD did not answer in time; "
                            + "'xpb owner' names the owner, and a longer --timeout allows more time",
                        of: ["get", "--timeout", "1"], in: sandbox)
                }
            }
        }

        @Test("A store held by another process is reported with the option to do without it, and by the doctor")
        func locked() async throws {
            try await Sandbox.with { sandbox in
                let folder = sandbox.path(".local/state/xpb/\(try #require(Xvfb.display))")
                _ = try await sandbox.shell("mkdir -p \"$1\" && chmod 700 \"$1\"", folder)
                let holding = ["flock", "-F", "\(folder)/lock", "sh", "-c", "echo ready; cat"]
                _ = try await sandbox.running(holding) { holder in
                    #expect(try await holder.line() == "ready")
                    try await Self.expect(
                        "nothing was changed, since it could not be kept on disk: another process has the store, "
                            + "possibly a bridge of another runtime folder; "
                            + "'xpb set --memory' keeps the contents until the bridge ends",
                        of: ["set", "text"], in: sandbox)
                    try await sandbox.require("set", "--memory", "text")
                    let report = try await sandbox.xpb("doctor", "--timeout", "60").text
                    #expect(report.contains("resume or end the process that has locked the folder \(folder)"))
                    try await holder.finish()
                }
            }
        }

        @Test("Without a bridge or an X server, the advice is to start a bridge, or to run the doctor")
        func unavailable() async throws {
            try await Sandbox.with(display: ":4242") { sandbox in
                try await Self.expect(
                    "no bridge is running for DISPLAY, which is ':4242', yet; 'xpb bridge start' starts one",
                    of: ["status"],
                    in: sandbox)
                try await Self.expect(
                    "DISPLAY, which is ':4242', cannot be used: no X server answers at display ':4242', or it refuses "
                        + "access; check DISPLAY and XAUTHORITY; 'xpb doctor' finds the cause",
                    of: ["get"], in: sandbox)
            }
            let cause = "neither DISPLAY nor WAYLAND_DISPLAY is set, and no bridge is running; "
            try await Sandbox.with(changes: ["DISPLAY": nil, "SSH_CONNECTION": nil]) { sandbox in
                try await Self.expect(
                    cause + "set DISPLAY to the display of your session, which 'xpb doctor' names", of: ["get"],
                    in: sandbox)
            }
            try await Sandbox.with(changes: ["DISPLAY": nil, "SSH_CONNECTION": "::1 1 ::1 22"]) { sandbox in
                try await Self.expect(
                    cause + "'xpb link' on your own machine lets programs here use its pasteboard, and "
                        + "'xpb set --osc52' sends text to your terminal", of: ["get"], in: sandbox)
            }
        }
    }
}
