import Synchronization

/// The bytes that are in memory for transfers alone, counted by both threads: what clients upload on the one, what goes to
/// and comes from programs of X11 on the other. Each limits both together.
package final class TransferBytes: Sendable {

    package init() {}
    private let uploads = Atomic(0)
    private let peers = Atomic(0)

    /// What clients upload.
    package var uploaded: Int { uploads.load(ordering: .relaxed) }

    /// What the display thread holds, as of its last step.
    package var ofPeers: Int { peers.load(ordering: .relaxed) }

    /// An upload grew by so many bytes, or is gone where they are negative.
    package func upload(_ bytes: Int) {
        uploads.wrappingAdd(bytes, ordering: .relaxed)
    }

    package func setPeers(_ bytes: Int) {
        peers.store(bytes, ordering: .relaxed)
    }
}
