package import ArgumentParser

/// The commands of this module, in the order of the help.
package enum CommandList {
    /// The commands for the contents of a pasteboard and their changes.
    package static var contents: [any ParsableCommand.Type] {
        [
            GetCommand.self, SetCommand.self, AddCommand.self, ClearCommand.self, TypesCommand.self, ItemsCommand.self,
            CountCommand.self, OwnerCommand.self, WatchCommand.self, WaitCommand.self, UndoCommand.self,
            RedoCommand.self, HistoryCommand.self,
        ]
    }

    /// The commands for whole pasteboards, other machines, types and status.
    package static var pasteboards: [any ParsableCommand.Type] {
        [
            DumpCommand.self, LoadCommand.self, WithCommand.self, LinkCommand.self, ListCommand.self,
            CreateCommand.self, RemoveCommand.self, MapCommand.self, DeclareCommand.self, StatusCommand.self,
        ]
    }

    /// The commands for the settings and the bridge itself.
    package static var bridge: [any ParsableCommand.Type] { [ConfigCommand.self, BridgeCommand.self] }
}
