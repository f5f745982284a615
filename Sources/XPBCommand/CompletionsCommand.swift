import ArgumentParser

/// `xpb completions`.
struct CompletionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions", abstract: "Write the completions for a shell: bash, zsh or fish.")

    @Argument(help: ArgumentHelp("bash, zsh or fish.", valueName: "SHELL"))
    var shell: String

    func run() throws {
        guard ["bash", "zsh", "fish"].contains(shell) else {
            throw Failure.usage("there are no completions for '\(shell)', only for bash, zsh and fish")
        }
        let output = StandardOutput()
        try output.write(XPB.completionScript(for: CompletionShell(rawValue: shell) ?? .bash) + "\n")
        try output.finish()
    }
}
