import FoundationEssentials
import RichText
import TestSupport
import Testing

/// Tests of text that LibreOffice reads from our RTF and HTML, and writes as RTF.
@Suite(.timeLimit(.minutes(2))) struct OfficeTests {
    private static let program = "/usr/bin/soffice"
    private static let isInstalled = FileManager.default.isExecutableFile(atPath: program)

    @Test(
        "LibreOffice reads the scripts, indents, tab stops and spacing that it supports from our RTF and HTML",
        .enabled(if: isInstalled, "LibreOffice is not installed"))
    func attributes() async throws {
        let text = Self.text
        let read = try await convert(["text.rtf": text.rtf, "page.html": text.html])
        let rtf = try #require(read["text"])
        try #require(rtf.paragraphs.count == text.paragraphs.count)
        #expect(rtf.paragraphs.map(\.text) == text.paragraphs.map(\.text))
        #expect(rtf.paragraphs.map(\.style.layout) == text.paragraphs.map(\.style.layout))
        #expect(Self.scripts(rtf) == Self.scripts(text))
        // LibreOffice keeps the distance as a percentage of the font size.
        let raised = rtf.paragraphs[0].runs.map(\.style.baselineOffset)
        let distances = zip(raised, text.paragraphs[0].runs.map(\.style.baselineOffset)).map { ($0 - $1).magnitude }
        #expect(raised.count == text.paragraphs[0].runs.count && distances.allSatisfy { $0 <= 0.5 })

        let html = try #require(read["page"])
        try #require(html.paragraphs.count == text.paragraphs.count)
        #expect(Self.scripts(html).prefix(4) == Self.scripts(text).prefix(4))
        let layouts = html.paragraphs.map(\.style.layout)
        #expect(layouts[1] == text.paragraphs[1].style.layout)
        // Tab stops, exact heights, and the distance of raised text are not read from HTML.
        #expect(layouts[2].tabStops.isEmpty)
        #expect(layouts[3].lineHeightMultiple == 1.5)
        #expect(layouts[4].minimumLineHeight == 20 && layouts[4].maximumLineHeight == 0)
        #expect(layouts[5].minimumLineHeight == 20)
        #expect(layouts[6].paragraphSpacingBefore == 12 && layouts[6].paragraphSpacing == 8)
    }

    @Test(
        "LibreOffice reads pictures and kerning from our RTF, and we read those that it writes",
        .enabled(if: isInstalled, "LibreOffice is not installed"))
    func pictures() async throws {
        // A file of two pixels.
        let file = try #require(
            Data(
                base64Encoded:
                    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR4nGP4zwAE/wEHAAH/4iOeWQAAAABJRU5ErkJggg=="))
        var pictured = TextStyle()
        pictured.picture = TextPicture([UInt8](file), width: 48, height: 24)
        var spaced = TextStyle()
        spaced.kern = 1.5
        let text = StyledText([
            StyledText.Paragraph([.init("a "), .init("\u{FFFC}", pictured), .init(" b "), .init("wide", spaced)])
        ])
        let read = try await convert(["text.rtf": text.rtf, "page.html": text.html])
        for name in ["text", "page"] {
            let runs = try #require(read[name]?.paragraphs.first?.runs)
            #expect(runs.map(\.text) == ["a ", "\u{FFFC}", " b ", "wide"], "\(name)")
            let picture = try #require(runs.first { $0.style.picture != nil }?.style.picture, "\(name)")
            #expect(picture.format == .png)
            let size = try #require(picture.size)
            #expect((size.width - 48).magnitude < 1 && (size.height - 24).magnitude < 1, "\(name) \(size)")
            #expect(runs.last?.style.kern == 1.5, "\(name)")
        }
    }

    private static func scripts(_ text: StyledText) -> [TextStyle.Script?] {
        text.paragraphs[0].runs.map(\.style.script)
    }

    private static let text: StyledText = {
        let runs: [(String, TextStyle.Script?, Double)] = [
            ("x", nil, 0), ("2", .superscript, 0), ("y", nil, 0), ("3", .subscript, 0), ("z", nil, 0), ("r", nil, 3),
            ("l", nil, -2),
        ]
        let first = StyledText.Paragraph(
            runs.map { text, script, offset in
                var style = TextStyle()
                style.script = script
                style.baselineOffset = offset
                return StyledText.Run(text, style)
            })
        return StyledText([
            first,
            paragraph("indented") {
                $0.layout.headIndent = 36
                $0.layout.firstLineHeadIndent = 18
                $0.layout.tailIndent = -18
            },
            paragraph("a\tb\tc\t1.5") {
                $0.layout.tabStops = [
                    TabStop(location: 36), TabStop(location: 72, alignment: .center),
                    TabStop(location: 144, alignment: .right, leader: .dots),
                    TabStop(location: 216, alignment: .decimal, leader: .line),
                ]
            },
            paragraph("multiple") { $0.layout.lineHeightMultiple = 1.5 },
            paragraph("exact") {
                $0.layout.minimumLineHeight = 20
                $0.layout.maximumLineHeight = 20
            },
            paragraph("at least") { $0.layout.minimumLineHeight = 20 },
            paragraph("spaced") {
                $0.isSpaced = true
                $0.layout.paragraphSpacingBefore = 12
                $0.layout.paragraphSpacing = 8
            },
        ])
    }()

    private static func paragraph(_ text: String, _ change: (inout ParagraphStyle) -> Void) -> StyledText.Paragraph {
        var style = ParagraphStyle()
        change(&style)
        return StyledText.Paragraph([StyledText.Run(text)], style)
    }

    /// Returns the text of each file, by name without extension, after LibreOffice has converted the file to RTF.
    private func convert(_ files: [String: [UInt8]]) async throws -> [String: StyledText] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "xpb-office-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, bytes) in files { try Data(bytes).write(to: folder.appending(path: name)) }
        var environment = Binaries.baseEnvironment
        environment["HOME"] = folder.path
        let options = ["-env:UserInstallation=file://\(folder.path)/profile", "--headless", "--writer"]
        let outcome = try await run(
            [Self.program] + options + ["--convert-to", "rtf", "--outdir", "\(folder.path)/out"] + files.keys,
            environment: environment, in: folder.path)
        try #require(outcome.status == 0, "\(outcome)")
        var texts: [String: StyledText] = [:]
        for name in files.keys {
            let stem = name.prefix { $0 != "." }
            let bytes = try Data(contentsOf: folder.appending(path: "out/\(stem).rtf"))
            texts[String(stem)] = RichText.styledText(fromRTF: Array(bytes))
        }
        return texts
    }
}
