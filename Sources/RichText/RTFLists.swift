/// The lists that an RTF document declares: `\listtable`, and the `\ls` that `\listoverridetable` gives them.
struct RTFLists {
    /// Lists behind this many are not kept.
    private static let limit = 10_000

    /// By `\listid`: the style of each level.
    private var levels: [Int32: [ListMarkerStyle]] = [:]
    /// From `\ls` to `\listid`.
    private var overrides: [Int32: Int32] = [:]
    private var current: [ListMarkerStyle] = []
    private var overridden: Int32 = 0

    mutating func beginList() { current = [] }

    mutating func beginLevel() {
        if current.count < ListItem.deepest { current.append(.numbers(.decimal)) }
    }

    /// `\levelnfc`.
    mutating func setNumberFormat(_ format: Int32) {
        guard !current.isEmpty else { return }
        current[current.count - 1] =
            switch format {
            case 1: .numbers(.upperRoman)
            case 2: .numbers(.lowerRoman)
            case 3: .numbers(.upperAlpha)
            case 4: .numbers(.lowerAlpha)
            case 23: .bullet
            case 255: .none
            default: .numbers(.decimal)
            }
    }

    mutating func endList(id: Int32) {
        if levels.count < Self.limit { levels[id] = current }
    }

    mutating func beginOverride(id: Int32) { overridden = id }

    mutating func endOverride(_ number: Int32) {
        if overrides.count < Self.limit { overrides[number] = overridden }
    }

    /// Nil for a list that the document does not declare.
    func style(of number: Int32, level: Int) -> ListMarkerStyle? {
        guard let id = overrides[number], let styles = levels[id], !styles.isEmpty else { return nil }
        return styles[min(max(0, level), styles.count - 1)]
    }
}
