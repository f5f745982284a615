package import ArgumentParser
import Commands
import Doctor
import PasteboardWire
import Pick

package struct XPB: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "xpb",
        abstract: "Copy and paste: pasteboards with items and types, shared with X11 and Wayland programs.",
        discussion: """
              xpb set hello          copies text
              date | xpb set         copies the output of a command
              xpb get > file         pastes into a file

            TYPE is a type identifier (public.html), a MIME type (text/html), an X11 target (UTF8_STRING), a filename \
            extension (.png), a class (text image html files url color audio video) or a pattern (image/*).

            Exit status: 0 done, 1 nothing there, 2 usage, 3 no answer in time, 4 no display or no bridge, \
            5 incomplete or not stored, 6 refused.
            """,
        version: ProgramVersion.text,
        groupedSubcommands: [
            CommandGroup(name: "Copy and paste", subcommands: CommandList.contents),
            CommandGroup(name: "History", subcommands: CommandList.history + [PickCommand.self]),
            CommandGroup(name: "State", subcommands: CommandList.state),
            CommandGroup(name: "Types", subcommands: CommandList.types),
            CommandGroup(name: "Other machines", subcommands: CommandList.machines),
            CommandGroup(
                name: "Set up", subcommands: [DoctorCommand.self] + CommandList.setUp + [CompletionsCommand.self]),
        ])

    package init() {}
}
