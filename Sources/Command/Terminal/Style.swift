/// The emphasis of text on a terminal.
package struct Style: Equatable, Sendable {
    /// False where text is written without emphasis.
    package let isOn: Bool

    /// - Parameter isTerminal: True if the text goes to a terminal. NO_COLOR turns the emphasis off, whatever its value
    ///   is unless it is empty (no-color.org), and so does the terminal `dumb`.
    package init(isTerminal: Bool, environment: [String: String]) {
        isOn = isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }

    package func bold(_ text: String) -> String { emphasized(text, "1") }
    package func dim(_ text: String) -> String { emphasized(text, "2") }
    package func reversed(_ text: String) -> String { emphasized(text, "7") }

    private func emphasized(_ text: String, _ code: String) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
