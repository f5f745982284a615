/// What ``RTFReader`` writes to.
protocol RTFOutput {
    mutating func append(_ utf8: some Collection<UInt8>, _ look: RTFLook)
    /// The number or bullet of an item, as other readers than Word show it.
    mutating func appendMarker(_ utf8: some Collection<UInt8>, _ look: RTFLook)
    mutating func endParagraph(_ paragraph: RTFParagraph)
    /// `isCocoa`: the last paragraph was ended only if a newline was copied.
    mutating func endDocument(_ paragraph: RTFParagraph, isCocoa: Bool)
    /// Whether the paragraph has any text yet.
    var isAtParagraphStart: Bool { get }
}

/// RTF as plain text.
struct RTFPlainTextOutput: RTFOutput {
    private(set) var bytes: [UInt8] = []
    private(set) var isAtParagraphStart = true

    mutating func append(_ utf8: some Collection<UInt8>, _ look: RTFLook) {
        bytes.append(contentsOf: utf8)
        isAtParagraphStart = false
    }

    mutating func appendMarker(_ utf8: some Collection<UInt8>, _ look: RTFLook) { append(utf8, look) }

    mutating func endParagraph(_ paragraph: RTFParagraph) {
        bytes.append(0x0A)
        isAtParagraphStart = true
    }

    mutating func endDocument(_ paragraph: RTFParagraph, isCocoa: Bool) {
        if isAtParagraphStart, !isCocoa, !bytes.isEmpty { bytes.removeLast() }
        bytes = UTF8Repair.repaired(bytes)
    }
}
