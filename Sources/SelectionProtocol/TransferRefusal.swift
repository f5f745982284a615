/// Why a peer did not get what it asked for, or not all of it.
package enum TransferRefusal: Sendable, Hashable {
    case unknownTarget
    /// What has to be made was not there in time, or could not be made.
    case notReady
    /// The window that was asked offers nothing any more.
    case retired
    /// A MULTIPLE without a list that can be read.
    case badList
    /// The peer was silent for too long.
    case stalled
    case limit(TransferQuota.Limit)
    /// It dripped, and a newcomer needed its place.
    case ended(TransferQuota.Limit)
}
