import RichText
import Testing

@Suite struct HTMLEntitiesTests {
    private func decoded(_ text: String) -> String {
        String(decoding: RichText.plainText(fromHTML: Array(text.utf8)), as: UTF8.self)
    }

    @Test(
        "References are decoded",
        arguments: [
            ("&lt;&gt;&amp;&quot;&apos;", "<>&\"'"), ("&eacute;&Eacute;&euro;&hellip;&mdash;", "éÉ€…—"),
            ("&alpha;&there4;&hearts;&zwj;", "α∴♥\u{200D}"), ("&CounterClockwiseContourIntegral;", "∳"),
            ("&NotEqualTilde;", "≂̸"), ("&#233;&#xe9;&#XE9;&#0233;", "éééé"), ("&#8364", "€"), ("&#x1F600;", "😀"),
        ])
    func known(text: String, characters: String) {
        #expect(decoded(text) == characters)
    }

    @Test("Numbers from 128 to 159 are windows-1252", arguments: [("&#128;", "€"), ("&#150;", "–"), ("&#x99;", "™")])
    func windows(text: String, characters: String) {
        #expect(decoded(text) == characters)
    }

    @Test(
        "A number that is not a character becomes U+FFFD",
        arguments: ["&#0;", "&#xD800;", "&#xDFFF;", "&#x110000;", "&#99999999999999999999;"])
    func noCharacter(text: String) {
        #expect(decoded(text) == "\u{FFFD}")
    }

    @Test(
        "Legacy names are decoded without their semicolon, but other names are not",
        arguments: [
            ("&copy 1", "© 1"), ("&copyright", "©right"), ("&notit;", "¬it;"), ("&notin;", "∉"), ("&ampamp;", "&amp;"),
            ("&hellip", "&hellip"), ("&AMP&lt", "&<"), ("&frac12x", "½x"),
        ])
    func withoutSemicolon(text: String, characters: String) {
        #expect(decoded(text) == characters)
    }

    @Test(
        "An ampersand that does not begin a reference is kept",
        arguments: ["&", "& a", "a&b", "&;", "&#;", "&#x;", "&#xg;", "&unknown;", "&&", "&\u{E9};"])
    func ampersands(text: String) {
        #expect(decoded(text) == text)
    }

    @Test(
        "In an attribute, a legacy name without its semicolon must not be followed by a letter, digit or =",
        arguments: [
            ("?a=1&copy=2", "?a=1&copy=2"), ("?a&copyb", "?a&copyb"), ("?a&copy;=2", "?a©=2"), ("a&lt", "a<"),
            ("a&amp;b", "a&b"), ("&copy.", "©."),
        ])
    func attributes(value: String, characters: String) {
        let bytes = HTMLEntities.decoded(Array(value.utf8)[...])
        #expect(String(decoding: bytes, as: UTF8.self) == characters)
    }
}
