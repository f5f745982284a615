/// What an RTF document refers to by number: fonts, colours, lists, and links as they come.
struct RTFTables {
    /// Entries behind this many are not kept, nor what makes a name longer than this many bytes.
    private static let limit = 10_000

    private(set) var fonts: [Int32: RTFFont] = [:]
    private(set) var colors: [RTFColor] = []
    /// Link number 1 is the first.
    private(set) var links: [String] = []
    var defaultFont: Int32 = 0
    var lists = RTFLists()
    var documentCharset = RTFCharset.page(.windows1252)

    private var font: Int32 = 0
    private var color = RTFColor()
    private var instruction: [UInt8] = []

    func charset(of font: Int32?) -> RTFCharset { fonts[font ?? defaultFont]?.charset ?? documentCharset }

    // MARK: Fonts

    mutating func beginFont(_ number: Int32) {
        font = number
        if fonts[number] == nil, fonts.count < Self.limit { fonts[number] = RTFFont() }
    }

    mutating func setCharset(_ charset: RTFCharset?) { fonts[font]?.charset = charset }

    mutating func appendFontName(_ utf8: some Collection<UInt8>) {
        guard let length = fonts[font]?.name.count, length + utf8.count <= Self.limit else { return }
        fonts[font]?.name.append(contentsOf: utf8)
    }

    // MARK: Colours

    mutating func setColor(_ part: WritableKeyPath<RTFColor, UInt8?>, _ value: Int32) {
        color[keyPath: part] = UInt8(clamping: value)
    }

    mutating func appendColor(_ utf8: some Collection<UInt8>) {
        for byte in utf8 where byte == UInt8(ascii: ";") && colors.count < Self.limit {
            colors.append(color)
            color = RTFColor()
        }
    }

    // MARK: Links

    mutating func appendInstruction(_ utf8: some Collection<UInt8>) {
        guard instruction.count + utf8.count <= Self.limit else { return }
        instruction.append(contentsOf: utf8)
    }

    /// The number of the link that the instruction makes: `HYPERLINK "https://example.org" \o "Title"`, and `\l` before
    /// a place in the document; 0 when it makes none.
    mutating func endInstruction() -> Int32 {
        defer { instruction = [] }
        var words = FieldWords(instruction)
        guard words.next()?.asciiLowercasedString == "hyperlink", links.count < Self.limit else { return 0 }
        var address = ""
        while let word = words.next() {
            let text = String(decoding: word, as: UTF8.self)
            switch text.lowercased() {
            case "\\l": address += "#" + String(decoding: words.next() ?? [], as: UTF8.self)
            case "\\o", "\\t": _ = words.next()
            case _ where text.hasPrefix("\\"): break
            case _ where address.isEmpty: address = text
            default: break
            }
        }
        guard !address.isEmpty else { return 0 }
        links.append(address)
        return Int32(links.count)
    }
}

/// The words of a field's instruction; quotes hold one together, and in them a backslash stands before itself.
private struct FieldWords {
    private var rest: ArraySlice<UInt8>

    init(_ instruction: [UInt8]) { rest = instruction[...] }

    mutating func next() -> ArraySlice<UInt8>? {
        rest = rest.trimmed
        guard let first = rest.first else { return nil }
        guard first == UInt8(ascii: "\"") else {
            let end = rest.firstIndex(where: \.isHTMLSpace) ?? rest.endIndex
            defer { rest = rest[end...] }
            return rest[..<end]
        }
        var word: ArraySlice<UInt8> = []
        var index = rest.startIndex + 1
        while index < rest.endIndex, rest[index] != UInt8(ascii: "\"") {
            if rest[index] == UInt8(ascii: "\\"), index + 1 < rest.endIndex { index += 1 }
            word.append(rest[index])
            index += 1
        }
        rest = rest[min(index + 1, rest.endIndex)...]
        return word
    }
}
