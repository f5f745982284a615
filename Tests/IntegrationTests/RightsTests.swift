import Glibc
import TestSupport
import Testing

extension Integration {
    /// Programs that were given more rights than who starts them has, and peers that are another user's.
    @Suite("Rights", .enabled(if: geteuid() == 0, "only root gives rights away"))
    struct RightsTests {
        /// Runs a program that was installed in a certain way, as the user 65534.
        private static func asAnother(
            _ program: String, _ arguments: String..., installing: String, in sandbox: Sandbox
        ) async throws -> Outcome {
            // Not in the folder of the sandbox, which others may not enter.
            let script = """
                folder=$(mktemp -d /tmp/xpb-XXXXXX) && chmod 711 "$folder" || exit 99
                program=$folder/program
                install -m 755 "$(command -v "$1")" "$program" && \(installing) || exit 99
                shift
                setpriv --reuid 65534 --regid 65534 --clear-groups -- "$program" "$@"
                status=$?
                rm -r "$folder"
                exit "$status"
                """
            return try await sandbox.run(["/bin/sh", "-c", script, "sh", program] + arguments)
        }

        @Test(
            "Installed set-user-id, set-group-id or with capabilities, neither program runs",
            .enabled(
                if: !Binaries.areSanitized,
                "a sanitizer cannot write its report there, and ends with a status of its own"),
            arguments: ["xpb", "xpbd"],
            [
                "chmod u+s \"$program\"", "chgrp 1 \"$program\" && chmod g+s \"$program\"",
                "setcap cap_sys_nice=ep \"$program\"",
            ])
        func foreignRights(program: String, installing: String) async throws {
            try await Sandbox.with(display: nil) { sandbox in
                let command = program == "xpb" ? "count" : "--no-display"
                let outcome = try await Self.asAnother(program, command, installing: installing, in: sandbox)
                #expect(outcome.status == 2, "\(outcome)")
                #expect(outcome.error.contains("set-user-id"), "\(outcome)")
            }
        }

        @Test("As they are usually installed, another user's are refused the folder that is not theirs")
        func otherFolder() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                let outcome = try await Self.asAnother("xpb", "count", installing: "true", in: sandbox)
                #expect(outcome.status == 4, "\(outcome)")
                #expect(outcome.error.contains(sandbox.runtimeFolder), "\(outcome)")
            }
        }

        @Test("xpb says nothing to a socket at which another user listens")
        func otherListener() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                try await sandbox.require("bridge", "start")
                let path = "\(sandbox.runtimeFolder)/xpb/none.sock"
                let script = """
                    import os, socket, sys
                    listener = socket.socket(socket.AF_UNIX)
                    os.unlink(sys.argv[1])
                    listener.bind(sys.argv[1])
                    os.seteuid(65534)
                    listener.listen()
                    print("listening", flush=True)
                    connection, _ = listener.accept()
                    print(len(connection.recv(100)), flush=True)
                    """
                _ = try await sandbox.running(["/usr/bin/python3", "-c", script, path]) { listener in
                    #expect(try await listener.line() == "listening")
                    let outcome = try await sandbox.xpb("set", "--text", "not for others")
                    #expect(outcome.status == 4, "\(outcome)")
                    #expect(outcome.error.contains(path) && outcome.error.contains("another user"), "\(outcome)")
                    #expect(try await listener.line() == "0")
                }
            }
        }
    }
}
