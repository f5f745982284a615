package import CommandCore
import Configuration
import FoundationEssentials
import LinuxSystem
import PasteboardWire
import SystemPackage
import UniformTypes

/// The clipboard of the terminal in which `xpb` runs, for a shell on another machine that has no display.
///
/// Text goes to the controlling terminal as a ``ClipboardSequence``. Inside tmux, tmux is asked to send the text, since
/// it drops other programs' sequences unless the user allows them.
package struct TerminalClipboard {
    private let session: Session

    package init(_ session: Session) {
        self.session = session
    }

    /// Returns true if the user wants text sent to the terminal when there is neither a display nor a bridge, and the
    /// options request nothing that a terminal lacks.
    package func isInPlaceOfBridge(after error: any Error, _ options: SetOptions? = nil) -> Bool {
        guard Failure(reporting: error).status == .unavailable, !hasDisplay, isWanted else { return false }
        return options.map { (try? Self.check($0)) != nil } ?? true
    }

    private var hasDisplay: Bool {
        !(session.common.display ?? session.environment["DISPLAY"] ?? "").isEmpty
            || WaylandName(environment: session.environment) != nil
    }

    /// The setting `osc52`.
    private var isWanted: Bool { EffectiveConfiguration(environment: session.environment).configuration.osc52 }

    /// Sends the sources. Nothing is sent if the terminal cannot take them.
    package func send(_ options: SetOptions) throws {
        try Self.check(options)
        let loaded = try SourceLoader(console: session.console, read: session.read).load(options)
        if options.noEmpty, loaded.isEmpty {
            throw Failure(.nothing, "the sources are empty, and --no-empty was given; nothing was sent")
        }
        if options.terminalSequence == .osc5522 {
            try TerminalContents(session).send(loaded, options)
        } else {
            try send(loaded, options)
        }
        if options.tee, let first = loaded.blobs.first { try session.output.write(first, loaded.firstSource) }
    }

    /// Sends the text among sources that were read.
    package func send(_ loaded: LoadedSources, _ options: SetOptions) throws {
        let selection = try self.selection()
        let (text, others) = try Self.text(of: loaded)
        guard text.count <= ClipboardSequence.maxBytes else {
            throw Failure(
                .refused,
                "a terminal takes at most \(ClipboardSequence.maxBytes) bytes, but the text has \(text.count); nothing "
                    + "was sent")
        }
        let place = try send(text, selection)
        let left = others.isEmpty ? "" : "; \(others.joined(separator: ", ")) was left out: a terminal takes only text"
        session.console.say("sent \(text.count) bytes to \(place), which does not say whether it copies them\(left)")
        if session.common.json, !options.tee { try session.output.write(json: ["sent": text.count]) }
    }

    /// Throws a failure if the options request something that no terminal does.
    private static func check(_ options: SetOptions) throws(Failure) {
        let refused: String? =
            if options.appends || options.item != nil {
                "add: a terminal replaces its text"
            } else if options.concealed || options.wire?.concealed ?? false {
                "--concealed: a terminal, and all programs on the way to it, could keep a secret"
            } else if options.wire?.localOnly ?? false {
                "--local-only: a terminal may be on another machine"
            } else if options.wire != nil {
                "--expires, --once and --memory: a terminal keeps the text until something else is copied"
            } else if options.ifCount != nil {
                "--if-count: a terminal counts no changes"
            } else if options.items.joined().contains(where: \.isCommand) {
                "-c: a terminal takes the text at once; pipe the command's output into xpb set"
            } else if options.items.count > 1 {
                "--next: a terminal takes only one text"
            } else {
                nil
            }
        if let refused { throw .usage("text for a terminal excludes \(refused)") }
    }

    /// The letter of the selection in the control sequence.
    private func selection() throws(Failure) -> Character {
        let name = try session.pasteboard()
        switch name {
        case "general": return "c"
        case "find": return "p"
        case "secondary": return "s"
        default: throw .usage("a terminal has no pasteboard '\(name)', only general, find and secondary")
        }
    }

    /// Returns the bytes of the first plain text, and the types of the representations that are not sent.
    private static func text(of loaded: LoadedSources) throws -> (bytes: [UInt8], others: [String]) {
        let representations = loaded.items.first?.representations ?? []
        for (index, representation) in representations.enumerated() where isPlainText(representation.type) {
            guard let place = representation.bytes, let blob = place.descriptor else { continue }
            let range = place.offset..<place.offset + place.length
            guard try loaded.blobs[blob].isUTF8Text(in: range) else { continue }
            var others = representations.map(\.type)
            others.remove(at: index)
            return (try loaded.blobs[blob].bytes(in: range), others.filter { !isPlainText($0) })
        }
        let types = representations.map(\.type).joined(separator: ", ")
        throw Failure(.refused, "a terminal takes plain text in UTF-8, but this is \(types); nothing was sent")
    }

    private static func isPlainText(_ name: String) -> Bool {
        SourceType.concrete(named: name)?.type.conforms(to: .plainText) ?? false
    }

    /// Sends the text. Returns a description of the receiver.
    private func send(_ text: [UInt8], _ selection: Character) throws(Failure) -> String {
        guard session.environment["TMUX"] == nil || selection != "c" || !sendThroughTmux(text) else { return "tmux" }
        let multiplexer: ClipboardSequence.Multiplexer? =
            session.environment["TMUX"] != nil ? .tmux : session.environment["STY"] != nil ? .screen : nil
        try write(ClipboardSequence(text, selection: selection, through: multiplexer).bytes)
        return "the terminal"
    }

    /// Makes the text a buffer of tmux, which sends it to its own terminal unless its option `set-clipboard` is off.
    /// Returns false if that fails, as before version 3.2.
    private func sendThroughTmux(_ text: [UInt8]) -> Bool {
        let tmux = FilterProgram(
            command: ["tmux", "load-buffer", "-w", "-"], environment: session.environment,
            deadline: session.timeout.duration, limit: 4_096, keepsWorkingDirectory: true)
        guard let never = try? EventDescriptor(), let input = try? MemoryFile.containing(text) else { return false }
        return tmux.run(on: input, 0..<text.count, stop: never.fileDescriptor).failure == nil
    }

    /// Writes to the controlling terminal, wherever standard output goes. A terminal whose output is halted (Ctrl-S)
    /// accepts nothing.
    private func write(_ bytes: [UInt8]) throws(Failure) {
        let terminal: Descriptor
        do {
            terminal = try Descriptor.open(FilePath("/dev/tty"), .writeOnly, options: .nonBlocking)
        } catch {
            throw Failure(.unavailable, "there is no terminal to send to: \(error)")
        }
        do throws(Errno) {
            try terminal.fileDescriptor.writeBytes(bytes, until: .now + session.timeout.duration)
        } catch {
            // This ends the sequence for a terminal that has received its beginning.
            try? terminal.fileDescriptor.writeBytes([Self.cancel], until: .now)
            guard error == .timedOut else { throw Failure(.broken, "the terminal did not accept all text: \(error)") }
            throw Failure(.silent, "the terminal accepts no output; if Ctrl-S has halted it, press Ctrl-Q")
        }
    }

    private static let cancel: UInt8 = 0x18
}
