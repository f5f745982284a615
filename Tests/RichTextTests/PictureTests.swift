import RichText
import Testing

@Suite("Pictures in text") struct PictureTests {
    /// The beginning of a PNG file of 32 by 16 pixels.
    static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        + [0, 0, 0, 32, 0, 0, 0, 16, 8, 2, 0, 0, 0, 1, 2, 3, 4]
    static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 16]

    static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private static let hex = hexadecimal(png)
    private static let base64 = "iVBORw0KGgoAAAANSUhEUgAAACAAAAAQCAIAAAABAgME"

    private func runs(rtf: String) throws -> [StyledText.Run] {
        let text = try #require(RichText.styledText(fromRTF: Array("{\\rtf1 \(rtf)}".utf8)))
        return text.paragraphs.flatMap(\.runs)
    }

    private func runs(html: String) -> [StyledText.Run] {
        RichText.styledText(fromHTML: Array(html.utf8)).paragraphs.flatMap(\.runs)
    }

    @Test(
        "A picture in RTF is a character with its bytes and size",
        arguments: [
            ("{\\pict\\pngblip\\picwgoal480\\pichgoal240 \(hex)}", 24, 12),
            ("{\\pict\\picscalex200\\picscaley50\\picwgoal480\\pichgoal240\\pngblip\n\(hex.uppercased())\n}", 48, 6),
            ("{\\*\\shppict{\\pict\\pngblip \(hex)}}{\\nonshppict{\\pict\\wmetafile8 0102}}", nil, nil),
            ("{\\pict{\\*\\picprop{\\sp{\\sn a}{\\sv b}}}\\pngblip\\bliptag1{\\*\\blipuid 00ff}\(hex)}", nil, nil),
            ("{\\pict\\pngblip\\picwgoal-5\\pichgoal99999999 \(hex)}", nil, nil),
        ] as [(String, Double?, Double?)])
    func readsRTF(group: String, width: Double?, height: Double?) throws {
        let runs = try runs(rtf: "a \(group) b")
        #expect(runs.map(\.text) == ["a ", "\u{FFFC}", " b"])
        let picture = try #require(runs[1].style.picture)
        #expect(picture.bytes == Self.png && picture.format == .png)
        #expect(picture.width == width && picture.height == height)
    }

    @Test(
        "A picture that cannot be read leaves no trace",
        arguments: [
            "{\\pict\\wmetafile8 \(hex)}", "{\\pict \(hex)}", "{\\pict\\pngblip 0102}", "{\\pict\\pngblip}",
            "{\\v{\\pict\\pngblip \(hex)}}", "{\\header{\\pict\\pngblip \(hex)}}",
            "{\\*\\unknown{\\pict\\pngblip \(hex)}}",
        ])
    func unreadable(group: String) throws {
        #expect(try runs(rtf: "a\(group)b").map(\.text).joined() == "ab")
    }

    @Test(
        "A picture in HTML is a character with its bytes and size",
        arguments: [
            ("src='data:image/png;base64,\(base64)'", nil, nil),
            ("width=\"32\" src=\"data:image/png;base64,\(base64)\" height=\"8\"", 24, 6),
            ("SRC=\" DATA:image/png;BASE64,\n\(base64)\" style=\"width: 10pt; height: auto\" width=99", 10, nil),
            ("src='data:image/png;base64,\(base64)' width=100% height=-3", nil, nil),
        ] as [(String, Double?, Double?)])
    func readsHTML(attributes: String, width: Double?, height: Double?) throws {
        let runs = runs(html: "<p>a <img \(attributes)> b")
        #expect(runs.map(\.text) == ["a ", "\u{FFFC}", " b"])
        let picture = try #require(runs[1].style.picture)
        #expect(picture.bytes == Self.png && picture.width == width && picture.height == height)
    }

    @Test(
        "An image without the bytes of a picture leaves no trace",
        arguments: [
            "<img src='https://example.org/a.png'>", "<img>", "<img src='data:image/png,%89PNG'>",
            "<img src='data:image/png;base64,AAAA'>", "<img src='data:image/png;base64,????'>",
            "<img src='data:text/html;base64,\(base64)'>", "<img src='data:image/png;base64,'>",
            "<span style='display: none'><img src='data:image/png;base64,\(base64)'></span>",
        ])
    func unreadable(image: String) {
        #expect(runs(html: "<p>a \(image) b").map(\.text).joined() == "a b")
    }

    @Test("Pictures are written to RTF and HTML, and read again, with the styles around them")
    func written() throws {
        var style = TextStyle()
        style.link = "https://example.org/"
        style.isBold = true
        style.picture = TextPicture(Self.png, width: 24, height: 12)
        var other = TextStyle()
        other.picture = TextPicture(Self.jpeg)
        let text = StyledText([
            StyledText.Paragraph([
                .init("before "), .init("\u{FFFC}\u{FFFC}", style), .init("\u{FFFC}", other), .init(" after"),
            ])
        ])
        let html = String(decoding: text.html, as: UTF8.self)
        let image = "<img src=\"data:image/png;base64,\(Self.base64)\" width=\"32\" height=\"16\">"
        #expect(html.contains(image + image))
        #expect(RichText.styledText(fromHTML: text.html) == text)
        let rtf = String(decoding: text.rtf, as: UTF8.self)
        #expect(rtf.contains("{\\pict\\pngblip\\picwgoal480\\pichgoal240\n\(Self.hex)}"))
        #expect(rtf.contains("{\\pict\\jpegblip\n\(Self.hexadecimal(Self.jpeg))}"))
        #expect(RichText.styledText(fromRTF: text.rtf) == text)
        #expect(String(decoding: text.plainText, as: UTF8.self) == "before  after")
        #expect(String(decoding: RichText.plainText(fromHTML: text.html), as: UTF8.self) == "before after")
        #expect(RichText.plainText(fromRTF: text.rtf).map { String(decoding: $0, as: UTF8.self) } == "before  after")
    }

    @Test("RTF has the size of the file if none is given, and one given length keeps the proportions")
    func size() {
        func group(_ width: Double?, _ height: Double?) -> String {
            var style = TextStyle()
            style.picture = TextPicture(Self.png, width: width, height: height)
            let text = StyledText([StyledText.Paragraph([.init("\u{FFFC}", style)])])
            return String(decoding: text.rtf, as: UTF8.self)
        }
        #expect(group(nil, nil).contains("\\picwgoal480\\pichgoal240\n"))
        #expect(group(48, nil).contains("\\picwgoal960\\pichgoal480\n"))
        #expect(group(nil, 6).contains("\\picwgoal240\\pichgoal120\n"))
        #expect(group(.nan, -1).contains("\\picwgoal480\\pichgoal240\n"))
    }
}
