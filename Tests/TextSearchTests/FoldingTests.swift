import Testing
import TextSearch

@Suite struct FoldingTests {
    private func fold(_ text: String) -> String { String(decoding: FoldedText(text).bytes, as: UTF8.self) }

    @Test(
        "Case, accents, ligatures and forms that look alike make no difference",
        arguments: [
            ("Éclair Ångström ĐỖ", "eclair angstrom do"), ("straße STRASSE ẞ", "strasse strasse ss"),
            ("Łódź Øre œuvre Ærø Þór", "lodz ore oeuvre aero thor"), ("e\u{301}a\u{308}", "ea"),
            ("İstanbul ılık", "istanbul ilik"), ("ΆΣΠΡΟΣ άσπρος", "ασπροσ ασπροσ"), ("Ёлка ЁЛКА", "елка елка"),
            ("ＡＢＣ１２３　ｘ", "abc123 x"), ("don’t “x” a–b", "don't \"x\" a-b"), ("a\u{A0}b\tc\nd", "a b c d"),
            ("foo \r\n bar", "foo bar"), ("и\u{306} й", "и и"), ("각 \u{1112}\u{1161}\u{11AB}", "각 한"),
            ("か\u{3099}ハ\u{309A}つ\u{3099}", "がパづ"), ("ﬁn ﬄ", "fin ffl"), ("שָׁלוֹם", "שלום"), ("مُحَمَّد", "محمد"),
            ("ze\u{200B}ro\u{AD}w\u{FEFF}", "zerow"),
        ])
    func folded(text: String, expected: String) { #expect(fold(text) == expected) }

    @Test(
        "Scripts whose marks are part of the letters stay as they are",
        arguments: ["हिन्दी में", "ภาษาไทยก็ดี", "你好世界", "特別市", "특별시", "がぎぐ", "👨👩👧"])
    func unchanged(text: String) { #expect(fold(text) == text) }

    @Test("Letters whose Unicode names mention an accent fold to the plain letters")
    func markedLetters() {
        let letters = (0..<0x2000 as Range<UInt32>).compactMap(Unicode.Scalar.init)
        func name(_ scalar: Unicode.Scalar) -> String { scalar.properties.name ?? "" }
        let byName = Dictionary(letters.map { (name($0), $0) }) { first, _ in first }
        for letter in letters where !name(letter).hasPrefix("COMBINING") {
            let name = name(letter)
            guard name.contains(" SMALL LETTER "), let with = name.firstRange(of: " WITH "),
                let plain = byName[String(name[..<with.lowerBound])],
                letter.properties.lowercaseMapping == String(letter)
            else { continue }
            #expect(fold(String(letter)) == fold(String(plain)), "\(name)")
        }
    }
}

@Suite struct SearchTermTests {
    private func isContained(_ word: String, in text: String) -> Bool {
        SearchTerm(word).isContained(in: SearchedText(text))
    }

    private func ranges(_ word: String, in text: String) -> [Range<Int>] {
        SearchTerm(word).ranges(in: SearchedText(text))
    }

    @Test(
        "A word with a capital letter or an accent matches only that form, and any other word matches all forms",
        arguments: [
            ("cafe", "Café", true), ("Cafe", "Café", true), ("Cafe", "café", false), ("café", "Café", true),
            ("café", "cafe", false), ("CAFÉ", "café", false), ("cafe\u{301}", "café", true),
            ("house", "warehouse", true),
            ("711", "4711", true), ("世界", "你好世界", true), ("docker", "使用Docker部署", true), ("ไทย", "ภาษาไทย", true),
            ("특별", "서울특별시", true), ("ss", "Straße", true), ("straße", "STRASSE", true), ("ø", "o", false),
            ("o", "ø", true), ("\u{301}", "e\u{301}", true), ("\u{301}", "é", false),
            ("å", "\u{212B}", true), ("ế", "E\u{302}\u{301}", true), ("ế", "Ê\u{301}", true), ("xế", "XẾ", true),
            ("й", "И\u{306}", true), ("ǆ", "ǅ", true), ("i\u{307}", "İ", true), ("ά", "\u{1F71}", true),
            ("Ế", "ế", false), ("ø", "Ø", true), ("ø", "o\u{338}", false),
        ])
    func smartCase(word: String, text: String, isFound: Bool) { #expect(isContained(word, in: text) == isFound) }

    @Test("A word with a capital letter or an accent is found after an occurrence that differs from it")
    func laterPlace() {
        #expect(isContained("Ab", in: "ab aB Ab"))
        #expect(ranges("Ab", in: "ab aB Ab") == [6..<8])
        #expect(ranges("é", in: "e é e\u{301}") == [2..<4, 5..<8])
    }

    @Test("The ranges of a word are ranges of the original text, and include combining marks")
    func ranges() {
        #expect(ranges("a", in: "banana") == [1..<2, 3..<4, 5..<6])
        #expect(ranges("e", in: "e\u{301}") == [0..<3])
        #expect(ranges("strasse", in: "Straße!") == [0..<7])
        #expect(ranges("s", in: "ß") == [0..<2])
        #expect(ranges("界", in: "世界") == [3..<6])
        #expect(ranges("ana", in: "banana") == [1..<4])
    }

    @Test("A word with accents is found even if spaces, quotes and invisible characters differ")
    func markedSigns() {
        #expect(isContained("l'été", in: "C’est l’été!"))
        #expect(isContained("à côté", in: "à\u{A0}\n côté"))
        #expect(isContained("café", in: "ca\u{AD}fé\u{200B}"))
        #expect(isContained("aab\u{301}", in: "aaab\u{301}"))
        #expect(!isContained("aab\u{301}", in: "aaab"))
    }

    @Test("A long word is searched for in linear time", arguments: ["", "A", "é"])
    func hostile(end: String) {
        let word = String(repeating: "a", count: 10_000) + end
        #expect(isContained(word, in: String(repeating: "a", count: 65_000)) == end.isEmpty)
    }
}

@Suite struct SearchGramsTests {
    private func grams(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        var grams: [String] = []
        SearchGrams.forEach(in: bytes) { grams.append(String(decoding: bytes[$0], as: UTF8.self)) }
        return grams
    }

    @Test("The grams of text are the pieces of one and two scalars of its words, and all pieces of three")
    func grams() {
        #expect(grams("abcd e") == ["a", "ab", "abc", "b", "bc", "bcd", "c", "cd", "cd ", "d", "d e", "e"])
        #expect(grams("世界") == ["世", "世界", "界"])
        #expect(grams("") == [])
    }

    @Test(
        "The grams of a term are in any text that contains the term, and cover the term",
        arguments: ["a", "ab", "abc", "abcd", "abcdefg", "世", "你好世界", "two words", "ch to l", "a b", "a😀b"])
    func required(term: String) {
        let required = SearchGrams.grams(of: Array(term.utf8)).map { String(decoding: $0, as: UTF8.self) }
        #expect(Set(required).isSubset(of: grams("x\(term)y")))
        #expect(Set(required.joined()) == Set(term))
        #expect(required.count <= term.unicodeScalars.count)
    }

    @Test("A term that is too short for a gram of three is found by its word")
    func short() { #expect(SearchGrams.grams(of: Array("a ".utf8)) == [Array("a".utf8)]) }

    @Test("A very long term has a limited number of grams")
    func long() {
        let letters = (0..<10_000).map { UInt8(ascii: "a") + UInt8($0 * 7 % 25) }
        #expect(SearchGrams.grams(of: letters).count == 16)
    }
}
