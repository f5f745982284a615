/// How the bytes of a form come about: as a source has them, or made of others, step by step.
package indirect enum Derivation: Hashable, Sendable {
    /// The representation of that number, as it is.
    case source(Int)
    case made(ConversionStep, of: [Derivation])

    /// What that step makes of this.
    package func then(_ step: ConversionStep) -> Derivation { .made(step, of: [self]) }

    /// Whether one of these is it or a part of it.
    func uses(_ others: Set<Derivation>) -> Bool {
        if others.contains(self) { return true }
        guard case .made(_, let parts) = self else { return false }
        return parts.contains { $0.uses(others) }
    }

    /// The representations it needs.
    package var sources: Set<Int> {
        switch self {
        case .source(let index): [index]
        case .made(_, let parts): parts.reduce(into: []) { $0.formUnion($1.sources) }
        }
    }
}

/// What an archive says of a part besides its length.
package struct ArchivedPart: Hashable, Sendable {
    package let item: Int
    package let type: String
    package let target: String?
    package let isExact: Bool

    package init(item: Int, type: String, target: String?, isExact: Bool) {
        self.item = item
        self.type = type
        self.target = target
        self.isExact = isExact
    }
}

/// One step in the making of a form.
package enum ConversionStep: Hashable, Sendable {
    // Texts.

    /// A text in UTF-8 with LF, from whatever encoding its target and property tell.
    case utf8Text
    /// A UTF-8 text in Latin-1, for STRING (ICCCM 2.7.1).
    case latin1Text
    /// A UTF-8 text as compound text. The display thread makes it: Xlib has the converter.
    case compoundText
    /// HTML in UTF-8.
    case utf8HTML
    case plainTextFromHTML
    case plainTextFromRTF
    /// Several texts, with newlines between them.
    case joinedTexts

    // Files and links.

    /// All files of all parts as text/uri-list.
    case fileList
    /// All entries as the file managers of GNOME and MATE have them. The parts behind the list say whether they were cut.
    case copiedFiles
    /// KDE's mark, of what says whether files were cut.
    case cutMark
    /// All entries as text, a URL a line.
    case urlLines
    /// All entries as text, a path a line.
    case pathLines
    /// One entry of a list, counted from 0.
    case listEntry(Int)
    /// The address of a link, without its title.
    case linkAddress
    /// A link as text/x-moz-url; a second part is its title.
    case mozillaLink
    /// A link as _NETSCAPE_URL; a second part is its title.
    case netscapeLink

    // Others.

    /// A colour as the four CARD16 of application/x-color.
    case color
    /// A colour as CSS writes it.
    case colorText
    /// These very bytes, whatever the parts are.
    case constant([UInt8])
    /// All the parts in one stream, from which they are read again.
    case archive([ArchivedPart])
    case filter(Filter)
}
