/// Text that other programs chose, such as the names of targets, in lines of ours.
enum Line {
    /// - Parameter endingWithNUL: Instead of a newline; the fields are as they are then.
    static func text(_ fields: [String], endingWithNUL: Bool = false) -> String {
        endingWithNUL
            ? fields.joined(separator: "\t") + "\0" : fields.map(visible).joined(separator: "\t") + "\n"
    }

    /// Without control characters, which could end the line or speak to the terminal.
    static func visible(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 }) else { return text }
        var visible = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            visible.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
        }
        return String(visible)
    }
}
