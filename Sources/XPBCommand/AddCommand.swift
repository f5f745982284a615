import ArgumentParser
import LinuxSystem

/// `xpb add`.
struct AddCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add items to the contents, all in one change.",
        discussion: "With --item the sources are added to an item that is there, in place of those of the same type.")

    @OptionGroup var common: CommonFlags
    @OptionGroup var sources: SourceFlags

    @Option(help: ArgumentHelp("Add to this item, counted from 0, and make none.", valueName: "N"))
    var item: Int?

    func perform(in session: Session) throws {
        let options = try SetOptions(
            common, sources, item: item, forms: SetOptions.addForms, in: ThisProcess.arguments().dropFirst())
        try SetCommand.perform(options, appending: item == nil, in: session)
    }
}
