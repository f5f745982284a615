import Formats

/// Conversion of the rich text formats that programs put on a pasteboard, HTML and RTF.
package enum RichText {
    /// Returns the text of HTML, similar to the text that a browser copies: UTF-8, with lines separated by LF. The text
    /// does not end with a newline unless the source ends with an empty line.
    ///
    /// The encoding is detected from the bytes. HTML that declares an encoding that this module cannot decode is read
    /// as UTF-8 if it is valid UTF-8 (the `meta` of a page often outlives its encoding), and otherwise as windows-1252.
    /// A caller that can decode more encodings examines ``HTMLEncoding`` first, and passes UTF-8 to this function.
    ///
    /// * Blocks are on separate lines; an empty line precedes and follows paragraphs and headings.
    /// * List items begin with `• ` or their number, and are indented by four spaces per level after the first. Cocoa
    ///   also keeps markers and indents. Firefox and Chromium leave them out, even numbers that the text may refer to.
    /// * Table rows are lines, with a tab between cells.
    /// * White space collapses as in CSS; no-break spaces become spaces. An element that Word writes for a tab becomes
    ///   a tab.
    /// * Invisible text is left out. Style sheets and `text-transform` are ignored.
    package static func plainText(fromHTML bytes: [UInt8]) -> [UInt8] {
        var reader = HTMLReader(decodedHTML(bytes), into: HTMLPlainTextOutput())
        reader.run()
        return reader.output.finished
    }

    /// Returns the text of RTF: UTF-8, with lines separated by LF.
    ///
    /// * Each paragraph is a line. The end of the last paragraph does not become a newline, except in the RTF of Cocoa,
    ///   which writes that end only if it was copied.
    /// * Numbers and bullets of list items are those that the RTF contains for readers that do not number items, with
    ///   the tabs around them.
    /// * Table rows are lines, with a tab between cells.
    /// * Headers, footers, footnotes, comments and hidden text are left out.
    ///
    /// - Returns: nil if the bytes are not RTF, which begins with `{\rtf`, after optional white space and an optional
    ///   byte order mark.
    package static func plainText(fromRTF bytes: [UInt8]) -> [UInt8]? {
        guard var reader = RTFReader(bytes, into: RTFPlainTextOutput()) else { return nil }
        reader.run()
        return reader.output.bytes
    }

    /// Returns HTML as styled text. The encoding is detected as in ``plainText(fromHTML:)``.
    package static func styledText(fromHTML bytes: [UInt8]) -> StyledText {
        var reader = HTMLReader(decodedHTML(bytes), into: StyledHTMLOutput())
        reader.run()
        return reader.output.finished
    }

    /// Returns RTF as styled text; nil if the bytes are not RTF.
    package static func styledText(fromRTF bytes: [UInt8]) -> StyledText? {
        guard var reader = RTFReader(bytes, into: StyledRTFOutput()) else { return nil }
        reader.run()
        return reader.output.finished(reader.tables)
    }

    private static func decodedHTML(_ bytes: [UInt8]) -> [UInt8] {
        if let decoded = HTMLEncoding(detectedIn: bytes).decoded(bytes) { return decoded }
        return UTF8Text.isValid(bytes) ? bytes : CodePage.windows1252.decoded(bytes[...])
    }
}
