import Formats
import LinuxSystem
import UniformTypes

/// The conversion of text to UTF-8, and to LF if the owner is known to send CRLF.
package enum TextDecoding {
    /// Returns the text in UTF-8. Usually the result is the same file, because nothing has to be changed.
    ///
    /// - Throws: ``ConversionFailure/impossible(_:)`` if the encoding is unknown, or if the bytes are invalid in it.
    package static func utf8(_ text: EncodedBytes) throws(ConversionFailure) -> EncodedBytes {
        // The type of the property takes precedence over the target: TEXT may have any encoding.
        if text.isCompoundText { return try longCompoundText(text) }
        if isLatin(text.propertyType) { return try guessed(text) }
        if text.propertyType == "UTF8_STRING" || text.target == "UTF8_STRING" {
            return try withoutTerminator(text)
        }
        if isLatin(text.target) { return try guessed(text) }
        let charset = text.target.flatMap { UniformType.charset(ofMIMEType: $0) }
        switch charset {
        // GTK 3 sends this target with CRLF, and UTF8_STRING with LF. A client's text is left as it was written.
        case "utf-8", "utf8":
            return text.isForeign ? try changed(text) { UTF8Text.normalizedNewlines($0) } : text
        case nil: return try guessed(text)
        case let name?: return try decoded(text, from: name)
        }
    }

    /// Decodes compound text that is too long for the X thread, whose converter knows all of the encoding. Such text
    /// comes in two forms: Latin-1 without an escape sequence, and one segment of UTF-8, ESC % G to ESC % @.
    private static func longCompoundText(_ text: EncodedBytes) throws(ConversionFailure) -> EncodedBytes {
        let bytes = try text.bytes()
        let (opening, closing): ([UInt8], [UInt8]) = ([0x1B, 0x25, 0x47], [0x1B, 0x25, 0x40])
        var content = bytes[...]
        if content.starts(with: opening), content.suffix(3).elementsEqual(closing) {
            content = content.dropFirst(3).dropLast(3)
        }
        guard !content.contains(0x1B) else { throw .impossible("the compound text is too long to be decoded") }
        return content.count == bytes.count ? try guessed(text) : try EncodedBytes.of(Array(content))
    }

    private static func isLatin(_ name: String?) -> Bool { name == "STRING" || name == "C_STRING" }

    /// Removes the NUL of a C string, which some owners send. Only text that ends with NUL is read.
    private static func withoutTerminator(_ text: EncodedBytes) throws(ConversionFailure) -> EncodedBytes {
        let end = text.range.upperBound
        guard text.isForeign, text.range.count > 1,
            try EncodedBytes(text.held, end - 1..<end).bytes() == [0]
        else {
            return text
        }
        return try changed(text) { UTF8Text.withoutTerminator($0) }
    }

    private static func changed(
        _ text: EncodedBytes, _ change: ([UInt8]) -> [UInt8]
    ) throws(ConversionFailure) -> EncodedBytes {
        let bytes = try text.bytes()
        let result = UTF8Text.withoutTerminator(change(bytes))
        return result.count == bytes.count ? text : try EncodedBytes.of(result)
    }

    /// Decodes text whose encoding is not declared, or is often declared wrongly: STRING is Latin-1 (ICCCM 2.7.1), but
    /// GLFW and Chromium send UTF-8. Text that looks like UTF-16 is decoded as UTF-16, and valid UTF-8 stays as it is.
    /// In all other text, bytes that are not UTF-8 are decoded as Latin-1: a diff may have lines of several files.
    private static func guessed(_ text: EncodedBytes) throws(ConversionFailure) -> EncodedBytes {
        let bytes = try text.bytes()
        if let encoding = TextEncoding.detected(in: bytes), encoding != .utf8 {
            return try utf8(bytes, in: encoding)
        }
        if UTF8Text.isValid(bytes) { return try withoutTerminator(text) }
        return try EncodedBytes.of(UTF8Text.withoutTerminator(UTF8Text.mixed(bytes)))
    }

    private static func decoded(_ text: EncodedBytes, from charset: String) throws(ConversionFailure) -> EncodedBytes {
        let bytes = try text.bytes()
        if let encoding = TextEncoding(charset: charset) {
            // Much UTF-8 is declared as Latin-1.
            return encoding == .latin1 ? try guessed(text) : try utf8(bytes, in: encoding)
        }
        let decoded: [UInt8]
        do {
            decoded = try CharacterSet.utf8(from: bytes, charset: charset)
        } catch {
            throw .impossible("the text could not be decoded: \(error)")
        }
        return try EncodedBytes.of(decoded)
    }

    private static func utf8(_ bytes: [UInt8], in encoding: TextEncoding) throws(ConversionFailure) -> EncodedBytes {
        let text: [UInt8]
        do {
            text = try encoding.utf8(from: bytes)
        } catch {
            throw .impossible("the text is damaged at byte \(error.offset)")
        }
        return try EncodedBytes.of(UTF8Text.withoutTerminator(text))
    }
}
