package import UniformTypes

/// One form of an item: its type, and where its bytes are.
package struct Representation: Equatable, Sendable {
    package var type: UniformType
    /// The X11 target or MIME type it was written or seen under, capitals and parameters included.
    package var target: String?
    /// Offered under its target alone.
    package var exact: Bool
    /// Index of the blob that has the bytes, or of the promise that stands for them among the blobs.
    package var source: Int
    /// Where in the blob they are. Nil for bytes that were promised: all that the promise gives.
    package var range: Range<Int>?

    package init(
        type: UniformType, target: String? = nil, exact: Bool = false, source: Int = 0, range: Range<Int>? = nil
    ) {
        self.type = type
        self.target = target
        self.exact = exact
        self.source = source
        self.range = range
    }

    /// Whether its bytes were promised.
    package var isPromised: Bool { range == nil }
}
