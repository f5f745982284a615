/// The arguments with which a client starts the bridge's program on demand.
///
/// They are read without ArgumentParser, which would take a quarter of the bridge's starting time, while the user waits
/// for a first `xpb set`. Any other command line goes to ArgumentParser, which gives these arguments the same meaning.
package struct LaunchLine: Equatable, Sendable {
    /// The value of the option `--display`; nil if it is absent.
    package let display: String?
    /// The value of the option `--wayland`; nil if it is absent.
    package let wayland: String?
    /// The descriptor where the bridge reports the result of its start; see the option `--ready-fd` of `xpbd`.
    package let readyDescriptor: Int32

    package init(display: String?, wayland: String? = nil, readyDescriptor: Int32) {
        self.display = display
        self.wayland = wayland
        self.readyDescriptor = readyDescriptor
    }

    /// Parses the arguments; nil if they are not exactly of this form.
    ///
    /// - Parameter arguments: The command line without the program's name.
    package init?(_ arguments: some Collection<String>) {
        let words = Array(arguments)
        guard [2, 4, 6].contains(words.count), words[words.count - 2] == "--ready-fd",
            let descriptor = Int32(words[words.count - 1]), descriptor >= 3
        else { return nil }
        var rest = words.dropLast(2)
        func take(_ option: String) -> String? {
            // ArgumentParser would take a word that begins with a dash for an option's name.
            guard rest.first == option, let value = rest.dropFirst().first, !value.hasPrefix("-") else { return nil }
            rest = rest.dropFirst(2)
            return value
        }
        let display = take("--display")
        let wayland = take("--wayland")
        guard rest.isEmpty else { return nil }
        self.init(display: display, wayland: wayland, readyDescriptor: descriptor)
    }

    package var arguments: [String] {
        let displays = [display.map { ["--display", $0] }, wayland.map { ["--wayland", $0] }]
        return displays.compactMap(\.self).flatMap(\.self) + ["--ready-fd", String(readyDescriptor)]
    }
}
