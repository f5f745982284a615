/// Why bytes are no archive of items that can be read.
package enum ItemArchiveError: Error, Equatable, Sendable {
    /// They begin otherwise.
    case notAnArchive
    /// A later version of the format, which only a later release can read.
    case newerVersion(Int)
    /// The manifest makes no sense; with a few words that say why.
    case damaged(String)
    /// The stream ends too early, by at least this many bytes.
    case truncated(missing: Int)
    /// This many bytes are behind the end of the last representation.
    case trailing(Int)

    /// A sentence without a full stop.
    package var message: String {
        switch self {
        case .notAnArchive: "these bytes are no archive of items; 'xpb dump' writes one"
        case .newerVersion(let version):
            "the archive is of version \(version) of its format, and this release reads version \(ItemArchive.version)"
        case .damaged(let reason): "the archive is damaged: \(reason)"
        case .truncated(let missing):
            "the archive ends too early: at least \(missing) byte\(missing == 1 ? " is" : "s are") missing"
        case .trailing(let count): "the archive is damaged: \(count) byte\(count == 1 ? "" : "s") too many"
        }
    }
}
