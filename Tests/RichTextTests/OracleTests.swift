import FoundationEssentials
import RichText
import TestSupport
import Testing

/// Tests that compare the words of our text with the words that other readers find: justhtml, which implements the
/// parsing rules of the HTML standard, and striprtf. Inputs are the samples and cases of these tests, and the fuzzer's
/// corpus.
///
/// `Scripts/bootstrap --test` installs both packages into `.build/python`.
@Suite(.timeLimit(.minutes(2))) struct OracleTests {
    /// A known difference between the readers, and the inputs that have it.
    typealias Difference = (reason: String, inputs: [String])

    @Test("HTML gives the same words as in justhtml, except for known differences")
    func html() async throws {
        let inputs =
            HTMLCase.all.map { Input("html", name: $0.html, Array($0.html.utf8)) }
            + ClipboardSample.html.map { Input("html", name: $0.program, $0.bytes) } + (try Input.corpus("html"))
        try await compare(inputs, differences: Self.htmlDifferences) { input in
            // Styled text has no list markers, and justhtml displays none either.
            RichText.styledText(fromHTML: input.source).paragraphs.map(\.text).joined(separator: "\n")
        }
        for input in inputs {
            let plain = String(decoding: RichText.plainText(fromHTML: input.source), as: UTF8.self)
            let styled = RichText.styledText(fromHTML: input.source).plainText
            #expect(words(in: plain) == words(in: String(decoding: styled, as: UTF8.self)), "\(input.name)")
        }
    }

    @Test("RTF gives the same words as in striprtf, except for known differences")
    func rtf() async throws {
        let inputs =
            RTFCase.all.map { Input("rtf", name: $0.rtf, Array($0.rtf.utf8)) }
            + ClipboardSample.rtf.map { Input("rtf", name: $0.program, $0.bytes) } + (try Input.corpus("rtf"))
        try await compare(inputs, differences: Self.rtfDifferences) { input in
            String(decoding: RichText.plainText(fromRTF: input.source) ?? [], as: UTF8.self)
        }
    }

    private func compare(
        _ inputs: [Input], differences: [Difference], _ text: (Input) -> String
    ) async throws {
        let theirs = try await Input.oracleWords(of: inputs)
        try #require(theirs.count == inputs.count)
        let known = Set(differences.flatMap(\.inputs))
        #expect(known.isSubset(of: inputs.map(\.name)))
        for (input, words) in zip(inputs, theirs) {
            let ours = self.words(in: text(input))
            if known.contains(input.name) {
                #expect(ours != words, "\(input.name) is listed as a difference, but the words are equal")
            } else {
                #expect(ours == words, "\(input.name)")
            }
        }
    }

    private func words(in text: String) -> [String] {
        text.unicodeScalars.split { $0.properties.isWhitespace }.map { String($0) }
    }

    // MARK: Differences

    private static let htmlDifferences: [Difference] = [
        (
            "CSS `display` determines where our lines begin; justhtml does not evaluate it.",
            ["<span style='display:block'>a</span><span>b</span>", "a<div style='display: inline-block'>b</div>"]
        ),
        (
            "justhtml ends a comment at the `>` of `<!--!>`; the standard does not (13.2.5.43, comment start state).",
            ["a<!--!>b-->c"]
        ),
        (
            "oracles.py takes `visibility: inherit` for hidden, but the value is the parent's.",
            ["<div style='visibility:inherit'>a</div>"]
        ),
        (
            "The standard ignores rows and cells outside of a table; we keep them, for fragments of tables.",
            ["<td>a</td><td>b</td>", "<tr><td>a</td></tr><tr><td>b</td></tr>"]
        ),
        (
            "We separate options, `xmp` and `plaintext` from the text around them, as browsers display them.",
            [
                "<select><option>a<option>b</select>c", "<xmp><b>&amp;</xmp>a",
                "a<plaintext><b></plaintext>",
            ]
        ),
        ("justhtml displays the leaders of Word's tabs.", ["Corpus/html/word-layout"]),
    ]

    private static let rtfDifferences: [Difference] = [
        (
            "striprtf knows only the code page of `\\ansicpg`, and does not know the number of Mac Roman.",
            [#"\mac \'8e"#, #"\pc \'82"#, #"\pca \'b5"#, #"\ansicpg10000 \'8e"#].map(RTFCase.ansi)
        ),
        (
            "striprtf does not apply `\\deff`, `\\plain`, `\\cpg` or a font without a charset to the encoding.",
            [
                #"\ansicpg1251{\fonttbl{\f0 A;}{\f1\fcharset238 B;}{\f2\fcharset161 C;}}\'cf\f1\'b3\f2\'e1\f0\'f0"#,
                #"{\fonttbl{\f0\fcharset2 Symbol;}{\f1\fcharset77 M;}{\f2\cpg1250 N;}}\f0\'b7 a\f1\'8e\f2\'b3"#,
                #"\deff1{\fonttbl{\f0 A;}{\f1\fcharset204 B;}}\'cf{\f0\'cf}\plain\'cf"#,
            ].map(RTFCase.ansi)
        ),
        (
            "striprtf does not convert the bullets of Symbol and Wingdings.",
            [RTFCase.document(#"\u-3913?"#), "Word"]
        ),
        (
            "We do not decode charsets with two bytes per character; programs also write such text in Unicode.",
            ["Corpus/rtf/code-pages"]
        ),
        (
            "striprtf displays hidden and deleted text.",
            [RTFCase.document(#"{\v b\par}a\v c\v0 d"#), RTFCase.document(#"{\deleted b}a"#)]
                + ["Corpus/rtf/hidden-and-notes"]
        ),
        (
            "striprtf skips the text of embedded objects, Unicode alternatives and the numbers of old lists.",
            [
                #"{\object{\*\objdata 0102}{\result{\pict 00}b}}a"#, #"{\upr{b}{\*\ud{\u233?}}}a"#,
                #"{\pntext\f1\'B7\tab}{\*\pn\pnlvlblt{\pntxtb\'B7}}a"#,
            ].map(RTFCase.document)
        ),
        (
            "striprtf does not know `\\zwj`.",
            [RTFCase.document(#"\emspace\zwj"#)]
        ),
        (
            "We leave out NULs, and a backslash at the end of the source.",
            [RTFCase.document(#"\u0?a"#), "{\\rtf1 a\0b}", #"{\rtf1 a\"#]
        ),
    ]
}

/// A source that both readers read.
private struct Input: Encodable {
    let format: String
    let name: String
    let source: [UInt8]

    init(_ format: String, name: String, _ source: [UInt8]) {
        self.format = format
        self.name = name
        self.source = source
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(format, forKey: .format)
        try container.encode(Data(source).base64EncodedString(), forKey: .source)
    }

    private enum Key: String, CodingKey {
        case format
        case source
    }

    /// Returns the files of a folder of the fuzzer's corpus.
    static func corpus(_ format: String) throws -> [Input] {
        let folder = "\(Binaries.package)/Tests/Fuzz/Corpus/\(format)"
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { name in
            Input(
                format, name: "Corpus/\(format)/\(name)",
                Array(try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))))
        }
    }

    /// Returns the words that the other readers find in each input.
    static func oracleWords(of inputs: [Input]) async throws -> [[String]] {
        var environment = Binaries.baseEnvironment
        environment["PYTHONPATH"] = "\(Binaries.package)/.build/python"
        let outcome = try await run(
            ["/usr/bin/python3", "\(Binaries.package)/Tests/RichTextTests/oracles.py"], environment: environment,
            input: Array(try JSONEncoder().encode(inputs)))
        try #require(outcome.status == 0, "\(outcome)")
        return try JSONDecoder().decode([[String]].self, from: Data(outcome.output))
    }
}
