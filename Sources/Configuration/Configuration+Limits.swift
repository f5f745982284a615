extension Configuration {
    /// What the bridge may spend on others, whatever they do. At a limit the newcomer is refused, unless a transfer drips:
    /// then that one ends.
    package struct Limits: Equatable, Sendable {
        /// Transfers with programs of X11 at once, to and from them.
        package var transfers = 1_024
        /// Those of them with one program.
        package var programTransfers = 512
        /// The most bytes that are held for transfers alone: what owners have sent so far, what was replaced and is still
        /// being sent, and what clients upload.
        package var transferBytes = 8 << 30
        /// Those of them for one program.
        package var programBytes = 4 << 30
        /// How old a transfer is before it can end as one that drips, in seconds.
        package var dripAge = 60.0
        /// A transfer that is so old drips if it moved fewer bytes a second.
        package var dripRate = 4_096
        /// The longest name of a type or a pasteboard that goes to or comes from X11, in bytes.
        package var typeName = 1_024
        /// Names that the X server is told on behalf of others: it keeps each until it ends.
        package var atoms = 10_000
        /// Clients connected at once. For one more an idle one of the program that has the most ends, or it is refused.
        package var clients = 2_000
        /// Those of them of one process.
        package var programClients = 1_500
        /// The longest message of a client, and to one, in bytes.
        package var message = 4 << 20
        /// The bytes of clients' messages that are not whole, or wait behind others, beyond which who has most of them loses
        /// connections.
        package var incoming = 128 << 20
        /// Those of them of one process.
        package var programIncoming = 64 << 20
        /// Uploads and downloads of one client at once.
        package var handles = 256
        /// Those of all clients of one process: each may cost a descriptor.
        package var programHandles = 4_096
        /// What may wait for a watcher that does not read, in bytes. One that is slower loses its place, with a notice.
        package var watchQueue = 1 << 20

        package init() {}
    }
}
