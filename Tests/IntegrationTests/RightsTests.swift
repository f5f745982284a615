import CopyingSupport
import Glibc
import TestSupport
import Testing

extension Integration {
    /// Programs with more rights than their caller, and sockets of other users.
    @Suite("Rights", .enabled(if: geteuid() == 0, "only root can give rights away"))
    struct RightsTests {
        /// Runs a program as user 65534 after installing it with a command.
        private static func asAnother(
            _ program: String, _ arguments: String..., installing: String, in sandbox: Sandbox
        ) async throws -> Outcome {
            // The folder of the sandbox is closed to other users.
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
            "Installed with set-user-id, set-group-id or capabilities, neither program runs",
            .enabled(
                if: !Binaries.areSanitized,
                "a sanitizer cannot write its report there and exits with its own status"),
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

        @Test("Installed as usual, a program of another user is refused the folder")
        func otherFolder() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                let outcome = try await Self.asAnother("xpb", "count", installing: "true", in: sandbox)
                #expect(outcome.status == 4, "\(outcome)")
                #expect(outcome.error.contains(sandbox.runtimeFolder), "\(outcome)")
            }
        }

        @Test(
            "While the bridge holds a secret, its own user cannot read its memory",
            .enabled(if: geteuid() == 0, "root reads the memory of every process"))
        func memory() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                let script = """
                    folder=$(mktemp -d /tmp/xpb-XXXXXX) && mkdir -m 700 "$folder/run" || exit 99
                    chown 65534:65534 "$folder" "$folder/run" || exit 99
                    install -m 755 "$(command -v xpb)" "$(command -v xpbd)" "$folder" || exit 99
                    HOME=$folder XDG_RUNTIME_DIR=$folder/run PATH=$folder:$PATH XPB_XPBD=$folder/xpbd
                    number="import json, sys; print(json.load(sys.stdin)[sys.argv[1]])"
                    export HOME XDG_RUNTIME_DIR PATH XPB_XPBD number
                    setpriv --reuid 65534 --regid 65534 --clear-groups sh -c '
                        xpb bridge start
                        process=$(xpb status --json | python3 -c "$number" process)
                        read_memory() { head -c 1 "/proc/$process/environ" >/dev/null 2>&1 && echo open || echo closed; }
                        read_memory
                        printf secret | xpb set --concealed
                        read_memory
                        xpb set other
                        read_memory
                        xpb bridge stop'
                    rm -r "$folder"
                    """
                let outcome = try await sandbox.run(["/bin/sh", "-c", script])
                #expect(outcome.lines == ["open", "closed", "open"], "\(outcome)")
            }
        }

        @Test("xpb sends nothing to a socket of another user")
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
