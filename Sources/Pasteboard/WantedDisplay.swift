package import PasteboardWire

/// The display a client asks for, and who said so.
package struct WantedDisplay: Sendable {
    package enum Source: Sendable {
        case option
        case variable
    }

    package let string: String
    package let name: DisplayName
    package let source: Source

    /// How a message names it.
    package var description: String {
        switch source {
        case .option: "the display '\(string)'"
        case .variable: "DISPLAY, which is '\(string)',"
        }
    }

    /// The display of an option, else that of DISPLAY; nil where neither names one.
    ///
    /// - Throws: ``PasteboardError`` with code `unavailable` for a name that no display has.
    package static func chosen(
        option: String?, environment: [String: String]
    ) throws(PasteboardError) -> WantedDisplay? {
        let source: Source = option == nil ? .variable : .option
        guard let string = option ?? environment["DISPLAY"], !string.isEmpty else { return nil }
        guard let name = DisplayName(string) else {
            let origin = source == .option ? "the display '\(string)'" : "DISPLAY is '\(string)', which"
            throw PasteboardError(
                code: .unavailable, message: "\(origin) is no display's name; a display's name is like :0 or host:10.0")
        }
        return WantedDisplay(string: string, name: name, source: source)
    }
}
