import Formats
import RichText

// MARK: Text

/// Checks the decoding of text. The first byte selects the encoding of the other bytes.
func checkTextEncoding(_ bytes: [UInt8]) throws(BrokenInvariant) {
    guard let choice = bytes.first else { return }
    let encodings: [TextEncoding] = [
        .utf8, .ascii, .latin1, .windows1252, .utf16(nil), .utf16(.little), .utf16(.big), .utf32(nil), .utf32(.little),
        .utf32(.big),
    ]
    let encoding = encodings[Int(choice) % encodings.count]
    let bytes = Array(bytes.dropFirst())
    try checkDecoding(of: bytes, in: encoding)
    try checkAgainstStandardLibrary(bytes)
    try checkCleanup(of: bytes)
    if let detected = TextEncoding.detected(in: bytes) {
        try expect(
            detected == .utf8 || bytes.count.isMultiple(of: 2) || bytes.starts(with: [0xFF, 0xFE])
                || bytes.starts(with: [0xFE, 0xFF]), "UTF-16 without a byte order mark consists of whole units")
    }
}

private func checkDecoding(of bytes: [UInt8], in encoding: TextEncoding) throws(BrokenInvariant) {
    let text: [UInt8]
    do throws(InvalidTextError) {
        text = try encoding.utf8(from: bytes)
    } catch {
        try expect(error.offset < bytes.count, "the offset of an error is in the bytes")
        try expect(encoding != .latin1 && encoding != .windows1252, "any bytes are valid in a single-byte encoding")
        return
    }
    try expect(String(validating: text, as: UTF8.self) != nil, "decoded text is UTF-8")
    try expect(text.count <= 3 * bytes.count, "each unit is decoded to at most three bytes")
    if encoding == .utf8 || encoding == .ascii { try expect(text == bytes, "UTF-8 is unchanged") }
    if encoding == .latin1 { try expect(UTF8Text.latin1(from: text) == bytes, "Latin-1 is restored") }
}

private func checkAgainstStandardLibrary(_ bytes: [UInt8]) throws(BrokenInvariant) {
    let text = String(validating: bytes, as: UTF8.self)
    try expect(UTF8Text.isValid(bytes) == (text != nil), "UTF-8 is validated as by the standard library")
    let latin = text.flatMap { text in
        text.unicodeScalars.allSatisfy { $0.value < 256 } ? text.unicodeScalars.map { UInt8($0.value) } : nil
    }
    try expect(UTF8Text.latin1(from: bytes) == latin, "Latin-1 is encoded as by the standard library")
    guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]) else { return }
    let units = stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
    let wide = bytes.count.isMultiple(of: 2) ? String(validating: units, as: UTF16.self) : nil
    try expect(
        (try? TextEncoding.utf16(.little).utf8(from: bytes)) == wide.map { Array($0.utf8) },
        "UTF-16 is decoded as by the standard library")
}

private func checkCleanup(of bytes: [UInt8]) throws(BrokenInvariant) {
    let pairs = zip(bytes, bytes.dropFirst()).count { $0 == 0x0D && $1 == 0x0A }
    let lines = UTF8Text.normalizedNewlines(bytes)
    try expect(lines.count == bytes.count - pairs, "one byte is removed for each CRLF")
    try expect(lines.filter { $0 != 0x0D } == bytes.filter { $0 != 0x0D }, "only CR is removed")
    let text = UTF8Text.withoutTerminator(bytes)
    try expect(text == bytes || text + [0] == bytes, "at most one NUL is removed")
}

// MARK: Rich text

func checkHTML(_ bytes: [UInt8]) throws(BrokenInvariant) {
    let text = RichText.plainText(fromHTML: bytes)
    try expect(String(validating: text, as: UTF8.self) != nil, "the text of HTML is UTF-8")
    try expect(text.count <= 64 * bytes.count + 64, "the length of the text of HTML is bounded")
    try checkLayout(of: RichText.styledText(fromHTML: bytes))
    let rest = HTMLEncoding.withoutMetaPrefix(bytes)
    try expect(bytes.suffix(rest.count) == rest, "only a prefix is removed")
    if let decoded = HTMLEncoding(detectedIn: bytes).decoded(bytes) {
        try expect(String(validating: decoded, as: UTF8.self) != nil, "decoded HTML is UTF-8")
        try expect(decoded.count <= 4 * bytes.count + 4, "the length of decoded HTML is bounded")
    }
}

func checkRTF(_ bytes: [UInt8]) throws(BrokenInvariant) {
    guard let text = RichText.plainText(fromRTF: bytes) else { return }
    try expect(String(validating: text, as: UTF8.self) != nil, "the text of RTF is UTF-8")
    try expect(text.count <= 8 * bytes.count + 64, "the length of the text of RTF is bounded")
    if let styled = RichText.styledText(fromRTF: bytes) { try checkLayout(of: styled) }
}

private func checkLayout(of text: StyledText) throws(BrokenInvariant) {
    for style in text.paragraphs.map(\.style) {
        let layout = style.layout
        let stops = layout.tabStops.map(\.location)
        try expect(stops.count <= TabStop.maxCount, "the number of tab stops is bounded")
        try expect(zip(stops, stops.dropFirst()).allSatisfy { $0 < $1 }, "tab stops are in order")
        let lengths =
            stops + [
                layout.firstLineHeadIndent, layout.headIndent, layout.tailIndent, layout.lineHeightMultiple,
                layout.minimumLineHeight, layout.maximumLineHeight, layout.lineSpacing,
                layout.paragraphSpacingBefore ?? 0, layout.paragraphSpacing ?? 0,
            ]
        try expect(lengths.allSatisfy { $0.magnitude <= 1584 }, "lengths are at most 22 inches")
        try expect(style.list == nil || stops.isEmpty && layout.headIndent == 0, "a list determines indents")
    }
    // Writing must not trap.
    _ = text.html
    _ = text.rtf
}

// MARK: Lists of URLs

func checkURIList(_ bytes: [UInt8]) throws(BrokenInvariant) {
    let list = URIList(bytes, host: "tuxedo")
    try checkURLs(list.urls, from: bytes)
    try expect(URIList(list.bytes) == list, "a list is restored from its bytes")
    // At most, each byte is escaped, and each path gets a scheme.
    try expect(list.bytes.count <= 3 * bytes.count + 9 * list.urls.count, "the length of a list is bounded")
    for file in FileURL.list(fileName: bytes, host: "tuxedo") {
        try expect(FileURL.list(fileName: file.path) == [file], "a file is restored from its path")
        try expect(FileURL(file.string.utf8) == file, "a file is restored from its URL")
    }
}

func checkCopiedFiles(_ bytes: [UInt8]) throws(BrokenInvariant) {
    if let files = CopiedFiles(bytes, host: "tuxedo") {
        try checkURLs(files.urls, from: bytes)
        try expect(CopiedFiles(files.bytes) == files, "copied files are restored from their bytes")
        let fromText = CopiedFiles(nautilusText: nautilusText(of: files))
        try expect(fromText == (files.urls.isEmpty ? nil : files), "copied files are restored from text")
    }
    if let files = CopiedFiles(nautilusText: bytes, host: "tuxedo") {
        try checkURLs(files.urls, from: bytes)
        try expect(!files.urls.isEmpty, "text without a file is only text")
        try expect(CopiedFiles(nautilusText: nautilusText(of: files)) == files, "files in text are restored from text")
    }
    let verb = CopiedFiles.Verb(kdeCutSelection: bytes)
    try expect(CopiedFiles.Verb(kdeCutSelection: verb.kdeCutSelection) == verb, "a verb is restored")
}

/// Returns the text that GNOME's file manager wrote for files.
private func nautilusText(of files: CopiedFiles) -> [UInt8] {
    Array("x-special/nautilus-clipboard\n".utf8) + files.bytes + [0x0A]
}

private func checkURLs(_ urls: [ListedURL], from bytes: [UInt8]) throws(BrokenInvariant) {
    try expect(urls.count <= bytes.count, "each URL takes at least one byte")
    for url in urls {
        try expect(ListedURL(url.string.utf8) == url, "a URL is restored from its string")
        try expect(url.string.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }, "a URL has no space or control character")
        guard case .file(let file) = url else { continue }
        try expect(file.path.first == UInt8(ascii: "/") && !file.path.contains(0), "a path is absolute and has no NUL")
        try expect(FileURL(path: file.path) == file, "a path is normalized")
    }
}

func checkMozURL(_ bytes: [UInt8]) throws(BrokenInvariant) {
    let links = MozURL.links(in: bytes)
    try expect(MozURL.links(in: MozURL.bytes(of: links)) == links, "links are restored from their bytes")
    // At most, each invalid byte becomes two units, and each link gets a line for its title.
    try expect(MozURL.bytes(of: links).count <= 4 * bytes.count + 4 * links.count, "the length of links is bounded")
    for link in links + [MozURL.link(inNetscape: bytes)].compactMap(\.self) {
        try expect(MozURL.link(inNetscape: MozURL.netscapeBytes(of: link)) == link, "a link is restored from its bytes")
        try expect(link.url.unicodeScalars.first?.isASCII == true, "a URL begins with an ASCII character")
        try expect(link.title != "", "an empty title is nil")
        try expect(!"\(link.url)\(link.title ?? "")".utf8.contains(0x0A), "URL and title are one line each")
        let data = link.url.utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        try expect(MozURL.url(in: data) == link.url, "a URL is restored from its bytes")
    }
    try expect(MozURL.url(in: bytes) == links.first?.url, "the URL is the first link's URL")
    if let title = MozURL.title(in: bytes) { try expect(!title.isEmpty, "an empty title is nil") }
}

// MARK: Colors and images

func checkColor(_ bytes: [UInt8]) throws(BrokenInvariant) {
    if let color = X11Color(bytes) {
        try expect(bytes.count == 6 || bytes.count == 8, "a color has three or four numbers")
        try expect(color.bytes.starts(with: bytes) && color.bytes.count == 8, "the bytes of a color are restored")
        try checkRoundTrip(of: color)
    }
    if let color = X11Color(css: String(decoding: bytes, as: UTF8.self)) { try checkRoundTrip(of: color) }
}

private func checkRoundTrip(of color: X11Color) throws(BrokenInvariant) {
    try expect(X11Color(color.bytes) == color, "a color is restored from its bytes")
    try expect(X11Color(css: color.css)?.components8 == color.components8, "a color is restored from CSS in 8 bits")
}

func checkImageSize(_ bytes: [UInt8]) throws(BrokenInvariant) {
    var reads: [Range<Int>] = []
    let partial = withoutActuallyEscaping({ (range: Range<Int>) -> [UInt8]? in
        reads.append(range)
        return range.lowerBound >= 0 && range.upperBound <= bytes.count ? Array(bytes[range]) : nil
    }) { ImageSize(length: bytes.count, reading: $0) }
    let whole = ImageSize(length: bytes.count) { Array(bytes[$0]) }
    try expect(whole == partial, "the size does not depend on how the file is read")
    for range in reads { try expect(range.lowerBound >= 0 && range.upperBound <= bytes.count, "reads are in the file") }
    guard let size = partial else { return }
    try expect(1...1 << 32 ~= size.width && 1...1 << 32 ~= size.height, "width and height are positive and bounded")
}
