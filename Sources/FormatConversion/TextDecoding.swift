import Formats
import LinuxSystem
import UniformTypes

/// Brings a text to UTF-8, with LF where its owner is known to send CRLF.
package enum TextDecoding {
    /// The text in UTF-8: the same file where nothing is to be changed, which is the rule.
    ///
    /// - Throws: ``ConversionFailure/impossible(_:)`` where the encoding is not known, or the bytes are none of it.
    package static func utf8(_ material: EncodedBytes) throws(ConversionFailure) -> EncodedBytes {
        // What the property says is stronger than what was asked for: TEXT may be anything.
        if material.isCompoundText { return try longCompoundText(material) }
        if isLatin(material.propertyType) { return try guessed(material) }
        if material.propertyType == "UTF8_STRING" || material.target == "UTF8_STRING" {
            return try withoutTerminator(material)
        }
        if isLatin(material.target) { return try guessed(material) }
        let charset = material.target.flatMap { UniformType.charset(ofMIMEType: $0) }
        switch charset {
        // GTK 3 sends this one with CRLF, and UTF8_STRING with LF. What a client of ours wrote is as it was meant.
        case "utf-8", "utf8":
            return material.isForeign ? try changed(material) { UTF8Text.normalizedNewlines($0) } : material
        case nil: return try guessed(material)
        case let name?: return try decoded(material, from: name)
        }
    }

    /// Compound text that is too long for the display thread, whose converter knows all of it: the two forms that such
    /// texts have are Latin-1, without a sequence, and one segment of UTF-8, ESC % G to ESC % @.
    private static func longCompoundText(_ material: EncodedBytes) throws(ConversionFailure) -> EncodedBytes {
        let bytes = try material.bytes()
        let (opening, closing): ([UInt8], [UInt8]) = ([0x1B, 0x25, 0x47], [0x1B, 0x25, 0x40])
        var text = bytes[...]
        if text.starts(with: opening), text.suffix(3).elementsEqual(closing) { text = text.dropFirst(3).dropLast(3) }
        guard !text.contains(0x1B) else { throw .impossible("the compound text is too long to be decoded") }
        return text.count == bytes.count ? try guessed(material) : try EncodedBytes.of(Array(text))
    }

    private static func isLatin(_ name: String?) -> Bool { name == "STRING" || name == "C_STRING" }

    /// Some owners send the NUL that ends a C string. A text is looked at only where it ends with one.
    private static func withoutTerminator(_ material: EncodedBytes) throws(ConversionFailure) -> EncodedBytes {
        let end = material.range.upperBound
        guard material.isForeign, material.range.count > 1,
            try EncodedBytes(material.held, end - 1..<end).bytes() == [0]
        else {
            return material
        }
        return try changed(material) { UTF8Text.withoutTerminator($0) }
    }

    private static func changed(
        _ material: EncodedBytes, _ change: ([UInt8]) -> [UInt8]
    ) throws(ConversionFailure) -> EncodedBytes {
        let bytes = try material.bytes()
        let result = UTF8Text.withoutTerminator(change(bytes))
        return result.count == bytes.count ? material : try EncodedBytes.of(result)
    }

    /// No encoding is told, or one that is often not kept to: STRING is Latin-1 by rule (ICCCM 2.7.1), and UTF-8 from
    /// GLFW and Chromium. What is valid UTF-8 is taken as that, then what looks like UTF-16, else it is Latin-1.
    private static func guessed(_ material: EncodedBytes) throws(ConversionFailure) -> EncodedBytes {
        let bytes = try material.bytes()
        if let encoding = TextEncoding.detected(in: bytes), encoding != .utf8 {
            return try utf8(bytes, in: encoding)
        }
        if UTF8Text.isValid(bytes) { return try withoutTerminator(material) }
        return try utf8(bytes, in: .latin1)
    }

    private static func decoded(_ material: EncodedBytes, from charset: String) throws(ConversionFailure)
        -> EncodedBytes
    {
        let bytes = try material.bytes()
        if let encoding = TextEncoding(charset: charset) {
            // Latin-1 is said of much that is UTF-8.
            return encoding == .latin1 ? try guessed(material) : try utf8(bytes, in: encoding)
        }
        let text: [UInt8]
        do {
            text = try CharacterSet.utf8(from: bytes, charset: charset)
        } catch {
            throw .impossible("the text is not decoded: \(error)")
        }
        return try EncodedBytes.of(text)
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
