/// Text that other programs chose, such as the names of targets, in lines of ours.
enum Line {
    /// Without control characters, which could end the line or speak to the terminal.
    static func visible(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 }) else { return text }
        var visible = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            visible.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
        }
        return String(visible)
    }

    /// As ``visible(_:)``, but for the TABs between the fields of a line.
    static func visibleFields(_ line: String) -> String {
        line.split(separator: "\t", omittingEmptySubsequences: false).map { visible(String($0)) }
            .joined(separator: "\t")
    }
}
