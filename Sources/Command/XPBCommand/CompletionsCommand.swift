import ArgumentParser
import CommandCore

struct CompletionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions", abstract: "Write the completion script for a shell.",
        discussion: """
              xpb completions bash > ~/.local/share/bash-completion/completions/xpb
            """)

    @Argument(
        help: ArgumentHelp("bash, zsh or fish.", valueName: "SHELL"), completion: .list(["bash", "zsh", "fish"]))
    var shell: String

    func run() throws {
        guard ["bash", "zsh", "fish"].contains(shell) else {
            throw Failure.usage("there are completions for bash, zsh and fish, but not for '\(shell)'")
        }
        var script = XPB.completionScript(for: CompletionShell(rawValue: shell) ?? .bash)
        if shell == "bash" { script = Self.completed(script) }
        let output = StandardOutput()
        try output.write(script + "\n")
        try output.finish()
    }

    /// Adds to the script for bash the aliases and the commands after `help`, which the argument library leaves out.
    private static func completed(_ script: String) -> String {
        let commands = XPB.configuration.subcommands.map { $0.configuration }
        let names = commands.compactMap(\.commandName)
        let aliases = commands.flatMap { command in
            command.aliases.map { "\($0)) subcommand=\(command.commandName ?? "") ;;" }
        }
        let word = #"local -r subcommand="${unparsed_words[0]}""#
        return
            script
            .replacing(
                word,
                with: """
                    local subcommand="${unparsed_words[0]}"
                        case "${subcommand}" in \(aliases.joined(separator: " ")) esac
                    """
            )
            .replacing(
                "_xpb_help() {\n",
                with: """
                    _xpb_help() {
                        COMPREPLY+=($(compgen -W '\((names + [HelpPage.topic]).joined(separator: " "))' -- "${cur}"))

                    """)
    }
}
