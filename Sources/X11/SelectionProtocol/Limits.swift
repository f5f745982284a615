/// The limits of both state machines.
package struct TransferLimits: Sendable {
    /// The length in bytes above which data is sent by INCR, and the limit on each chunk.
    ///
    /// The default of 262,144 takes account of Tk, which refuses properties over 400,000 bytes, and of Qt, for which
    /// small chunks are the risk: it gives up if a whole INCR transfer takes more than five seconds. A server without
    /// BIG-REQUESTS requires smaller chunks.
    package var chunk = 262_144
    /// The length in bytes above which data is sent to a compositor by INCR, and the limit on each chunk.
    ///
    /// mutter 50 passed on only the first of several chunks of 262,144 bytes to a Wayland program. It passed on all
    /// chunks of 4 MiB.
    package var compositorChunk = 262_144
    /// The time after which a transfer is dropped if the requestor does not delete the INCR property. Each deletion
    /// restarts the time.
    package var requestorTimeout = Duration.seconds(30)
    /// The time without data after which the window of an abandoned conversion is closed.
    package var drain = Duration.seconds(30)
    /// The limit on abandoned conversions that wait for their owners' first answer; above it, the oldest conversion is
    /// closed.
    package var awaited = 64
    /// The limit on the total time of draining, because an owner may send forever.
    package var maxDrain = Duration.seconds(300)
    /// The limit on pairs in one MULTIPLE; a longer list is refused.
    package var pairs = 1_024
    /// The limit on the names looked up in a list of targets; each may cost a round trip to the server.
    package var targets = 1_024
    /// The limit on the length of a target's name, in bytes; longer names are left out.
    package var typeName = 1_024
    /// The limit on data received from an owner, in bytes.
    package var incoming = 4_294_967_295

    // Limits enforced by ``TransferQuota``.

    /// The limit on simultaneous transfers from and to peers, including requests that wait for data.
    package var transfers = 1_024
    /// The limit on simultaneous transfers with one program.
    package var programTransfers = 512
    /// The limit on bytes held only for transfers.
    package var bytes = 8 << 30
    /// The limit on bytes held only for transfers with one program.
    package var programBytes = 4 << 30
    /// The age from which a slow transfer may be ended for a new one.
    package var slowTransferAge = Duration.seconds(60)
    /// The rate in bytes per second below which a transfer is slow.
    package var minTransferRate = 4_096
    /// The bits with which a program numbers its windows, as reported by the server. If zero, programs are not
    /// distinguished.
    package var windowBits: UInt32 = 0

    package init() {}

    /// Creates limits for a server that accepts requests of at most `bytes`; 100 of the bytes are reserved for the
    /// header.
    package init(maximumRequest bytes: Int) {
        self.init()
        let longest = max(bytes - 100, 1_024)
        chunk = min(chunk, longest)
        compositorChunk = min(4 << 20, longest)
    }

    /// Returns the program that created a window; nil if it is unknown.
    package func program(of window: WindowID) -> ProgramID? {
        guard window != .none, windowBits != 0 else { return nil }
        return ProgramID(window.id & ~windowBits)
    }
}
