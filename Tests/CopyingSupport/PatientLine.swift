/// Command lines of `xpb` that are expected to succeed. On a busy machine, starting a bridge, getting an answer from an
/// X client or writing to disk may take longer than the five seconds that `xpb` waits by default.
enum PatientLine {
    private static let timeout = ["--timeout", "60"]

    /// The commands of the fast path, which serves only lines that have no options except `fastOptions`. Such lines are
    /// left unchanged, so that tests of copying and pasting use the fast path as users do. A line that starts the
    /// bridge does not use the fast path.
    private static let fastCommands: Set = ["get", "paste", "set", "copy", "add", "count"]
    private static let fastOptions: Set = [
        "-q", "--quiet", "--exact", "-n", "--trim", "-p", "--pasteboard", "-t", "--type", "--text", "-f", "--file", "-",
    ]

    /// The commands that have no `--timeout`, or give it a different meaning.
    private static let otherCommands: Set = ["completions", "help", "link", "watch"]

    /// Returns the line with a timeout of a minute, unless the line has a timeout or uses the fast path.
    ///
    /// - Parameter isServed: True if there is a bridge.
    static func of(_ arguments: [String], isServed: Bool) -> [String] {
        // Words after `--` belong to another command, or are text.
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
