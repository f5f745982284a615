package import ArgumentParser
import BridgeClient
package import CommandCore
import Commands
import LinuxSystem
import PasteboardWire
import Pasting

package struct PickCommand: PasteboardSubcommand {
    package static let configuration = CommandConfiguration(
        commandName: "pick", abstract: "Choose an entry of the history in the terminal, and copy it.",
        discussion: """
            Type parts of words to search for, as in 'xpb history search', or letters in order, such as gco for git \
            checkout. The keys are the arrows, Page Up, Page Down, Home and End, and:

              Return             copy the entry and leave
              Tab                mark the entry: Return then copies all marked ones, as one list of files or one text
              Escape, Ctrl-C     leave (status 1, or 130)
              Ctrl-D, Delete     delete the entry, once you leave
              Ctrl-R             bring back the last deleted entry
              Ctrl-T             pin the entry, or unpin it
              Ctrl-W, Ctrl-U     remove the last word of the search, or all of it
              Ctrl-L, Ctrl-Z     draw the screen again, stop the job

            Keys are read from the terminal and the screen is drawn there, so that standard input and output are free:

              xpb pick --print | wc -w

            Bind a key of the desktop to this line, to paste into the window that you were in:

              xterm -e xpb pick --paste

            Without a terminal, 'xpb history' lists the entries.
            """)

    @Flag(
        name: .customLong("print"),
        help: "Write the entry to standard output, like 'xpb history show', instead of copying it.")
    var prints = false

    @Flag(
        name: .customLong("paste"),
        help: "Also paste into the window that was active before the terminal, once the terminal closes.")
    var pastes = false

    @Flag(
        name: .customLong("stack"),
        help: "Copy marked entries one after the other, the next after each paste, instead of joining them.")
    var stacks = false

    @OptionGroup package var pasteboards: PasteboardFlags
    @OptionGroup(title: CommonFlags.title) package var common: CommonFlags

    package init() {}

    package func perform(in session: Session) throws {
        guard !prints || !session.common.json else {
            throw Failure.usage("--print and --json exclude each other")
        }
        guard !prints || !pastes else { throw Failure.usage("--print and --paste exclude each other") }
        guard !stacks || !prints && !pastes else {
            throw Failure.usage("--stack and \(prints ? "--print" : "--paste") exclude each other")
        }
        let paste = pastes ? try PasteStep.intoPreviousWindow(in: session) : nil
        let pasteboard = try session.pasteboard()
        let terminal = try Self.terminal(session)
        session.installTypes()
        let client = try session.connect()
        let (picker, ending) = try SignalMask.blocking(PickSession.signals) {
            let picker = try PickSession(of: pasteboard, on: terminal, by: client, in: session)
            return (picker, try picker.run())
        }
        // Marked entries are deleted however the user leaves.
        try picker.deleteMarked()
        switch ending {
        case .model(.chosen(let entries)):
            if prints { return try print(entries, by: client, in: session) }
            do {
                try restore(entries, on: pasteboard, by: client, in: session, then: paste)
            } catch let failure as Failure where pastes && !TerminalDevice.isOfInteractiveShell {
                // The terminal closes with this command, and would take the message along.
                session.console.say("\(failure.message); Return closes the terminal")
                _ = try? terminal.fileDescriptor.readBytes(atMost: 1)
                throw Failure(failure.status, "")
            }
        case .model(.left):
            session.console.detail("nothing was chosen")
            throw Failure(.nothing, "")
        case .model(.interrupted): throw Failure(.ended(by: .interrupt), "")
        case .signal(let signal): throw Failure(.ended(by: signal), "")
        }
    }

    private func print(_ entries: [Int], by client: BridgeClient, in session: Session) throws {
        guard entries.count > 1 else { return try GetCommand.perform(GetOptions(entry: entries[0]), in: session) }
        try session.output.write(EntryJoining.text(of: entries, by: client, in: session))
    }

    private func restore(
        _ entries: [Int], on pasteboard: String, by client: BridgeClient, in session: Session, then paste: PasteStep?
    ) throws {
        guard entries.count == 1 || stacks else {
            return try EntryJoining.perform(
                entries, separator: nil, on: pasteboard, ifCount: nil, by: client, in: session, then: paste)
        }
        let parameters = Methods.Restore.Parameters(
            entry: entries[0], then: Array(entries.dropFirst()), pasteboard: pasteboard)
        try EntryRestoration.perform(parameters, by: client, in: session, then: paste)
    }

    private static func terminal(_ session: Session) throws(Failure) -> TerminalDevice {
        guard !["", "dumb"].contains(session.environment["TERM", default: ""]) else {
            throw .usage("TERM does not name a terminal with a screen; 'xpb history' lists the entries")
        }
        do {
            return try TerminalDevice.controlling()
        } catch {
            throw .usage("there is no terminal to choose in; 'xpb history' lists the entries")
        }
    }
}

extension ExitStatus {
    /// Returns the status that a shell reports for a program killed by a signal.
    static func ended(by signal: Signal) -> ExitStatus { ExitStatus(rawValue: 128 + signal.rawValue) }
}
