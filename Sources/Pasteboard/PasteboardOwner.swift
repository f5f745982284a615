public import FoundationEssentials
import PasteboardWire

/// Who wrote last.
public struct PasteboardOwner: Hashable, Sendable {
    /// What a pasteboard can be owned by.
    public enum Kind: Hashable, Sendable {
        /// Nobody: it is empty.
        case nobody
        /// A program that wrote by the bridge.
        case client
        /// A program of the display, by its window's number.
        case window(Int)
    }

    /// What it is.
    public let kind: Kind
    /// The process, where it is known and of this machine. It may have ended.
    public let processID: Int?
    /// The program's name, where it is known.
    public let program: String?
    /// Since when it has been the owner.
    public let since: Date?

    init(_ owner: WireOwner) {
        kind =
            switch owner.kind {
            case .none: .nobody
            case .client: .client
            case .window: .window(owner.window ?? 0)
            }
        processID = owner.process
        program = owner.program
        since = owner.since.map { Date(timeIntervalSince1970: Double($0) / 1_000) }
    }
}
