/// An open element, with what it inherits.
struct HTMLOpenElement<Output: HTMLOutput> {
    let name: MarkupName
    let element: HTMLElement
    let layout: HTMLLayout
    let change: Output.Change
    /// Not shown, and nothing inside is.
    private(set) var isRemoved = false
    private(set) var isVisible = true
    private(set) var whiteSpace = HTMLWhiteSpace.collapse
    private(set) var look: Output.Look
    /// The depth of the list that items here belong to.
    private(set) var list: Int?
    private(set) var listLevel = 0
    /// Of a list: the number of its next item. Of a row: how many cells it has.
    var count: Int

    init(name: MarkupName, element: HTMLElement, layout: HTMLLayout, change: Output.Change, look: Output.Look) {
        self.name = name
        self.element = element
        self.layout = layout
        self.change = change
        self.look = look
        if case .list = element { count = layout.number ?? 1 } else { count = 0 }
    }

    /// Takes over what the parent hands down; `depth` is where this element stands.
    mutating func inherit(from parent: Self, depth: Int) {
        isRemoved = parent.isRemoved || layout.display == .removed || element == .hidden
        isVisible = layout.isVisible ?? parent.isVisible
        whiteSpace = layout.whiteSpace ?? (element == .preformatted ? .preserve : parent.whiteSpace)
        look = Output.look(of: change, inside: parent.look)
        list = parent.list
        listLevel = parent.listLevel
        if case .list(let kind) = element {
            list = depth
            if kind != .plain { listLevel += 1 }
        }
    }

    var isShown: Bool { !isRemoved && isVisible }

    /// Whether lines begin and end with it.
    var isBlock: Bool {
        switch layout.display {
        case .block: true
        case .inline: false
        case .removed, nil: element.isBlock
        }
    }

    /// The style of a list's markers.
    var markerStyle: ListMarkerStyle {
        if let marker = layout.marker { return marker }
        return switch element {
        case .list(.numbered): .numbers(.decimal)
        case .list(.plain): .none
        default: .bullet
        }
    }
}
