import Formats

/// The first byte chooses the encoding of the rest.
func checkTextEncoding(_ bytes: [UInt8]) throws(BrokenInvariant) {
    guard let choice = bytes.first else { return }
    let encodings: [TextEncoding] = [
        .utf8, .ascii, .latin1, .windows1252, .utf16(nil), .utf16(.little), .utf16(.big), .utf32(nil), .utf32(.little),
        .utf32(.big),
    ]
    let encoding = encodings[Int(choice) % encodings.count]
    let bytes = Array(bytes.dropFirst())
    do {
        let text = try encoding.utf8(from: bytes)
        try expect(String(validating: text, as: UTF8.self) != nil, "a text is UTF-8")
        try expect(text.count <= 3 * bytes.count, "no unit becomes more than three bytes")
        if encoding == .utf8 || encoding == .ascii { try expect(text == bytes, "UTF-8 is unchanged") }
        if encoding == .latin1 { try expect(UTF8Text.latin1(from: text) == bytes, "Latin-1 comes back") }
    } catch let error as InvalidTextError {
        try expect(error.offset < bytes.count, "what is invalid is in the bytes")
        try expect(encoding != .latin1 && encoding != .windows1252, "any bytes are a text of single bytes")
    } catch let error as BrokenInvariant {
        throw error
    } catch {
        throw BrokenInvariant(description: "another error: \(error)")
    }
    try checkUnits(bytes)
    try checkBytes(bytes)
}

/// UTF-8 and UTF-16 are what the standard library says.
private func checkUnits(_ bytes: [UInt8]) throws(BrokenInvariant) {
    let text = String(validating: bytes, as: UTF8.self)
    try expect(UTF8Text.isValid(bytes) == (text != nil), "UTF-8 is what the standard library says")
    let latin = text.flatMap { text in
        text.unicodeScalars.allSatisfy { $0.value < 256 } ? text.unicodeScalars.map { UInt8($0.value) } : nil
    }
    try expect(UTF8Text.latin1(from: bytes) == latin, "Latin-1 is what the standard library says")
    guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]) else { return }
    let units = stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
    let wide = bytes.count.isMultiple(of: 2) ? String(validating: units, as: UTF16.self) : nil
    try expect(
        (try? TextEncoding.utf16(.little).utf8(from: bytes)) == wide.map { Array($0.utf8) },
        "UTF-16 is what the standard library says")
}

private func checkBytes(_ bytes: [UInt8]) throws(BrokenInvariant) {
    let pairs = zip(bytes, bytes.dropFirst()).count { $0 == 0x0D && $1 == 0x0A }
    let lines = UTF8Text.normalizedNewlines(bytes)
    try expect(lines.count == bytes.count - pairs, "each CRLF loses a byte and nothing else does")
    try expect(lines.filter { $0 != 0x0D } == bytes.filter { $0 != 0x0D }, "only CR is lost")
    let text = UTF8Text.withoutTerminator(bytes)
    try expect(text == bytes || text + [0] == bytes, "one NUL is lost at most")
    if let encoding = TextEncoding.detected(in: bytes) {
        try expect(
            encoding == .utf8 || bytes.count.isMultiple(of: 2) || bytes.starts(with: [0xFF, 0xFE])
                || bytes.starts(with: [0xFE, 0xFF]), "UTF-16 without a mark has whole units")
    }
}
