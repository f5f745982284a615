/// The folding of letters for searching. It makes strings equal that a reader considers the same.
///
/// - Letters become small letters without accents: "É" becomes "e", and "ø" becomes "o". "ß" and ligatures become their
///   letters.
/// - Full-width forms become ASCII, typographic quotes and dashes become plain, and white space becomes one blank.
/// - Combining accents, vowel points and invisible characters are left out.
///
/// Everything else stays as it is, such as the vowel signs of Devanagari. Hangul syllables and voiced kana that are
/// written in parts, as in the names of files from macOS, are composed.
struct Folding: Sendable {
    static let ignoringCase = Folding(keepsCase: false)
    /// The folding that keeps capital letters, for words with capital letters.
    static let keepingCase = Folding(keepsCase: true)

    /// The end of the table, which has the Latin, Greek and Cyrillic letters. Few other scalars change.
    private static let tableLimit: UInt32 = 0x530
    private static let blank = UInt8(ascii: " ")
    /// The length by which an array should exceed its folded text, so that it need not grow.
    static let margin = ASCIIWord.length

    private let keepsCase: Bool
    /// The folded forms of the table's scalars, one after the other, in UTF-8.
    private var forms: [UInt8] = []
    /// The offset of each form, and the end of the last one.
    private var offsets: [UInt16] = [0]

    private init(keepsCase: Bool) {
        self.keepsCase = keepsCase
        for value in 0..<Self.tableLimit {
            if let scalar = Unicode.Scalar(value) { forms += Self.form(of: scalar, keepsCase: keepsCase).utf8 }
            offsets.append(UInt16(forms.count))
        }
    }

    /// Appends the folded form of text, in UTF-8. A search spends most of its time here.
    func append(_ text: UTF8Span, to bytes: inout [UInt8]) {
        let span = text.span
        var scalars = text.makeUnicodeScalarIterator()
        var index = 0
        while index < span.count {
            if span[index] < 0x80 {
                index += appendASCII(unsafe span.extracting(index...).bytes, to: &bytes)
                continue
            }
            unsafe scalars.reset(toUnchecked: index)
            guard let scalar = scalars.next() else { return }
            append(scalar, to: &bytes)
            index = scalars.currentCodeUnitOffset
        }
    }

    /// Appends the folded form of the ASCII at the beginning of text. Returns the length of that ASCII.
    private func appendASCII(_ text: RawSpan, to bytes: inout [UInt8]) -> Int {
        var last = bytes.last
        var index = 0
        bytes.append(addingCapacity: text.byteCount + ASCIIWord.length) { output in
            while index < text.byteCount {
                let word = ASCIIWord(text, from: index)
                let count = min(word.countToFold(after: last), text.byteCount - index)
                if count > 0 {
                    output.append(keepsCase ? word.bytes : word.smallBytes, count: count)
                    last = output[output.count - 1]
                    index += count
                } else if word.isASCII {
                    // A blank after a blank is left out.
                    index += 1
                } else {
                    return
                }
            }
        }
        return index
    }

    /// Appends the folded form of a scalar, in UTF-8, or composes the scalar with the last scalar. Nothing is allocated
    /// for the scalars of the table.
    func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        if scalar.value < Self.tableLimit {
            let index = Int(scalar.value)
            let (start, end) = (Int(offsets[index]), Int(offsets[index + 1]))
            if start < end, forms[start] == Self.blank, bytes.last == Self.blank { return }
            for place in start..<end { bytes.append(forms[place]) }
        } else if Self.isPart(scalar) {
            bytes.appendPart(scalar)
        } else if Self.isUnchanged(scalar) {
            bytes.append(contentsOf: scalar.utf8)
        } else {
            let form = Self.form(of: scalar, keepsCase: keepsCase)
            if form != " " || bytes.last != Self.blank { bytes += form.utf8 }
        }
    }

    /// Returns true if a scalar has an accent, or is a combining accent.
    static func isMarked(_ scalar: Unicode.Scalar) -> Bool {
        isMark(scalar) || scalar.properties.lowercaseMapping.unicodeScalars.contains { unmarked[$0] != nil }
    }

    /// Returns the form of a character for a word with accents: folded, but with its accents, and with its case if
    /// `keepsCase` is true. Returns nil for an invisible character.
    static func markedForm(of character: Character, keepsCase: Bool) -> Character? {
        var form = ""
        for scalar in character.unicodeScalars where !isUnseen(scalar) || isMark(scalar) {
            if unmarked[scalar] != nil || isMark(scalar) || scalar.properties.isAlphabetic {
                form += keepsCase ? String(scalar) : scalar.properties.lowercaseMapping
            } else {
                form += Self.form(of: scalar, keepsCase: keepsCase)
            }
        }
        return form.first
    }

    // MARK: Forms

    /// Letters whose names in Unicode do not reveal their folded form, and signs.
    private static let others: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ĳ": "ij", "þ": "th", "ð": "d", "ı": "i", "ſ": "s", "ς": "σ", "µ": "μ",
        "ё": "е", "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st",
        // Other forms of Greek and Cyrillic letters.
        "ϐ": "β", "ϑ": "θ", "ϕ": "φ", "ϖ": "π", "ϰ": "κ", "ϱ": "ρ", "ϵ": "ε", "ᲀ": "в", "ᲁ": "д", "ᲂ": "о", "ᲃ": "с",
        "ᲄ": "т", "ᲅ": "т", "ᲆ": "ъ", "ᲇ": "ѣ",
        // Quotes and dashes.
        "‘": "'", "’": "'", "‚": "'", "“": "\"", "”": "\"", "„": "\"", "‐": "-", "‑": "-", "–": "-", "—": "-", "−": "-",
    ]

    private static let unmarked: [Unicode.Scalar: Unicode.Scalar] = {
        // Letters with accents that their names in Unicode do not mention.
        var letters: [Unicode.Scalar: Unicode.Scalar] = ["й": "и", "ї": "і", "ў": "у", "ѓ": "г", "ќ": "к"]
        for (letter, marked) in MarkedLetters.groups {
            for scalar in marked.unicodeScalars { letters[scalar] = letter }
        }
        return letters
    }()

    private static func form(of scalar: Unicode.Scalar, keepsCase: Bool) -> String {
        if isUnseen(scalar) { return "" }
        if scalar.properties.isWhitespace || scalar.properties.generalCategory == .control { return " " }
        if (0xFF01...0xFF5E).contains(scalar.value), let plain = Unicode.Scalar(scalar.value - 0xFEE0) {
            return form(of: plain, keepsCase: keepsCase)
        }
        let small = scalar.properties.lowercaseMapping
        var folded = ""
        for scalar in small.unicodeScalars where !isUnseen(scalar) {
            let letter = unmarked[scalar].map { unmarked[$0] ?? $0 } ?? scalar
            folded += others[letter] ?? String(letter)
        }
        guard keepsCase, small != String(scalar) else { return folded }
        // Only the first letter of "Æ" stands for its case.
        return folded.prefix(1).uppercased() + folded.dropFirst()
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool { (0x0300...0x036F).contains(scalar.value) }

    /// Returns true for a combining accent, a vowel point, or an invisible character.
    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00AD, 0x0300...0x036F, 0x0483...0x0487, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF: true
        case 0x0591...0x05BD, 0x05BF, 0x05C1...0x05C2, 0x05C4...0x05C5, 0x05C7: true
        case 0x0610...0x061A, 0x0640, 0x064B...0x065F, 0x0670, 0x06D6...0x06DC: true
        case 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2064, 0x2066...0x2069, 0xFE00...0xFE0F, 0xFEFF: true
        default: false
        }
    }

    /// Returns true for the many scalars of East Asian scripts, which stay as they are.
    private static func isUnchanged(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3001...0xA63F, 0xAC00...0xD7A3, 0x20000...0x3FFFF: true
        default: false
        }
    }

    /// Returns true for a Hangul vowel or final consonant, and for the voicing marks of kana.
    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1161...0x1175, 0x11A8...0x11C2, 0x3099, 0x309A: true
        default: false
        }
    }
}

/// Eight bytes of text, in which white space and control characters of ASCII are blanks. All bytes are folded at once
/// by the arithmetic of one integer, whose lowest byte is the first.
private struct ASCIIWord {
    static let length = 8

    let bytes: UInt64
    private let blanks: UInt64

    /// Reads eight bytes. Zeros follow the end of the text.
    init(_ text: RawSpan, from index: Int) {
        let bytes = Self.read(text, from: index)
        blanks = bytes.marks(below: 0x21) | bytes.marks(from: 0x7F)
        // The mark of a byte becomes the eight bits of that byte.
        let mask = (blanks >> 7) &* 0xFF
        self.bytes = bytes & ~mask | 0x2020_2020_2020_2020 & mask
    }

    private static func read(_ text: RawSpan, from index: Int) -> UInt64 {
        let left = text.byteCount - index
        if left >= length {
            let bytes = unsafe text.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self)
            return UInt64(littleEndian: bytes)
        }
        var bytes: UInt64 = 0
        for place in 0..<left {
            let byte = unsafe text.unsafeLoad(fromUncheckedByteOffset: index + place, as: UInt8.self)
            bytes |= UInt64(byte) << (place * 8)
        }
        return bytes
    }

    /// True if the first byte is ASCII.
    var isASCII: Bool { bytes & 0x80 == 0 }

    /// The bytes with small letters.
    var smallBytes: UInt64 {
        let capitals = bytes.marks(from: UInt8(ascii: "A")) & bytes.marks(below: UInt8(ascii: "Z") + 1)
        // The mark is moved to the bit in which small and capital letters differ.
        return bytes | capitals >> 2
    }

    /// Returns the number of bytes before the first byte that is not ASCII, or is a blank after a blank.
    func countToFold(after last: UInt8?) -> Int {
        let afterBlanks = blanks << 8 | (last == UInt8(ascii: " ") ? 0x80 : 0)
        let stops = blanks & afterBlanks | bytes & UInt64.allMarks
        return stops.trailingZeroBitCount / 8
    }
}

extension UInt64 {
    /// The highest bit of each byte.
    fileprivate static let allMarks: UInt64 = 0x8080_8080_8080_8080

    private static func repeating(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    /// Returns the highest bit of each byte of ASCII that is at least `limit`. A byte that is not ASCII may be marked.
    fileprivate func marks(from limit: UInt8) -> UInt64 {
        ((self | Self.allMarks) &- Self.repeating(limit)) & Self.allMarks
    }

    /// Returns the highest bit of each byte of ASCII below `limit`. A byte that is not ASCII may be marked.
    fileprivate func marks(below limit: UInt8) -> UInt64 { ~marks(from: limit) & Self.allMarks }
}

extension OutputSpan<UInt8> {
    /// Appends the first bytes of a word. There must be room for the whole word.
    fileprivate mutating func append(_ word: UInt64, count: Int) {
        precondition(freeCapacity >= ASCIIWord.length)
        unsafe withUnsafeMutableBufferPointer { bytes, end in
            let raw = UnsafeMutableRawBufferPointer(bytes)
            unsafe raw.storeBytes(of: word.littleEndian, toByteOffset: end, as: UInt64.self)
            end += count
        }
    }
}

extension [UInt8] {
    /// Appends a scalar, in UTF-8, or composes the scalar with the last scalar.
    fileprivate mutating func appendPart(_ part: Unicode.Scalar) {
        // All scalars that have parts take three bytes.
        if count >= 3, let last = String(decoding: suffix(3), as: UTF8.self).unicodeScalars.first,
            let whole = last.value.joined(with: part.value).flatMap(Unicode.Scalar.init)
        {
            removeLast(3)
            self += String(whole).utf8
        } else {
            self += String(part).utf8
        }
    }
}

extension UInt32 {
    /// Returns the composition of this scalar and a part; nil if there is no such scalar. See "The Unicode Standard",
    /// 3.12, for Hangul.
    fileprivate func joined(with part: UInt32) -> UInt32? {
        switch (self, part) {
        case (0x1100...0x1112, 0x1161...0x1175): 0xAC00 + ((self - 0x1100) * 21 + part - 0x1161) * 28
        case (0xAC00...0xD7A3, 0x11A8...0x11C2) where (self - 0xAC00).isMultiple(of: 28): self + part - 0x11A7
        // か and カ to ち and チ, つ to と, and は to ほ, each followed by its voiced form.
        case (0x304B...0x3061, 0x3099) where !self.isMultiple(of: 2),
            (0x30AB...0x30C1, 0x3099) where !self.isMultiple(of: 2):
            self + 1
        case (0x3064...0x3068, 0x3099) where self.isMultiple(of: 2),
            (0x30C4...0x30C8, 0x3099) where self.isMultiple(of: 2):
            self + 1
        case (0x306F...0x307B, _) where self.isMultiple(of: 3), (0x30CF...0x30DB, _) where self.isMultiple(of: 3):
            self + (part - 0x3098)
        default: nil
        }
    }
}
