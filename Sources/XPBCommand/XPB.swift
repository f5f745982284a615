import ArgumentParser

/// The command `xpb`, as the argument library reads it.
struct XPB: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "xpb",
        abstract: "Copies and pastes: pasteboards with items and types, shared with every X11 program.",
        discussion: """
            TYPE is a type identifier (public.html), a MIME type (text/html), an X11 target (UTF8_STRING), a filename \
            extension (.png), a class (text image html files url color audio video) or a pattern (image/*).

            Exit status: 0 done, 1 nothing there, 2 usage, 3 no answer in time, 4 no display or no bridge, 5 incomplete \
            or not stored, 6 refused.
            """,
        version: "0.1.0",
        subcommands: [
            GetCommand.self, SetCommand.self, AddCommand.self, ClearCommand.self, TypesCommand.self, ItemsCommand.self,
            CountCommand.self, OwnerCommand.self, WatchCommand.self, WaitCommand.self, UndoCommand.self,
            RedoCommand.self, HistoryCommand.self, DumpCommand.self, LoadCommand.self, WithCommand.self,
            ListCommand.self, CreateCommand.self, RemoveCommand.self, MapCommand.self, DeclareCommand.self,
            StatusCommand.self, DoctorCommand.self, ConfigCommand.self, BridgeCommand.self, CompletionsCommand.self,
        ])
}

/// A command that works with a bridge.
protocol Subcommand: ParsableCommand {
    var common: CommonFlags { get }
    func perform(in session: Session) throws
}
