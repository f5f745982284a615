import Formats

/// The tables of an RTF document (fonts, colors and lists, which the text refers to by number), and the links in the
/// text.
struct RTFTables {
    /// The maximum number of entries of a table, and the maximum length in bytes of a font name and a field
    /// instruction.
    private static let maxCount = 10_000

    private(set) var fonts: [Int32: RTFFont] = [:]
    private(set) var colors: [RTFColor] = []
    /// The links; the first has number 1.
    private(set) var links: [String] = []
    var defaultFont: Int32 = 0
    var lists = RTFLists()
    var documentCharset = RTFCharset.page(.windows1252)

    /// The number of the font whose entry is being read.
    private var font: Int32 = 0
    /// The color whose entry is being read.
    private var color = RTFColor()
    /// The pictures; the first has number 1.
    private(set) var pictures: [TextPicture] = []
    /// The picture that is being read.
    var picture = RTFPicture()
    /// The field instruction that is being read.
    private var instruction: [UInt8] = []

    func charset(of font: Int32?) -> RTFCharset { fonts[font ?? defaultFont]?.charset ?? documentCharset }

    // MARK: Fonts

    mutating func beginFont(_ number: Int32) {
        font = number
        if fonts[number] == nil, fonts.count < Self.maxCount { fonts[number] = RTFFont() }
    }

    mutating func setCharset(_ charset: RTFCharset?) { fonts[font]?.charset = charset }

    mutating func appendFontName(_ utf8: some Collection<UInt8>) {
        guard let length = fonts[font]?.name.count, length + utf8.count <= Self.maxCount else { return }
        fonts[font]?.name.append(contentsOf: utf8)
    }

    // MARK: Colors

    mutating func setColor(_ part: WritableKeyPath<RTFColor, UInt8?>, _ value: Int32) {
        color[keyPath: part] = UInt8(clamping: value)
    }

    /// Reads text of the color table, in which a semicolon ends each color.
    mutating func appendColorText(_ utf8: some Collection<UInt8>) {
        for byte in utf8 where byte == UInt8(ascii: ";") && colors.count < Self.maxCount {
            colors.append(color)
            color = RTFColor()
        }
    }

    // MARK: Links

    mutating func appendInstruction(_ utf8: some Collection<UInt8>) {
        guard instruction.count + utf8.count <= Self.maxCount else { return }
        instruction.append(contentsOf: utf8)
    }

    /// Ends a field instruction: `HYPERLINK "https://example.org" \o "Title"`, with `\l` before a place in the
    /// document.
    ///
    /// - Returns: The number of the link that the instruction defines; 0 if it defines no link.
    mutating func endInstruction() -> Int32 {
        defer { instruction = [] }
        var words = FieldWords(instruction)
        guard words.next()?.text.asciiLowercasedString == "hyperlink", links.count < Self.maxCount else { return 0 }
        var address = ""
        while let word = words.next() {
            let text = String(decoding: word.text, as: UTF8.self)
            // A word in quotation marks is not a switch: a network share begins with backslashes.
            switch word.isQuoted ? "" : text.lowercased() {
            case "\\l": address += "#" + String(decoding: words.next()?.text ?? [], as: UTF8.self)
            case "\\o", "\\t": _ = words.next()
            case _ where !word.isQuoted && text.hasPrefix("\\"): break
            case _ where address.isEmpty: address = text
            default: break
            }
        }
        guard !address.isEmpty else { return 0 }
        links.append(address)
        return Int32(links.count)
    }
}

extension RTFTables {
    /// Ends the picture that is being read. Returns its number; nil if it cannot be read.
    mutating func endPicture() -> Int32? {
        defer { picture = RTFPicture() }
        guard pictures.count < Self.maxCount, let picture = picture.finished else { return nil }
        pictures.append(picture)
        return Int32(pictures.count)
    }
}

/// A picture of a document, as it is being read: its bytes in hexadecimal digits, and its size.
struct RTFPicture: Sendable {
    var isKnown = false
    /// The width in twentieths of a point; 0 for that of the file.
    var width: Int32 = 0
    var height: Int32 = 0
    /// The factors by which the size is multiplied, in percent.
    var scaleX: Int32 = 100
    var scaleY: Int32 = 100
    private var bytes: [UInt8] = []
    /// The first digit of the next byte.
    private var digit: UInt8?

    mutating func append(_ digits: some Collection<UInt8>) {
        guard isKnown else { return }
        for character in digits {
            guard let value = character.hexDigitValue.map({ UInt8($0) }) else { continue }
            if let first = digit {
                bytes.append(first << 4 | value)
                digit = nil
            } else {
                digit = value
            }
        }
    }

    var finished: TextPicture? {
        func points(_ twips: Int32, _ scale: Int32) -> Double? {
            twips > 0 && scale > 0 ? Double(twips) / 20 * Double(scale) / 100 : nil
        }
        return TextPicture(bytes, width: points(width, scaleX), height: points(height, scaleY))
    }
}

struct RTFFont: Sendable {
    /// The name from the table, followed by a semicolon.
    var name: [UInt8] = []
    /// The charset; nil for that of the document.
    var charset: RTFCharset?
}

/// An entry of the color table: `\red`, `\green` and `\blue`. If all are nil, the reader chooses the color.
struct RTFColor: Equatable, Sendable {
    var red: UInt8?
    var green: UInt8?
    var blue: UInt8?
}

/// The words of a field instruction. Quotation marks enclose a word with spaces, and a backslash escapes a character
/// between them.
private struct FieldWords {
    private var rest: ArraySlice<UInt8>

    init(_ instruction: [UInt8]) { rest = instruction[...] }

    mutating func next() -> (text: ArraySlice<UInt8>, isQuoted: Bool)? {
        rest = rest.trimmed
        guard let first = rest.first else { return nil }
        guard first == UInt8(ascii: "\"") else {
            let end = rest.firstIndex(where: \.isHTMLSpace) ?? rest.endIndex
            defer { rest = rest[end...] }
            return (rest[..<end], false)
        }
        var word: ArraySlice<UInt8> = []
        var index = rest.startIndex + 1
        while index < rest.endIndex, rest[index] != UInt8(ascii: "\"") {
            if rest[index] == UInt8(ascii: "\\"), index + 1 < rest.endIndex { index += 1 }
            word.append(rest[index])
            index += 1
        }
        rest = rest[min(index + 1, rest.endIndex)...]
        return (word, true)
    }
}

/// The lists that an RTF document declares: `\listtable`, and `\listoverridetable`, which maps `\ls` to them.
struct RTFLists {
    /// The maximum number of lists, and of overrides.
    private static let maxCount = 10_000

    /// The style of each level, by `\listid`.
    private var levels: [Int32: [ListMarkerStyle]] = [:]
    /// The `\listid` of each `\ls`.
    private var overrides: [Int32: Int32] = [:]
    /// The levels of the list that is being read.
    private var current: [ListMarkerStyle] = []
    /// The `\listid` of the override that is being read.
    private var overridden: Int32 = 0

    mutating func beginList() { current = [] }

    mutating func beginLevel() {
        if current.count < ListItem.maxLevel { current.append(.numbers(.decimal)) }
    }

    /// Sets the style of the current level from the parameter of `\levelnfc`.
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
        if levels.count < Self.maxCount { levels[id] = current }
    }

    mutating func beginOverride(id: Int32) { overridden = id }

    mutating func endOverride(_ number: Int32) {
        if overrides.count < Self.maxCount { overrides[number] = overridden }
    }

    /// Returns the style of a level of the list with that `\ls`; nil if the document does not declare it.
    func style(of number: Int32, level: Int) -> ListMarkerStyle? {
        guard let id = overrides[number], let styles = levels[id], !styles.isEmpty else { return nil }
        return styles[min(max(0, level), styles.count - 1)]
    }
}
