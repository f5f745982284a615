/// Text with a look, as it lies on a pasteboard.
package enum RichText {
    /// The text of HTML, about as a browser copies it: UTF-8, lines ended by LF, none at the end but where the source
    /// has an empty line there.
    ///
    /// The encoding is decided from the bytes. HTML that names one which this module cannot decode is taken for UTF-8 if
    /// it is valid as that (a page's `meta` often outlives its encoding), else for windows-1252. Whoever can decode more
    /// looks at ``HTMLEncoding`` first and passes UTF-8 in.
    ///
    /// Blocks stand on lines of their own, paragraphs and headings behind an empty line. Items of lists begin with `• `
    /// or their number, four blanks deeper for each list around theirs: Cocoa keeps both, while Firefox and Chromium leave
    /// them out, and with them what the text may refer to. Cells are parted by TAB, rows are lines. Blanks collapse as CSS
    /// has it, no-break spaces become spaces. What is not shown is left out. Style sheets and `text-transform` do not
    /// count.
    package static func plainText(fromHTML bytes: [UInt8]) -> [UInt8] {
        var flow = HTMLFlow(decodedHTML(bytes), into: PlainTextOutput())
        flow.run()
        return flow.output.finished
    }

    /// The text of RTF: UTF-8, lines ended by LF. Nil when the bytes are no RTF: that begins with `{\rtf`, behind blanks
    /// or a byte order mark at most.
    ///
    /// Each paragraph is a line; the end of the last is no newline, for every program writes it (but Cocoa, which writes
    /// it only for one that was copied). Numbers and bullets of lists stand as the writer put them for other readers,
    /// with the tabs around them. Cells are parted by TAB, rows are lines. Headers, footnotes, comments and hidden text
    /// are left out.
    package static func plainText(fromRTF bytes: [UInt8]) -> [UInt8]? {
        guard var reader = RTFReader(bytes, into: RTFPlainTextOutput()) else { return nil }
        reader.run()
        return reader.output.bytes
    }

    /// HTML with its look. Encodings as in ``plainText(fromHTML:)``.
    package static func styledText(fromHTML bytes: [UInt8]) -> StyledText {
        var flow = HTMLFlow(decodedHTML(bytes), into: StyledHTMLOutput())
        flow.run()
        return flow.output.finished
    }

    /// RTF with its look. Nil when the bytes are no RTF.
    package static func styledText(fromRTF bytes: [UInt8]) -> StyledText? {
        guard var reader = RTFReader(bytes, into: StyledRTFOutput()) else { return nil }
        reader.run()
        return reader.output.finished(reader.tables)
    }

    static func decodedHTML(_ bytes: [UInt8]) -> [UInt8] {
        if let decoded = HTMLEncoding(detectedIn: bytes).decoded(bytes) { return decoded }
        return UTF8Repair.isValid(bytes) ? bytes : CodePage.windows1252.decoded(bytes[...])
    }
}
