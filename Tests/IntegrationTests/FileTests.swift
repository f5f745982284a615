import CopyingSupport
import Foundation
import Glibc
import TestSupport
import Testing

extension Integration {
    /// The files that `xpb` reads and writes by their names.
    @Suite("Files")
    struct FileTests {
        @Test("A pipe is opened once, so that the bytes of a short-lived writer arrive")
        func pipe() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                try await sandbox.require("bridge", "start")
                let script = """
                    mkfifo pipe
                    for round in $(seq 40); do
                        printf "round %s" "$round" >pipe &
                        xpb set -f pipe || exit
                        wait
                        test "$(xpb get)" = "round $round" || exit
                    done
                    """
                let outcome = try await sandbox.shell(script)
                #expect(outcome.status == 0, "\(outcome)")
            }
        }

        @Test("A file that is too long for any pasteboard is refused because of its length")
        func sparse() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                try await sandbox.require("bridge", "start")
                try await sandbox.require("bridge", "start")
                try #require(await sandbox.shell("truncate -s 15T sparse").status == 0)
                for line in ["xpb set -f sparse", "xpb set <sparse", "xpb set --text a -t public.data -f sparse"] {
                    let outcome = try await sandbox.shell(line)
                    #expect(outcome.status == 6, "\(outcome)")
                    #expect(outcome.error.contains("\(15 << 40) bytes"), "\(outcome)")
                }
            }
        }

        @Test(
            "After a set, the offset of standard input is at the end of the file",
            arguments: [10, 65_537, 200_000, 3 << 20])
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

        @Test("-o refuses a file that its owner has made read-only", .enabled(if: geteuid() == 0))
        func readOnly() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                try await sandbox.require("bridge", "start")
                try await sandbox.require("set", "new")
                try #require(await sandbox.shell("echo old >file; chmod 444 file").status == 0)
                // This capability lets root write to any file.
                let script = "exec setpriv --bounding-set=-dac_override xpb \"$@\""
                for arguments in [["get"], ["dump"]] {
                    let outcome = try await sandbox.run(
                        ["/bin/sh", "-c", script, "sh"] + arguments + ["-o", "file"])
                    #expect(outcome.status == 2, "\(outcome)")
                    #expect(outcome.error.contains("file cannot be written: Permission denied"), "\(outcome)")
                    #expect(try sandbox.read("file") == Array("old\n".utf8))
                }
                try #require(await sandbox.shell("chmod 644 file").status == 0)
                #expect(try await sandbox.shell(script, "get", "-o", "file").status == 0)
                #expect(try sandbox.read("file") == Array("new".utf8))
            }
        }

        @Test("With few descriptors, a command works or fails with the reason", arguments: 3...8)
        func descriptors(limit: Int) async throws {
            try await Sandbox.with(display: nil) { sandbox in
                try await sandbox.require("bridge", "start")
                try await sandbox.require("set", "text")
                try sandbox.write([], to: "file")
                for line in [
                    "count", "get", "get -t text", "set text", "set -f file", "types", "items", "status", "history",
                    "get -o out", "get --all all", "dump -o dumped", "list", "owner",
                ] {
                    // Afterwards, the bridge must still serve other clients.
                    let script = "(ulimit -n \(limit); exec xpb \(line)); s=$?; xpb set text && exit $s; exit 99"
                    let outcome = try await sandbox.shell(script)
                    #expect(outcome.status != 99, "\(line): \(outcome)")
                    #expect(!outcome.text.contains("OVERVIEW"), "\(line): \(outcome)")
                    if outcome.status == 0 {
                        #expect(outcome.error.isEmpty, "\(line): \(outcome)")
                        if line.hasSuffix("get") { #expect(outcome.text == "text") }
                    } else {
                        let reasons = ["open files", "error while loading shared libraries"]
                        #expect(reasons.contains { outcome.error.contains($0) }, "\(line): \(outcome)")
                    }
                }
            }
        }

        @Test("Commands work without /proc", .enabled(if: geteuid() == 0, "only root can hide /proc"))
        func withoutProc() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                try await sandbox.require("bridge", "start")
                try #require(await sandbox.shell("unshare -m mount -t tmpfs none /proc").status == 0)
                for (line, expected) in [
                    ("set text", ""), ("count", "1"), ("get", "text"), ("get --timeout 5 -t text", "text"),
                    ("types --mime", "text/plain;charset=utf-8"), ("get -o out; cat out", "text"),
                    ("get --all all; cat all/*.txt", "text"),
                    ("set --files out; xpb get -t public.file-url", "file://\(sandbox.path("out"))"),
                    ("history list word; echo $?", "2"), ("nonsense; echo $?", "2"),
                ] {
                    let script = "unshare -m sh -c 'mount -t tmpfs none /proc && eval \"xpb $1\"' sh \"$1\""
                    let outcome = try await sandbox.shell(script, line)
                    #expect(outcome.text == expected, "\(line): \(outcome)")
                    #expect(outcome.error.isEmpty == (expected != "2"), "\(line): \(outcome)")
                }
                // A bridge that is started without /proc gets its arguments, too.
                let script = """
                    unshare -m sh -c 'mount -t tmpfs none /proc && xpb bridge restart && xpb get'
                    """
                try await sandbox.require("set", "text")
                let restarted = try await sandbox.shell(script)
                #expect(restarted.text == "text", "\(restarted)")
                for line in ["set -c 'echo made'", "set --concealed -f out"] {
                    let script = "unshare -m sh -c 'mount -t tmpfs none /proc && eval \"xpb $1\" && xpb get' sh \"$1\""
                    let outcome = try await sandbox.shell(script, line)
                    #expect(outcome.status == 5 && outcome.error.contains("/proc is not mounted"), "\(outcome)")
                }
            }
        }
    }
}

extension Integration {
    /// Files of other users in a sticky folder, whatever the kernel's settings are.
    @Suite("Files of other users", .enabled(if: geteuid() == 0, "only root can make files of other users"))
    struct ForeignFileTests {
        /// Makes a sticky folder with a link, a pipe and a file of another user, and with links and a pipe of this
        /// user.
        private static let setUp = """
            echo mine >profile && mkdir target sticky plain && chmod 1777 sticky && cd sticky &&
            ln -s ../profile link && ln -s ../target folder && ln -s ../missing new && mkfifo pipe && echo >file &&
            chown -h 65534 link folder new pipe file &&
            ln -s ../own ownlink && ln -s link indirect && mkfifo ownpipe && cd .. &&
            ln -s ../profile2 plain/link && chown -h 65534 plain/link && ln -s sticky/link outside
            """

        @Test(
            "Another user's link, pipe or file in a sticky folder is refused, and nothing is written",
            arguments: [
                "get -o sticky/link", "get -o sticky/pipe", "get -o sticky/file", "get -o sticky/new",
                "get -o sticky/folder/out", "get -o sticky/indirect", "get -o outside", "get --all sticky/folder",
                "get --all sticky/folder/out", "dump -o sticky/link", "dump -o sticky/pipe",
                "history show 1 -o sticky/link", "history show 1 -o sticky/pipe",
            ])
        func refused(line: String) async throws {
            try await Sandbox.with(display: nil) { sandbox in
                try await sandbox.require("bridge", "start")
                try await sandbox.require("set", "text")
                try #require(await sandbox.shell(Self.setUp).status == 0)
                let script = """
                    id=$(xpb history | cut -f 1)
                    exec 3<>sticky/pipe
                    set -- $(echo "$1" | sed "s/show 1/show $id/")
                    xpb "$@"; echo $?
                    cat profile; ls target; ls missing 2>/dev/null
                    printf end >&3; head -c 3 <&3; wc -c <sticky/file
                    """
                let outcome = try await sandbox.shell(script, line)
                #expect(outcome.lines == ["2", "mine", "end1"], "\(outcome)")
                #expect(outcome.error.contains("of another user (65534)"), "\(outcome)")
            }
        }

        @Test("The user's own links and pipes, links outside sticky folders, and links to open files are followed")
        func followed() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                try await sandbox.require("bridge", "start")
                try await sandbox.require("set", "text")
                try #require(await sandbox.shell(Self.setUp).status == 0)
                for (line, expected) in [
                    ("xpb get -o sticky/ownlink && cat own && test -L sticky/ownlink", "text"),
                    ("xpb get -o sticky/ownlink/ && cat own", "text"),
                    ("xpb get -o plain/link && cat profile2", "text"),
                    ("cat sticky/ownpipe & xpb get -o sticky/ownpipe; wait", "text"),
                    ("xpb get -o sticky/new2 && cat sticky/new2", "text"),
                    ("cd sticky && xpb get -o ../a && xpb get -o ./b && cat ../a b", "texttext"),
                    ("xpb get -o /dev/stdout | cat", "text"), ("xpb get -o /dev/fd/3 3>&1 | cat", "text"),
                    ("xpb get -o /proc/self/cwd/c && cat c", "text"), ("xpb get -o /dev/stdout >d; cat d", "text"),
                    ("xpb get -o /dev/null && echo done", "done"),
                    ("xpb get --all sticky/all && ls sticky/all", "0-utf8-plain-text.txt\nmanifest.json"),
                    ("xpb get -o plain; echo $?", "2"), ("xpb get -o plain/..; echo $?", "2"),
                    ("ln -s loop loop; xpb get -o loop; echo $?", "2"), ("xpb get -o own/x; echo $?", "2"),
                ] {
                    let outcome = try await sandbox.shell(line)
                    #expect(outcome.text == expected, "\(line): \(outcome)")
                }
            }
        }

        @Test("A link that another user puts in place at any moment is not followed")
        func exchanged() async throws {
            try await Sandbox.with(display: nil) { sandbox in
                try await sandbox.require("bridge", "start")
                try await sandbox.require("set", "text")
                try #require(await sandbox.shell(Self.setUp).status == 0)
                let script = """
                    (cd sticky && exec setpriv --reuid 65534 --regid 65534 --clear-groups \
                        sh -c 'while :; do ln -s ../profile x; rm -f x; done' 2>/dev/null) &
                    for round in $(seq 40); do xpb get -o sticky/x 2>/dev/null; rm -f sticky/x; done
                    kill $!
                    cat profile
                    """
                let outcome = try await sandbox.shell(script)
                #expect(outcome.text == "mine", "\(outcome)")
            }
        }
    }
}
