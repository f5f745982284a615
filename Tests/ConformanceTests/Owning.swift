import TestSupport
import Testing

/// What an owner offers under one target.
typealias Offered = (target: String, bytes: [UInt8])

extension Sandbox {
    /// Runs `body` while the raw peer owns a selection and offers this, wrong as the options say (`peer.py own --help`).
    /// The bridge is there before, and sees it.
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

    /// Expects that what is copied next is pasted at the first attempt, by the bridge's clients and by others.
    func expectNextCopyWorks(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try write(Array("theirs".utf8), to: "next")
        try await xclipCopies("next")
        #expect(try await xpb("get").text == "theirs", sourceLocation: sourceLocation)
        try await require("set", "ours")
        #expect(try await xclipPastes().text == "ours", sourceLocation: sourceLocation)
    }
}

extension Conformance {
    /// Runs `body` with a bridge and an owner. Nothing is captured unless that is wanted, so that only what `body` has asked
    /// for is asked.
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
    /// The targets that it has been asked for until now. It gives up the selection.
    func requestsUntilNow() async throws -> [String] {
        try await send("disown")
        var targets: [String] = []
        while case let event = try await next(), event.event != "disowned" {
            if event.event == "request", let target = event.target { targets.append(target) }
        }
        return targets
    }
}
