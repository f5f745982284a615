import LinuxSystem
import SystemPackage

/// Messages for the user, on standard error. Failures to write them are ignored, since they cannot be reported.
package struct Console: Sendable {
    package let isQuiet: Bool
    package let isVerbose: Bool

    package init(isQuiet: Bool, isVerbose: Bool) {
        self.isQuiet = isQuiet
        self.isVerbose = isVerbose
    }

    /// Writes a message, unless the user has suppressed messages.
    package func say(_ message: String) {
        guard !isQuiet, !message.isEmpty else { return }
        try? FileDescriptor.standardError.writeBytes(Array("xpb: \(Line.visible(message))\n".utf8))
    }

    /// Writes a message if the user wants details.
    package func detail(_ message: @autoclosure () -> String) {
        if isVerbose { say(message()) }
    }
}

extension Int {
    /// Returns the number with a noun, such as `1 byte` or `2 bytes`.
    package func counting(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

/// Lines with text that other programs chose, such as the names of targets.
package enum Line {
    /// - Parameter endingWithNUL: True to end the line with NUL, not a newline, and leave the fields unchanged.
    package static func text(_ fields: [String], endingWithNUL: Bool = false) -> String {
        endingWithNUL
            ? fields.joined(separator: "\t") + "\0" : fields.map(visible).joined(separator: "\t") + "\n"
    }

    /// Replaces control characters, which could end the line or control the terminal.
    package static func visible(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 }) else { return text }
        var visible = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            visible.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
        }
        return String(visible)
    }
}
