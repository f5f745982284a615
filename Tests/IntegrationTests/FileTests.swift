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

        @Test("A file that is longer than any pasteboard takes is refused by its length")
        func sparse() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                try await sandbox.require("bridge", "start")
                try await sandbox.require("bridge", "start")
                try #require(await sandbox.shell("truncate -s 15T sparse").status == 0)
                for line in ["xpb set -f sparse", "xpb set <sparse", "xpb set --text a -t public.data -f sparse"] {
                    let outcome = try await sandbox.shell("timeout 10 \(line)")
                    #expect(outcome.status == 6, "\(outcome)")
                    #expect(outcome.error.contains("\(15 << 40) bytes"), "\(outcome)")
                }
            }
        }

        @Test("The offset of standard input is at its end afterwards", arguments: [10, 65_537, 200_000, 3 << 20])
        func offset(size: Int) async throws {
            try await Sandbox.with(display: nil) { sandbox in
                try await sandbox.require("bridge", "start")
                try await sandbox.writeRandom(size, to: "in")
                for options in ["", "--memory", "--concealed"] where options != "--concealed" || size < 65_537 {
                    let outcome = try await sandbox.shell("{ xpb set -t public.data \(options); wc -c; } <in")
                    #expect(outcome.status == 0 && outcome.text == "0", "\(options): \(outcome)")
                    try await sandbox.require("get", "-t", "public.data", "-o", "out")
                    try await sandbox.expectSame("out", "in")
                }
            }
        }
    }
}
