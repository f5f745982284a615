public import FoundationEssentials

/// The number of entries that the bridge has stored.
public struct BridgeStatus: Equatable, Sendable {
    /// The number of entries in the history.
    public let entries: Int

    /// Reads the output of `xpb status --json`; nil if it lacks the number.
    public init?(json: Data) {
        guard let output = try? JSONDecoder().decode(Output.self, from: json) else { return nil }
        entries = output.store.entries
    }

    private struct Output: Decodable {
        let store: Store
    }

    private struct Store: Decodable {
        let entries: Int
    }
}
