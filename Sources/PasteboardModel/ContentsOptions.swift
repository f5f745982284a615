/// What holds for whole contents.
package struct ContentsOptions: Equatable, Sendable {
    /// An expiry that is none.
    package struct InvalidExpiry: Error, Equatable, Sendable {
        package let milliseconds: Int

        /// A sentence without a full stop.
        package var message: String {
            "contents cannot expire after \(milliseconds) ms; give 1 to \(ContentsOptions.longestExpiry), or nothing"
        }
    }

    /// The longest expiry, in milliseconds: 100 years.
    package static let longestExpiry = 36_525 * 86_400_000

    /// They go this long after they were written, a suspended machine's time included.
    package var expires: Duration?
    /// They are offered on no display that is forwarded from another machine, and are given to no other machine.
    package var localOnly: Bool
    /// They go when they were pasted once.
    package var once: Bool
    /// They are a secret, whatever their marks say.
    package var concealed: Bool
    /// They end with the bridge.
    package var memoryOnly: Bool

    package init(
        expires: Duration? = nil, localOnly: Bool = false, once: Bool = false, concealed: Bool = false,
        memoryOnly: Bool = false
    ) {
        self.expires = expires
        self.localOnly = localOnly
        self.once = once
        self.concealed = concealed
        self.memoryOnly = memoryOnly
    }

    /// As a call gives them.
    package init(
        milliseconds: Int?, localOnly: Bool?, once: Bool? = nil, concealed: Bool? = nil, memoryOnly: Bool? = nil
    ) throws(InvalidExpiry) {
        if let milliseconds, !(1...Self.longestExpiry).contains(milliseconds) {
            throw InvalidExpiry(milliseconds: milliseconds)
        }
        self.init(
            expires: milliseconds.map { .milliseconds($0) }, localOnly: localOnly ?? false, once: once ?? false,
            concealed: concealed ?? false, memoryOnly: memoryOnly ?? false)
    }

    /// Those of contents to which others are appended: they go when the first of both would, and each of the rest holds
    /// when it holds for either.
    ///
    /// - Parameter elapsed: How long ago these began. Those that come out of it begin now.
    package func appending(_ other: ContentsOptions, elapsed: Duration) -> ContentsOptions {
        let rest = expires.map { max($0 - elapsed, .zero) }
        return ContentsOptions(
            expires: [rest, other.expires].compactMap(\.self).min(), localOnly: localOnly || other.localOnly,
            once: once || other.once, concealed: concealed || other.concealed,
            memoryOnly: memoryOnly || other.memoryOnly)
    }
}
