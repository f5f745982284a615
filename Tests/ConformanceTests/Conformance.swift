import CopyingSupport
import TestSupport
import Testing

/// The rules for peers of X11 selections, and habits of real programs. Each rule is tested against a peer that breaks
/// it (Tests/Fixtures/icccm, which shares no code with the bridge). "ICCCM" is the Inter-Client Communication
/// Conventions Manual 2.0; Mutations/*.tsv use the same rule numbers.
///
/// The tests run one at a time, because two cores are only enough for the programs of one test. A test that exceeds its
/// time limit is cancelled, which ends its programs.
@Suite(.serialized, .timeLimit(.minutes(3)))
enum Conformance {}

/// The bytes that an owner offers under one target.
typealias Offered = (target: String, bytes: [UInt8])

extension Sandbox {
    /// Runs `body` while the raw peer owns a selection and offers `offers`, with faults given by options (see
    /// `peer.py own --help`). The bridge is started first, and sees the new owner.
    func withOwner<Result: Sendable>(
        _ offers: [Offered], _ options: [String] = [], _ body: (Peer) async throws -> Result
    ) async throws -> Result {
        _ = try await count()
        let name = "offer" + String(UInt32.random(in: .min ... .max), radix: 36)
        var arguments = ["own"] + options
        for (number, offer) in offers.enumerated() {
            arguments += ["--offer", offer.target, try write(offer.bytes, to: "\(name)-\(number)")]
        }
        return try await withPeer(arguments) { peer in
            _ = try await peer.await(options.contains("--not-yet") ? "ready" : "owned")
            return try await body(peer)
        }
    }

    /// Expects that the next copy can be pasted at the first attempt, by the bridge's clients and by other programs.
    func expectNextCopyWorks(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try write(Array("theirs".utf8), to: "next")
        try await xclipCopies("next")
        let theirs = try await xpb("get")
        #expect(theirs.text == "theirs", "\(theirs)", sourceLocation: sourceLocation)
        try await require("set", "ours")
        let ours = try await xclipPastes()
        #expect(ours.text == "ours", "\(ours)", sourceLocation: sourceLocation)
    }
}

extension Conformance {
    /// Runs `body` with a bridge and an owner. By default the bridge captures nothing, so that the owner gets only the
    /// requests that `body` causes.
    static func withOwner<Result: Sendable>(
        _ offers: [Offered], _ options: [String] = [], captures: Bool = false,
        _ body: (Sandbox, Peer) async throws -> Result
    ) async throws -> Result {
        try await Sandbox.with(changes: captures ? [:] : ["XPB_CAPTURE": "no"]) { sandbox in
            try await sandbox.withOwner(offers, options) { try await body(sandbox, $0) }
        }
    }
}

extension Peer {
    /// Makes the peer release the selection, and returns the targets that were requested before the release.
    func requestsUntilNow() async throws -> [String] {
        try await send("disown")
        var targets: [String] = []
        while case let event = try await next(), event.event != "disowned" {
            if event.event == "request", let target = event.target { targets.append(target) }
        }
        return targets
    }
}
