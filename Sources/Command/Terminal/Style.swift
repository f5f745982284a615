/// The emphasis of text on a terminal.
package struct Style: Equatable, Sendable {
    /// False if text is written without emphasis.
    package let isOn: Bool

    /// - Parameter isTerminal: True if the text goes to a terminal. NO_COLOR with any value that is not empty turns the
    ///   emphasis off (no-color.org), and so does the terminal `dumb`.
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
