package import BridgeState
import FormatConversion
import LinuxSystem
import PasteboardModel

/// A memory of contents that were removed on purpose: secrets, and contents that expire or are pasted once.
///
/// A clipboard manager may put such contents back, as text without a mark. The bridge must recognize the contents, so
/// that it does not store them. The bridge keeps hashes for some minutes, with the key of this process, and never on
/// disk.
package struct RemovedContents {
    /// The time for which contents are remembered.
    package static let lifetime = Duration.seconds(600)
    /// The maximum length of one representation, in bytes. Longer representations are not remembered.
    private static let maxLength = 1 << 20
    /// The maximum length of all representations of one version, in bytes: hashing holds up all clients.
    /// Representations beyond this length are not remembered.
    private static let maxTotalLength = 16 << 20
    private static let maxCount = 1_024

    private var known: [(hash: Int, until: ContinuousClock.Instant)] = []

    package init() {}

    /// Records contents that a pasteboard is about to lose, if they must not come back.
    ///
    /// - Parameter isReplaced: True if new contents replace these. Only secrets and expired contents are recorded then.
    package mutating func note(_ version: PasteboardState.Version, isReplaced: Bool, now: ContinuousClock.Instant) {
        let isExpired = version.expiry.map { $0 <= now } ?? false
        guard version.isSecret || isExpired || (version.isTemporary && !isReplaced) else { return }
        noteSecret(version, now: now)
    }

    /// Records contents that were removed as a secret.
    mutating func noteSecret(_ version: PasteboardState.Version, now: ContinuousClock.Instant) {
        known.removeAll { $0.until <= now }
        known += Self.hashes(of: version).map { ($0, now + Self.lifetime) }
        known.removeFirst(max(0, known.count - Self.maxCount))
    }

    /// Returns true if removed contents had one of the version's representations.
    package func contains(_ version: PasteboardState.Version, now: ContinuousClock.Instant) -> Bool {
        if known.isEmpty { return false }
        let present = Set(known.lazy.filter { $0.until > now }.map(\.hash))
        return Self.hashes(of: version).contains(where: present.contains)
    }

    private static func hashes(of version: PasteboardState.Version) -> [Int] {
        var rest = maxTotalLength
        // A secret is short, however long the other representations are.
        let shortestFirst = version.sources.compactMap(\.bytes).sorted { $0.range.count < $1.range.count }
        return shortestFirst.compactMap { bytes in
            guard bytes.range.count <= min(maxLength, rest) else { return nil }
            rest -= bytes.range.count
            return try? bytes.held.withBytes(in: bytes.range, hash)
        }
    }

    /// Returns the hash of bytes without the whitespace around them, which clipboard managers add or remove; nil if no
    /// bytes remain, as for marks.
    private static func hash(_ bytes: RawSpan) -> Int? {
        func isSpace(at index: Int) -> Bool {
            let byte = unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
            return byte == 0x20 || (0x09...0x0D).contains(byte)
        }
        let indices = bytes.byteOffsets
        guard let first = indices.first(where: { !isSpace(at: $0) }),
            let last = indices.last(where: { !isSpace(at: $0) })
        else { return nil }
        var hasher = Hasher()
        unsafe bytes.extracting(first..<last + 1).withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
