/// The figures that both machines keep to. Durations are of silence: progress starts them anew.
package struct TransferLimits: Sendable {
    /// Data longer than this goes by INCR, and each piece of it has at most this size, in bytes.
    ///
    /// 262,144: Tk refuses properties over 400,000 bytes, and Qt gives up when a whole INCR takes more than five
    /// seconds, so small pieces are the danger. A server without BIG-REQUESTS takes less.
    package var chunk = 262_144
    /// How long a requestor may leave an INCR property undeleted before its transfer is dropped.
    package var requestorSilence = Duration.seconds(30)
    /// How long the window of a conversion that was given up goes on taking what its owner still sends.
    package var drain = Duration.seconds(30)
    /// How long it does so in all: an owner may go on without end.
    package var longestDrain = Duration.seconds(300)
    /// Transfers under way at once as owner; a request above it is refused.
    package var transfers = 512
    /// Pairs in one MULTIPLE; a longer list is refused.
    package var pairs = 1_024
    /// The longest data taken from an owner, in bytes.
    package var incoming = 4_294_967_295

    package init() {}

    /// For a server that takes requests of at most `bytes`; 100 bytes are left for the request's own header.
    package init(maximumRequest bytes: Int) {
        self.init()
        chunk = min(chunk, max(bytes - 100, 1_024))
    }
}
