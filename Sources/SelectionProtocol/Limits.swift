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
    /// So many conversions that were given up may wait for their owners' first word; then the oldest goes.
    package var awaited = 64
    /// How long it does so in all: an owner may go on without end.
    package var longestDrain = Duration.seconds(300)
    /// Pairs in one MULTIPLE; a longer list is refused.
    package var pairs = 1_024
    /// At most so many names of a list of targets are looked up; each may cost an exchange with the server.
    package var targets = 1_024
    /// The longest name of a target, in bytes; longer ones are left out.
    package var typeName = 1_024
    /// The longest data taken from an owner, in bytes.
    package var incoming = 4_294_967_295

    // What ``TransferQuota`` keeps to.

    /// Transfers under way at once, to and from peers, those that wait for their bytes among them.
    package var transfers = 1_024
    /// Those of them with one program.
    package var programTransfers = 512
    /// Held for transfers alone, in bytes.
    package var bytes = 8 << 30
    /// Those of them for one program.
    package var programBytes = 4 << 30
    /// How old a transfer is before it may end as one that drips.
    package var dripAge = Duration.seconds(60)
    /// It drips if it moved fewer bytes a second.
    package var dripRate = 4_096
    /// The bits that a program numbers its windows by, as the server says. With none of them the programs are not told
    /// apart.
    package var windowBits: UInt32 = 0

    package init() {}

    /// For a server that takes requests of at most `bytes`; 100 bytes are left for the request's own header.
    package init(maximumRequest bytes: Int) {
        self.init()
        chunk = min(chunk, max(bytes - 100, 1_024))
    }

    /// The program whose window that is; nil where that is not known.
    package func program(of window: WindowID) -> ProgramID? {
        guard window != .none, windowBits != 0 else { return nil }
        return ProgramID(window.id & ~windowBits)
    }
}
