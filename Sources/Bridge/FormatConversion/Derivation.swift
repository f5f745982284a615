/// The way to the bytes of a format: a source as it is, or conversion steps on other derivations.
package indirect enum Derivation: Hashable, Sendable {
    /// The representation with the given number, as it is.
    case source(Int)
    case made(ConversionStep, of: [Derivation])

    /// Returns the derivation that applies `step` to the result of this one.
    package func then(_ step: ConversionStep) -> Derivation { .made(step, of: [self]) }

    /// Returns true if this derivation, or a part of it, is one of `others`.
    func uses(_ others: Set<Derivation>) -> Bool {
        if others.contains(self) { return true }
        guard case .made(_, let parts) = self else { return false }
        return parts.contains { $0.uses(others) }
    }

    /// The numbers of the representations that are read.
    package var sources: Set<Int> {
        switch self {
        case .source(let index): [index]
        case .made(_, let parts): parts.reduce(into: []) { $0.formUnion($1.sources) }
        }
    }

    /// Returns the number of the source whose bytes all steps leave as they are; nil if a step changes them.
    ///
    /// - Parameter present: Returns the bytes of a source, if they are available.
    func unchangedSource(_ present: (Int) -> EncodedBytes?) -> Int? {
        switch self {
        case .source(let index): return index
        case .made(let step, let parts):
            guard parts.count == 1, let index = parts[0].unchangedSource(present), let bytes = present(index)
            else { return nil }
            return step.unchanged([bytes]).map { _ in index }
        }
    }
}

package enum ConversionStep: Hashable, Sendable {
    // Text.

    /// Text in UTF-8 with LF, from any encoding that its target or property names.
    case utf8Text
    /// UTF-8 text in Latin-1, for a reader that asks for that encoding. Text with other characters is refused.
    case latin1Text
    /// UTF-8 text in Latin-1 with `?` for each other character, for STRING (ICCCM 2.7.1). Programs that know no other
    /// target would otherwise paste nothing.
    case replacingLatin1Text
    /// UTF-8 text as compound text, without the control characters that compound text lacks. The X thread converts
    /// short text, since Xlib has the converter.
    case compoundText
    case utf8HTML
    case plainTextFromHTML
    case plainTextFromRTF
    /// The text of several parts, with newlines between them.
    case joinedTexts

    // Files and links.

    /// All files of all parts as text/uri-list.
    case fileList
    /// All entries in the format of the file managers of GNOME and MATE. The parts after the list say whether the files
    /// were cut.
    case copiedFiles
    /// KDE's mark of cut files, from the parts that say whether files were cut.
    case cutMark
    /// All entries as text, one URL per line.
    case urlLines
    /// All entries as text, one path per line.
    case pathLines
    /// A key for the files of a list, which a sandboxed program exchanges for paths of its own.
    case transferKey
    /// One entry of a list, counted from 0.
    case listEntry(Int)
    /// The address of a link, without its title.
    case linkAddress
    /// A link as text/x-moz-url; a second part is its title.
    case mozillaLink
    /// A link as _NETSCAPE_URL; a second part is its title.
    case netscapeLink

    // Others.

    /// A color as the four CARD16 of application/x-color.
    case color
    /// A color in the notation of CSS.
    case colorText
    /// Fixed bytes, independent of the parts.
    case constant([UInt8])
    /// All parts in one stream, from which another bridge reads them.
    case archive([ArchivedPart])
    case filter(Filter)

    /// True for a step that makes UTF-8 text from something else.
    package var makesText: Bool {
        switch self {
        case .plainTextFromHTML, .plainTextFromRTF, .urlLines, .pathLines, .linkAddress, .colorText: true
        case .utf8Text, .latin1Text, .replacingLatin1Text, .compoundText, .utf8HTML, .joinedTexts, .fileList,
            .copiedFiles, .cutMark, .transferKey, .listEntry, .mozillaLink, .netscapeLink, .color, .constant, .archive,
            .filter:
            false
        }
    }

    /// True for a step whose result another program may need some time to provide.
    package var isSlow: Bool { self == .transferKey }

    /// True for a step that runs a program, which may take a long time even for short input.
    var isProgram: Bool {
        if case .filter = self { true } else { false }
    }
}

/// The entry of an archive about one part, without its length.
package struct ArchivedPart: Hashable, Sendable {
    let item: Int
    let type: String
    let target: String?
    let isExact: Bool
}
