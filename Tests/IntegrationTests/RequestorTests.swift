import CopyingSupport
import TestSupport
import Testing

extension Integration {
    /// The bridge as requestor, with a peer as the owner.
    @Suite("As requestor", .requiresXvfb)
    struct RequestorTests {
        static let type = "image/png"

        /// Runs `body` while a peer owns an image of 500,000 bytes, which it sends in chunks. The bridge captures
        /// nothing, because a capture would send the first request.
        private static func withOwner(
            _ options: [String] = [], _ body: (Sandbox, Peer, [UInt8]) async throws -> Void
        ) async throws {
            try await Sandbox.with(changes: ["XPB_CAPTURE": "false"]) { sandbox in
                let bytes = Payload.random(500_000)
                let file = try sandbox.write(bytes, to: "in")
                _ = try await sandbox.count()
                let arguments = ["own", "--offer", type, file, "--incr", "65536"] + options
                try await sandbox.withPeer(arguments) { peer in
                    _ = try await peer.await("owned")
                    try await body(sandbox, peer, bytes)
                }
            }
        }

        @Test("The number in an INCR property is only a hint", arguments: ["-1", "0", "1", "4294967295"])
        func hint(hint: String) async throws {
            try await Self.withOwner(["--hint", hint]) { sandbox, _, bytes in
                let pasted = try await sandbox.require("get", "-t", Self.type)
                #expect(Payload.difference(pasted.output, bytes) == nil)
            }
        }

        @Test("A list of targets whose type is TARGETS is accepted")
        func targetsTypedTargets() async throws {
            try await Self.withOwner(["--type", "TARGETS", "TARGETS"]) { sandbox, _, _ in
                let types = try await sandbox.require("types", "--targets")
                #expect(types.lines == [Self.type])
            }
        }

        @Test("Targets of the protocol and meaningless targets are not listed as types")
        func noise() async throws {
            try await Sandbox.with { sandbox in
                let file = try sandbox.write([1], to: "in")
                let noise = ["DELETE", "SAVE_TARGETS", "MULTIPLE", "LENGTH", "HOSTNAME", "INSERT_SELECTION", "PIXMAP"]
                let offers = ([Self.type] + noise).flatMap { ["--offer", $0, file] }
                try await sandbox.withPeer(["own"] + offers) { peer in
                    _ = try await peer.await("owned")
                    #expect(try await sandbox.require("types", "--targets").lines == [Self.type])
                }
            }
        }

        @Test("The bridge requests TARGETS first, never MULTIPLE, and always names a property")
        func requests() async throws {
            try await Self.withOwner { sandbox, peer, _ in
                try await sandbox.require("get", "-t", Self.type)
                try await peer.send("disown")
                var requests: [Peer.Event] = []
                var event = try await peer.next()
                while event.event != "disowned" {
                    if event.event == "request" { requests.append(event) }
                    event = try await peer.next()
                }
                #expect(requests.first?.target == "TARGETS")
                #expect(requests.contains { $0.target == Self.type })
                #expect(!requests.contains { $0.target == "MULTIPLE" })
                #expect(requests.allSatisfy { $0.property != nil })
                #expect(requests.allSatisfy { $0.time != 0 })
                #expect(
                    Set(requests.compactMap(\.window)).count == requests.count, "two conversions had the same window")
            }
        }

        /// Each piece is an event. Formerly, an event that Xlib read while the bridge was sending stayed unnoticed in
        /// Xlib's queue until the timeout, so about every second transfer of this length failed.
        @Test("Forty transfers of a hundred pieces each are complete: no event is overlooked")
        func manyPieces() async throws {
            try await Sandbox.with { sandbox in
                _ = try sandbox.write(Payload.random(64 << 20), to: "in")
                try await sandbox.xclipCopies("in", as: Self.type)
                let read = try await sandbox.shell(
                    """
                    for _ in $(seq 40); do
                        xpb get --timeout 60 -t \(Self.type) >"$1" && cmp "$1" "$2" || exit
                    done
                    """, sandbox.path("out"), sandbox.path("in"))
                #expect(read.status == 0, "\(read)")
            }
        }

        /// The server has sent the event by the time of the call, but the bridge may not have read it.
        @Test("A call reads the contents that were copied before the call")
        func freshness() async throws {
            try await Sandbox.with { sandbox in
                _ = try await sandbox.count()
                for round in 0..<20 {
                    let file = try sandbox.write(Array("copy \(round)".utf8), to: "in")
                    try await sandbox.withPeer(["own", "--offer", "UTF8_STRING", file]) { peer in
                        _ = try await peer.await("owned")
                        #expect(try await sandbox.require("get").text == "copy \(round)")
                    }
                }
            }
        }

        @Test("An owner that refuses an offered target leads to status 1 or 5, without output")
        func refused() async throws {
            try await Self.withOwner(["--refuse", Self.type]) { sandbox, _, _ in
                let pasted = try await sandbox.xpb("get", "-t", Self.type)
                #expect([1, 5].contains(pasted.status), "\(pasted)")
                #expect(pasted.output.isEmpty)
            }
        }

        @Test("An owner that stalls midway leads to status 3 or 5, and the next copy works")
        func stalled() async throws {
            try await Self.withOwner(["--stall-after", "3"]) { sandbox, _, _ in
                let pasted = try await sandbox.xpb("get", "-t", Self.type, "--timeout", "1")
                #expect([3, 5].contains(pasted.status), "\(pasted)")
                try await sandbox.require("set", "next")
                #expect(try await sandbox.xclipPastes().text == "next")
            }
        }

        @Test("An owner that dies midway leads to status 5, and the next copy works")
        func dies() async throws {
            try await Self.withOwner(["--die-after", "3"]) { sandbox, _, _ in
                let pasted = try await sandbox.xpb("get", "-t", Self.type)
                #expect(pasted.status == 5, "\(pasted)")
                try await sandbox.require("set", "next")
                #expect(try await sandbox.xclipPastes().text == "next")
            }
        }

        @Test("An owner that changes its data without an event is read again")
        func changesWithoutEvent() async throws {
            try await Sandbox.with { sandbox in
                let file = try sandbox.write(Array("before".utf8), to: "in")
                try await sandbox.withPeer(["own", "--offer", "UTF8_STRING", file]) { peer in
                    _ = try await peer.await("owned")
                    #expect(try await sandbox.require("get").text == "before")
                    try sandbox.write(Array("after".utf8), to: "in")
                    #expect(try await sandbox.require("get").text == "after")
                }
            }
        }

        @Test("A target that is not offered is not requested, because xclip answers any target")
        func notOffered() async throws {
            try await Sandbox.with { sandbox in
                try sandbox.write(Array("text".utf8), to: "in")
                try await sandbox.xclipCopies("in")
                let pasted = try await sandbox.xpb("get", "-t", "image/png")
                #expect(pasted.status == 1, "\(pasted)")
                #expect(pasted.output.isEmpty)
            }
        }
    }
}
