import ArgumentParser

/// `xpb add`.
struct AddCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add items to the contents, all in one change.")

    @OptionGroup var common: CommonFlags
    @OptionGroup var sources: SourceFlags

    func perform(in session: Session) throws {
        try SetCommand.perform(
            try SetOptions(common, sources, in: CommandLine.arguments.dropFirst(2)), appending: true, in: session)
    }
}
