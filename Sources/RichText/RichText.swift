/// Text with a look, as it lies on a pasteboard.
package enum RichText {
    /// The text of HTML, about as a browser copies it: UTF-8, lines ended by LF, none at the end but where the source
    /// has an empty line there.
    ///
    /// The encoding is decided from the bytes; HTML in one that this module cannot decode is read as windows-1252.
    /// Whoever can decode more looks at ``HTMLEncoding`` first and passes UTF-8 in.
    ///
    /// Blocks stand on lines of their own, paragraphs and headings behind an empty line. Items of lists begin with `• `
    /// or their number, four blanks deeper for each list around theirs. Cells are parted by TAB, rows are lines. Blanks
    /// collapse as CSS has it, no-break spaces become spaces. What is not shown is left out.
    package static func plainText(fromHTML bytes: [UInt8]) -> [UInt8] {
        var flow = HTMLFlow(decodedHTML(bytes), into: PlainTextOutput())
        flow.run()
        return flow.output.finished
    }

    static func decodedHTML(_ bytes: [UInt8]) -> [UInt8] {
        HTMLEncoding(detectedIn: bytes).decoded(bytes) ?? CodePage.windows1252.decoded(bytes[...])
    }
}
