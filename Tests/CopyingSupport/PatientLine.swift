/// Lines of `xpb` whose success is expected. On a busy machine, a bridge may take longer to start, an X client to
/// answer and a disk to write, than the five seconds that `xpb` waits by default.
enum PatientLine {
    private static let timeout = ["--timeout", "60"]

    /// The commands of the fast path, which serves only lines without other options than these. Such a line is left as
    /// it is, so that tests of copying and pasting use the fast path as users do. The line that starts the bridge is
    /// none of the fast path.
    private static let fastCommands: Set = ["get", "paste", "set", "copy", "add", "count"]
    private static let fastOptions: Set = [
        "-q", "--quiet", "--exact", "-n", "--trim", "-p", "--pasteboard", "-t", "--type", "--text", "-f", "--file", "-",
    ]

    /// The commands that have no timeout, or another meaning for it.
    private static let otherCommands: Set = ["completions", "help", "link", "watch"]

    /// Returns the line with a timeout of a minute, unless it names one, or is one of the fast path.
    ///
    /// - Parameter isServed: True if there is a bridge.
    static func of(_ arguments: [String], isServed: Bool) -> [String] {
        // Words after this belong to another command, or are a text.
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        let options = arguments[..<end]
        guard let command = arguments.first, !command.hasPrefix("-"), !otherCommands.contains(command),
            !options.contains("--timeout")
        else {
            return arguments
        }
        let isFast = options.allSatisfy { !$0.hasPrefix("-") || fastOptions.contains($0) }
        if isServed, isFast, fastCommands.contains(command) { return arguments }
        return options + timeout + arguments[end...]
    }
}
