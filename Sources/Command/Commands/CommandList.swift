package import ArgumentParser

/// The commands of this module, by the groups of the help.
package enum CommandList {
    /// The commands that copy, paste and replace contents.
    package static var contents: [any ParsableCommand.Type] {
        [
            GetCommand.self, SetCommand.self, AddCommand.self, ClearCommand.self, DumpCommand.self, LoadCommand.self,
            WithCommand.self,
        ]
    }

    /// The commands for earlier contents.
    package static var history: [any ParsableCommand.Type] {
        [HistoryCommand.self, UndoCommand.self, RedoCommand.self]
    }

    /// The commands for the state of pasteboards and of the bridge.
    package static var state: [any ParsableCommand.Type] {
        [
            ListCommand.self, CreateCommand.self, RemoveCommand.self, CountCommand.self, OwnerCommand.self,
            WatchCommand.self, WaitCommand.self, StatusCommand.self,
        ]
    }

    /// The commands for types.
    package static var types: [any ParsableCommand.Type] {
        [TypesCommand.self, ItemsCommand.self, MapCommand.self, DeclareCommand.self]
    }

    /// The commands for other machines.
    package static var machines: [any ParsableCommand.Type] { [LinkCommand.self] }

    /// The commands for the settings and the bridge itself.
    package static var setUp: [any ParsableCommand.Type] { [ConfigCommand.self, BridgeCommand.self] }
}
