/// What ``HTMLFlow`` writes to: the text that is shown, byte by byte, and where its lines and cells end.
protocol HTMLOutput {
    /// What an element changes of how its text looks.
    associatedtype Change
    /// How text looks, as it is inherited.
    associatedtype Look

    static func change(by element: HTMLElement, _ tag: HTMLTag, in bytes: [UInt8]) -> Change
    static func look(of change: Change, inside look: Look) -> Look

    /// How the text that follows looks.
    var look: Look { get set }

    /// A block begins or ends: the next text stands on a new line; behind an empty one when it is spaced.
    mutating func boundary(isSpaced: Bool)
    mutating func lineBreak()
    /// The line end that the copied text ends with.
    mutating func finalLineBreak()
    /// Before every text that does not follow text at once. `space`: blanks stood before it in the line.
    mutating func begin(space: Bool)
    /// A collapsed blank stands here; it shows if text follows in the line.
    mutating func noteSpace()
    mutating func append(_ byte: UInt8)
    /// Between ``begin(space:)`` of an item's first text and that text. Levels count from 1.
    mutating func mark(_ marker: ListMarker, level: Int)
    mutating func startCell(isFirst: Bool)
    mutating func endCell()
}
