extension HTMLEncoding {
    /// The encoding of a label (WHATWG Encoding, section 4.2), in small letters; nil for an empty one.
    init?(label: String) {
        guard !label.isEmpty else { return nil }
        if let page = Self.pages[label] {
            self = .codePage(page)
        } else if Self.unicodeNames.contains(label) {
            // Who can read a `meta` byte by byte does not have UTF-16 before him.
            self = .utf8
        } else {
            self = .other(label)
        }
    }

    private static let unicodeNames: Set<String> = [
        "utf-8", "utf8", "unicode-1-1-utf-8", "unicode11utf8", "x-unicode20utf8", "utf-16", "utf-16le", "utf-16be",
        "unicode", "unicodefffe", "unicodefeff", "ucs-2", "iso-10646-ucs-2", "csunicode",
    ]

    private static let pages: [String: CodePage] = {
        let names: [CodePage: String] = [
            .windows1252:
                "ascii us-ascii ansi_x3.4-1968 latin1 l1 iso-8859-1 iso8859-1 iso_8859-1 iso88591 cp819 ibm819",
            .windows1254: "latin5 l5 iso-8859-9 iso8859-9 iso_8859-9 iso88599 iso-ir-148 csisolatin5",
            .windows874: "tis-620 iso-8859-11 iso8859-11 iso885911 dos-874",
            .macRoman: "macintosh mac x-mac-roman csmacintosh",
            .ibm437: "ibm437 cp437",
            .ibm850: "ibm850 cp850",
        ]
        var table: [String: CodePage] = [:]
        for (page, list) in names { for name in list.split(separator: " ") { table[String(name)] = page } }
        for page in CodePage.allCases where page.rawValue != 10000 {
            for prefix in ["windows-", "cp", "x-cp"] { table["\(prefix)\(page.rawValue)"] = page }
        }
        return table
    }()
}
