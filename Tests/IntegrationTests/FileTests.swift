import CopyingSupport
import Foundation
import Glibc
import TestSupport
import Testing

extension Integration {
    /// The files that `xpb` reads and writes by their names.
    @Suite("Files")
    struct FileTests {
        @Test("A pipe is opened once, so that the bytes of a short writer arrive")
        func pipe() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                try await sandbox.require("bridge", "start")
                let script = """
                    mkfifo pipe
                    for round in $(seq 40); do
                        printf "round %s" "$round" >pipe &
                        timeout 10 xpb set -f pipe || exit
                        wait
                        test "$(xpb get)" = "round $round" || exit
                    done
                    """
                let outcome = try await sandbox.shell(script)
                #expect(outcome.status == 0, "\(outcome)")
            }
        }
    }
}
