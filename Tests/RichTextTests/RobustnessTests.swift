import Formats
import RichText
import TestRandom
import Testing

@Suite struct RobustnessTests {
    private static func isValid(_ bytes: [UInt8]) -> Bool { UTF8Text.isValid(bytes) }

    private static func readsHTML(_ bytes: [UInt8]) -> Bool {
        isValid(RichText.plainText(fromHTML: bytes)) && isValid(RichText.styledText(fromHTML: bytes).plainText)
    }

    private static func readsRTF(_ bytes: [UInt8]) -> Bool {
        let plain = RichText.plainText(fromRTF: bytes)
        let styled = RichText.styledText(fromRTF: bytes)
        return isValid(plain ?? []) && isValid(styled?.plainText ?? []) && (plain == nil) == (styled == nil)
    }

    @Test("HTML that is cut off at any byte is read", arguments: ClipboardSample.html)
    func truncatedHTML(sample: ClipboardSample) {
        for length in 0...sample.bytes.count where !Self.readsHTML(Array(sample.bytes.prefix(length))) {
            Issue.record("cut off at \(length)")
        }
    }

    @Test("RTF that is cut off at any byte is read", arguments: ClipboardSample.rtf)
    func truncatedRTF(sample: ClipboardSample) {
        for length in 0...sample.bytes.count where !Self.readsRTF(Array(sample.bytes.prefix(length))) {
            Issue.record("cut off at \(length)")
        }
    }

    @Test("Samples with random bytes changed, inserted and removed are read", arguments: 0..<8)
    func mutated(batch: UInt64) {
        let html = ClipboardSample.html.map(\.bytes)
        let rtf = ClipboardSample.rtf.map(\.bytes)
        for seed in batch * 50..<batch * 50 + 50 {
            var generator = SeededGenerator(seed: seed)
            #expect(Self.readsHTML(Self.mutated(html, &generator)), "seed \(seed)")
            #expect(Self.readsRTF(Self.mutated(rtf, &generator)), "seed \(seed)")
        }
    }

    private static func mutated(_ samples: [[UInt8]], _ generator: inout SeededGenerator) -> [UInt8] {
        guard var bytes = samples.randomElement(using: &generator) else { return [] }
        for _ in 0..<Int.random(in: 1...30, using: &generator) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes[index] = .random(in: 0...255, using: &generator)
            case 1: bytes.remove(at: index)
            case 2: bytes.insert(Array("<>&\"'/!-;\\{}0".utf8).randomElement(using: &generator) ?? 0, at: index)
            default:
                let end = min(bytes.count, index + Int.random(in: 1...40, using: &generator))
                bytes.insert(contentsOf: bytes[index..<end], at: Int.random(in: 0..<bytes.count, using: &generator))
            }
        }
        return bytes
    }

    @Test("Random markup is read, and is the same when written and read again", arguments: 0..<8)
    func random(batch: UInt64) {
        let tags = """
            <b> </b> <i> </i> <p> </p> <div> </div> <ul> <ol> <li> </li> </ul> <table> <tr> <td> </td> </table> <pre> \
            </pre> <br> <a~href=x> </a> <span~style='white-space:pre;display:block'> </span> <h1> </h1> &amp; a b <hr> \
            <p~hidden> <p~style='margin:5pt~1em~2mm;tab-stops:dotted~3in;text-indent:-4pt;line-height:120%'> <sup> </sup> \
            <span~style='mso-tab-count:1~dotted'>. <sub> <div~style='margin-left:7pt;line-height:8pt'> \
            <textarea> </textarea> <select> <option> <script> </script> <!-- --> é
            """.split(separator: " ").map { $0.replacing("~", with: " ") }
        let words = #"""
            { } \b \i0 \par \cell \row \u233? \u-10179 {\*\x {\fonttbl \f1 {\colortbl \red9 ; {\field
            {\*\fldinst HYPERLINK \ {\fldrslt \'e9
            \uc0 \uc5 \bin2 \v \v0 {\listtext \ls1 \pard \plain {\pict a b \~ \line {\upr {\*\ud \page
            \li99 \fi-77 \ri5 \tx900 \tqr \tldot \tx-50 \sl300 \sl-90 \slmult1 \sb5 \sa900 \saauto1 \slleading7
            \super \sub \nosupersub \up \dn9 {\*\updnprop5000} \slmaximum500
            """#.split(whereSeparator: \.isWhitespace).map(String.init)
        for seed in batch * 100..<batch * 100 + 100 {
            var generator = SeededGenerator(seed: seed)
            let html = (0..<60).map { _ in tags.randomElement(using: &generator) ?? "" }.joined()
            #expect(Self.readsHTML(Array(html.utf8)), "seed \(seed): \(html)")
            let styledHTML = RichText.styledText(fromHTML: Array(html.utf8))
            #expect(RichText.styledText(fromHTML: styledHTML.html) == styledHTML, "seed \(seed): \(html)")
            let rtf = #"{\rtf1 "# + (0..<60).map { _ in words.randomElement(using: &generator) ?? "" }.joined()
            #expect(Self.readsRTF(Array(rtf.utf8)), "seed \(seed): \(rtf)")
            let styledRTF = RichText.styledText(fromRTF: Array(rtf.utf8)) ?? StyledText()
            #expect(RichText.styledText(fromRTF: styledRTF.rtf) == styledRTF, "seed \(seed): \(rtf)")
        }
    }

    @Test(
        "A million nested elements are read",
        arguments: [
            ("<div>", 1_000_000), ("<b>", 1_000_000), ("<ul><li>", 100_000), ("<td>", 100_000), ("<p><i>", 100_000),
        ])
    func deepHTML(tag: String, count: Int) {
        let bytes = Array((String(repeating: tag, count: count) + "a").utf8)
        #expect(RichText.plainText(fromHTML: bytes).last == UInt8(ascii: "a"))
        #expect(RichText.styledText(fromHTML: bytes).paragraphs.last?.text.last == "a")
    }

    @Test("Megabytes of text without a tag are read completely")
    func text() {
        let words = Array(String(repeating: "three words, ", count: 300_000).utf8)
        #expect(RichText.plainText(fromHTML: words).count == words.count - 1)
        #expect(RichText.plainText(fromRTF: Array(#"{\rtf1 "#.utf8) + words)?.count == words.count)
    }

    @Test("A long link and a long font family are repeated for a bounded number of runs")
    func longNames() throws {
        let name = String(repeating: "n", count: 9_000)
        let html = "<a href='\(name)' style='font-family: \(name)'>" + String(repeating: "<b>a</b>a", count: 2_000)
        let rtf = #"{\rtf1{\fonttbl{\f0 "# + name + ";}}" + String(repeating: #"\f0 a{\b a}"#, count: 2_000) + "}"
        let texts = [
            RichText.styledText(fromHTML: Array(html.utf8)),
            try #require(RichText.styledText(fromRTF: Array(rtf.utf8))),
        ]
        for text in texts {
            let runs = text.paragraphs.flatMap(\.runs)
            #expect(runs.count == 4_000 && runs[0].style.fontFamily == name)
            #expect(text.html.count < 20_000_000)
        }
        let short = "<a href='\(name.prefix(200))'>" + String(repeating: "<b>a</b>a", count: 100_000)
        let styled = RichText.styledText(fromHTML: Array(short.utf8))
        #expect(styled.paragraphs.last?.runs.last?.style.link?.count == 200)
    }

    @Test("Elements without markup inside are read even beyond the maximum nesting")
    func verbatimBeyondDepth() {
        let deep = String(repeating: "<div>", count: 300)
        let rest = String(repeating: "</div>", count: 300)
        for (source, text) in [
            (deep + "<textarea>a</textarea>b", "ab"), (deep + "<plaintext>a", "a"),
            (deep + "<xmp>a</xmp>" + rest + "b", "a\nb"),
        ] {
            #expect(String(decoding: RichText.plainText(fromHTML: Array(source.utf8)), as: UTF8.self) == text)
        }
    }

    @Test("Elements beyond the maximum nesting end like other elements")
    func beyondDepth() {
        let html = String(repeating: "<div>", count: 2_000) + "a" + String(repeating: "</div>", count: 2_000) + "b"
        #expect(RichText.plainText(fromHTML: Array(html.utf8)) == Array("a\nb".utf8))
    }

    @Test("A million nested groups are read, and so is the text after them")
    func deepRTF() {
        let rtf = #"{\rtf1 a"# + String(repeating: "{", count: 1_000_000) + "b"
        #expect(RichText.plainText(fromRTF: Array(rtf.utf8)) == Array("a".utf8))
        let closed = rtf + String(repeating: "}", count: 1_000_000) + "c}"
        #expect(RichText.plainText(fromRTF: Array(closed.utf8)) == Array("ac".utf8))
        #expect(RichText.styledText(fromRTF: Array(closed.utf8))?.paragraphs.map(\.text) == ["ac"])
    }

    @Test(
        "HTML that is never closed is read",
        arguments: ["<", "&", "<!--", "<a b=\"", "<script>", "</", "&a", "<!", "<p hidden>", "</b>", "<li>", "&#"])
    func endlessHTML(unit: String) {
        let count = 200_000 / unit.utf8.count
        #expect(Self.readsHTML(Array(String(repeating: unit, count: count).utf8)))
    }

    @Test(
        "RTF of nothing but control words is read",
        arguments: ["\\b", "\\'", "\\u9", "\\cell", "{}", "\\par", "\\bin1", "{\\*\\a", "\\row", "\\f1", "\\tx1"])
    func endlessRTF(unit: String) {
        let count = 200_000 / unit.utf8.count
        #expect(Self.readsRTF(Array((#"{\rtf1 "# + String(repeating: unit, count: count)).utf8)))
    }

    @Test("A page of a megabyte is read completely")
    func large() {
        let count = 20_000
        let html = String(repeating: "<p>One <b>two</b> &eacute; <a href='x'>three</a>.</p>\n", count: count)
        let text = RichText.plainText(fromHTML: Array(html.utf8))
        #expect(text.count == count * "One two é three.\n\n".utf8.count - 2)
        #expect(RichText.styledText(fromHTML: Array(html.utf8)).paragraphs.count == count)
        let rtf = #"{\rtf1 "# + String(repeating: #"One {\b two} \'e9 three.\par "#, count: count) + "}"
        #expect(RichText.plainText(fromRTF: Array(rtf.utf8))?.count == count * "One two é three.\n".utf8.count - 1)
    }
}
