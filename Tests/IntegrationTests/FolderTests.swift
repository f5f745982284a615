import CopyingSupport
import Glibc
import TestSupport
import Testing

extension Integration {
    /// Socket folders that are refused because others could have made them or can enter them.
    @Suite("The socket folder", .requiresXvfb)
    struct FolderTests {
        @Test("A folder that others may enter is refused with status 4")
        func wrongMode() async throws {
            try await Self.expectRefusal("mkdir -m 0755 run/xpb")
        }

        @Test("A symbolic link at the folder's path is refused with status 4")
        func link() async throws {
            try await Self.expectRefusal("mkdir -m 0700 elsewhere && ln -s ../elsewhere run/xpb")
        }

        @Test("A file at the folder's path is refused with status 4")
        func file() async throws {
            try await Self.expectRefusal(": >run/xpb")
        }

        @Test(
            "A folder inside a folder that others may write to is refused with status 4", arguments: ["0777", "0770"])
        func writableAround(mode: String) async throws {
            try await Self.expectRefusal("chmod \(mode) run")
        }

        @Test(
            "A folder of another user is refused with status 4",
            .enabled(if: geteuid() == 0, "only root can change the owner"))
        func otherOwner() async throws {
            try await Self.expectRefusal("mkdir -m 0700 run/xpb && chown 65534 run/xpb")
        }

        private static func expectRefusal(_ preparation: String) async throws {
            try await Sandbox.with { sandbox in
                let prepared = try await sandbox.shell(preparation)
                try #require(prepared.status == 0, "\(prepared)")
                for command in ["get", "count"] {
                    let outcome = try await sandbox.xpb(command)
                    #expect(outcome.status == 4, "\(outcome)")
                    #expect(outcome.error.contains(sandbox.runtimeFolder), "\(outcome)")
                }
                #expect(sandbox.bridges().isEmpty)
                let daemon = try await sandbox.run(["xpbd"])
                #expect(daemon.status != 0)
                #expect(daemon.error.contains(sandbox.runtimeFolder), "\(daemon)")
            }
        }
    }
}
