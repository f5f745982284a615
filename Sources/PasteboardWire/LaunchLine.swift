/// The arguments that the bridge's program is started with on demand: the one line of it that is not a person's.
///
/// It is read without a parser of command lines, which would be a quarter of the bridge's start while somebody waits for
/// their first `xpb set`. Every other line is the parser's, and so is this one where it is not exactly as it is made here;
/// both understand it alike.
package struct LaunchLine: Equatable, Sendable {
    /// Nil for none.
    package let display: String?
    /// Where the bridge tells how its start went; see `xpbd`'s `--ready-fd`.
    package let readyDescriptor: Int32

    package init(display: String?, readyDescriptor: Int32) {
        self.display = display
        self.readyDescriptor = readyDescriptor
    }

    /// Nil for any other line.
    ///
    /// - Parameter arguments: Without the program's name.
    package init?(_ arguments: some Collection<String>) {
        let words = Array(arguments)
        guard words.count == 2 || words.count == 4, words[words.count - 2] == "--ready-fd",
            let descriptor = Int32(words[words.count - 1]), descriptor >= 3
        else { return nil }
        if words.count == 4 {
            // What begins with a dash is an option's name to a parser.
            guard words[0] == "--display", !words[1].hasPrefix("-") else { return nil }
        }
        self.init(display: words.count == 4 ? words[1] : nil, readyDescriptor: descriptor)
    }

    package var arguments: [String] {
        (display.map { ["--display", $0] } ?? []) + ["--ready-fd", String(readyDescriptor)]
    }
}
