import CommandCore

/// The help of the argument library, in the form in which `xpb` writes it.
///
/// The library repeats the options of all commands on each page. `xpb` has one page for them, and the other pages refer
/// to it.
package enum HelpPage {
    /// The word after `xpb help` for the page of the common options.
    package static let topic = "options"

    /// The minimum width of a page. The library cannot write a narrower one.
    private static let minColumns = 40

    /// Returns the width of the pages on an output.
    static func columns(of output: StandardOutput) -> Int { max(output.columns ?? 80, minColumns) }

    private static let reference = "  All commands also take the options of 'xpb help \(topic)'."
    private static let commonUsage = " [--display <DISPLAY>] [--timeout <SECONDS>] [--json] [--quiet] [--verbose]"
    /// The beginnings of the lines of the library's own options, which each page has.
    private static let libraryOptions = ["  --version ", "  -h, --help "]

    /// Returns a page of the library, without the common options if it belongs to a command that takes them.
    ///
    /// - Parameter columns: The width beyond which a usage is wrapped.
    package static func page(_ text: String, columns: Int = 80) -> String {
        let sections = sections(of: text)
        guard sections.contains(where: isCommon) else { return text.replacing(" SUBCOMMANDS:\n", with: ":\n") }
        let kept = sections.compactMap { section -> String? in
            if isCommon(section) { return nil }
            if section.hasPrefix("USAGE: ") { return wrapped(section.replacing(commonUsage, with: ""), to: columns) }
            guard section.hasPrefix("OPTIONS:\n") else { return section }
            let own = options(in: section, ofLibrary: false)
            return own.isEmpty ? nil : (["OPTIONS:"] + own).joined(separator: "\n")
        }
        return (kept + [reference]).joined(separator: "\n\n") + "\n"
    }

    /// Returns the page of the common options, from the library's page of a command that takes them.
    package static func commonOptions(from text: String) -> String {
        let options = sections(of: text).flatMap { section in
            isCommon(section)
                ? Array(lines(of: section).dropFirst())
                : section.hasPrefix("OPTIONS:\n") ? Self.options(in: section, ofLibrary: true) : []
        }
        return "OVERVIEW: The options of all commands.\n\nOPTIONS:\n" + options.joined(separator: "\n") + "\n"
    }

    private static func sections(of text: String) -> [String] {
        text.split(separator: "\n\n").map { String($0.hasPrefix("\n") ? $0.dropFirst() : $0) }
            .map { $0.hasSuffix("\n") ? String($0.dropLast()) : $0 }
    }

    private static func lines(of section: String) -> [String] { section.split(separator: "\n").map(String.init) }

    private static func isCommon(_ section: String) -> Bool {
        section.hasPrefix(CommonFlags.title.uppercased() + ":\n")
    }

    /// Returns the lines of the library's own options, or of all others. On a narrow terminal, an option has several
    /// lines.
    private static func options(in section: String, ofLibrary wanted: Bool) -> [String] {
        var isOfLibrary = false
        return lines(of: section).dropFirst().filter { line in
            if line.hasPrefix("  -") { isOfLibrary = libraryOptions.contains { line.hasPrefix($0) } }
            return isOfLibrary == wanted
        }
    }

    /// Wraps a usage between its options and arguments.
    private static func wrapped(_ usage: String, to columns: Int) -> String {
        var lines = [""]
        for part in usage.replacing(" [", with: "\n[").split(separator: "\n") {
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = String(part)
            } else if last.count + 1 + part.count <= columns {
                lines[lines.count - 1] += " " + part
            } else {
                lines.append("           " + part)
            }
        }
        return lines.joined(separator: "\n")
    }
}
