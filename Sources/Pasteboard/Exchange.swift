import PasteboardWire

/// A call between the thread that makes it and the loop that carries it out.
final class Exchange: Sendable {
    /// What a call leaves that lives as long as its connection or the bridge, and is made again with the next one.
    enum Lifetime: Sendable {
        case none
        /// It makes one.
        case begins
        /// It removes one.
        case ends(String)
        /// It declares types, which hold as long as the bridge.
        case declares([WireTypeDeclaration])

        /// It is called on the connection that keeps what this program made.
        var isOfPrimary: Bool {
            switch self {
            case .begins, .declares: true
            case .ends, .none: false
            }
        }
    }

    /// How a call is to be handled.
    struct Manner: Sendable {
        /// It changes nothing, so it may be made again where its answer got lost.
        var isRead = true
        /// Bytes may be on their way for longer than `silence` with no word of it here; the bridge then only has to be
        /// alive.
        var isLong = false
        /// It takes several replies.
        var takesSeveral = false
        /// Others may wait for it: it is not to wait for their connections.
        var isUrgent = false
        var lifetime = Lifetime.none

        static let read = Manner()
        static let longRead = Manner(isLong: true)
        static let write = Manner(isRead: false)
        static let longWrite = Manner(isRead: false, isLong: true)
        static let urgentWrite = Manner(isRead: false, isUrgent: true)
    }

    let call: EncodedCall
    let manner: Manner
    /// How long the bridge may be silent.
    let silence: Duration
    /// One reply, or several where the call takes them.
    let replies = Completion<[EncodedReply]>()

    init(_ call: EncodedCall, _ manner: Manner, silence: Duration) {
        self.call = call
        self.manner = manner
        self.silence = silence
    }
}
