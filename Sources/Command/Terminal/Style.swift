/// The emphasis of text on a terminal.
package struct Style: Equatable, Sendable {
    /// False if text is written without emphasis.
    package let isOn: Bool

    /// Text without emphasis.
    package static let none = Style(isTerminal: false, environment: [:])

    /// - Parameter isTerminal: True if the text goes to a terminal. NO_COLOR with any value that is not empty turns the
    ///   emphasis off (no-color.org), and so does the terminal `dumb`.
    package init(isTerminal: Bool, environment: [String: String]) {
        isOn = isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }

    package func bold(_ text: String) -> String { emphasized(text, "1") }
    package func dim(_ text: String) -> String { emphasized(text, "2") }
    package func reversed(_ text: String) -> String { emphasized(text, "7") }

    /// Returns text with underlined parts, and reversed as a whole if it is selected.
    ///
    /// - Parameter parts: The parts in order. A part that overlaps the part before it is left out.
    package func marked(_ text: String, _ parts: [Range<String.Index>], isReversed: Bool = false) -> String {
        guard isOn, !parts.isEmpty else { return isReversed ? reversed(text) : text }
        var marked = isReversed ? "\u{1B}[7m" : ""
        var end = text.startIndex
        for part in parts where part.lowerBound >= end {
            marked += "\(text[end..<part.lowerBound])\u{1B}[4m\(text[part])\u{1B}[24m"
            end = part.upperBound
        }
        return marked + text[end...] + (isReversed ? "\u{1B}[0m" : "")
    }

    private func emphasized(_ text: String, _ code: String) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
