package import ArgumentParser
import BridgeClient
package import CommandCore
import LinuxSystem
import PasteboardWire
import SystemPackage

/// A command that writes sources, in their order on the command line.
package protocol SourceCommand: ParsableCommand {
    var common: CommonFlags { get }
    var pasteboards: PasteboardFlags { get }
    var sources: SourceFlags { get }
    /// True if the items are added to the present items.
    var appends: Bool { get }
    /// The item that receives the representations.
    var item: Int? { get }
    /// The control sequence that sends the contents to the terminal instead of a pasteboard.
    var terminalSequence: TerminalSequence? { get }
}

/// The control sequences by which a terminal takes contents for its own clipboard.
package enum TerminalSequence: Equatable, Sendable {
    case osc52
    case osc5522
}

package struct SetCommand: SourceCommand {
    package static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Replace the contents, in one change.",
        discussion: """
            -t names the type of the source after it. Without -t, a source is text if it is valid UTF-8; otherwise its \
            first bytes or its filename determine its type. Text in another encoding is pasted in UTF-8, and get \
            without -t writes it as it was.

            -c promises the output of a command, which runs when the contents are first pasted; the output is kept. \
            Until the contents are replaced, a helper process waits in this folder, with this environment. A \
            command already running when they are replaced still finishes for its reader.

              xpb set -t text/html -f page.html -t text/plain -f page.txt
              xpb set -t image/png -c 'rsvg-convert in.svg' -t image/svg+xml -f in.svg
              pass show x | head -1 | xpb set -n --concealed --expires 45s --once
            """, aliases: ["copy"])

    @OptionGroup package var sources: SourceFlags

    @Flag(
        name: .customLong("osc52"),
        help: """
            Send plain text to the terminal for its own clipboard (OSC 52), over ssh without a display; at most \
            74,994 bytes. The terminal does not say whether it copies them.
            """)
    package var osc52 = false

    @Flag(
        name: .customLong("osc5522"),
        help: "Send contents of any type to a terminal that answers (OSC 5522), such as kitty from version 0.27.")
    package var osc5522 = false

    @OptionGroup package var pasteboards: PasteboardFlags
    @OptionGroup(title: CommonFlags.title) package var common: CommonFlags

    package var appends: Bool { false }
    package var item: Int? { nil }
    package var terminalSequence: TerminalSequence? { osc5522 ? .osc5522 : osc52 ? .osc52 : nil }

    package init() {}

    package func validate() throws {
        if osc52, osc5522 { throw ValidationError("--osc52 and --osc5522 exclude each other") }
    }

    /// Returns the change counts.
    @discardableResult
    package static func perform(_ options: SetOptions, in session: Session) throws -> [Int] {
        if let (client, _) = session.sentCall() {
            return try client.reply(to: Methods.Set.self, isLong: true).reply.counts
        }
        try options.checkStandardInput {
            StandardDescriptors.isPipeWithWriter(.standardInput, after: .seconds(1))
        }
        let terminal = TerminalClipboard(session)
        if options.terminalSequence != nil {
            try terminal.send(options)
            return []
        }
        let pasteboards = try session.pasteboards()
        if options.items.joined().contains(where: \.isFileWithoutType) { session.installTypes() }
        if options.concealed { ThisProcess.forbidDumping() }
        let loader = SourceLoader(console: session.console, read: session.read)
        // A borrowed file must be stored; if that is refused, the file is read after all.
        let borrows =
            pasteboards.count == 1 && !options.appends && !options.concealed && options.wire?.memory != true
            && !options.tee
        var loaded = try loader.load(options, borrows: borrows)
        if options.noEmpty, loaded.isEmpty {
            throw Failure(.nothing, "the sources are empty, and --no-empty was given; nothing was changed")
        }
        func parameters() -> Methods.Set.Parameters {
            Methods.Set.Parameters(
                pasteboards: pasteboards, items: loaded.items, append: options.appends ? true : nil,
                into: options.item, ifCount: options.ifCount, options: options.wire,
                timeout: session.timeout.milliseconds)
        }
        let result = Result {
            if let file = loaded.blobs.first?.file, !loaded.commands.isEmpty {
                let job = PromiseJob(parameters(), loaded, trims: options.trim, display: session.common.display)
                return try PromiseHelper.start(job, with: file, in: session)
            }
            let client = try session.connect()
            do {
                return try write(loaded, parameters(), by: client)
            } catch let error as BridgeClientError where error.code == .transferBroken && loaded.borrowed != nil {
                loaded = try loader.load(options, opened: loaded.borrowed)
                return try write(loaded, parameters(), by: client)
            }
        }
        loader.finish(loaded)
        // The bytes are written to standard output even if the change failed.
        if options.tee, let first = loaded.blobs.first { try session.output.write(first, loaded.firstSource) }
        if case .failure(let error) = result, terminal.isInPlaceOfBridge(after: error, options) {
            try terminal.send(loaded, options)
            return []
        }
        let counts = try result.get()
        if !options.filesAsText.isEmpty, StandardDescriptors.isTerminal(.standardError) {
            session.console.say(Self.hint(on: options, in: session))
        }
        session.console.detail("count \(counts.map(String.init).joined(separator: " "))")
        if session.common.json, !options.tee { try session.output.write(counts: counts, of: pasteboards) }
        return counts
    }

    /// The maximum number of names in the message on files.
    private static let maxNames = 8

    /// Returns the message for names of files that were copied as text, with the commands that copy the files.
    ///
    /// - Parameters:
    ///   - command: The beginning of these commands.
    ///   - isFolder: True if the only file is a folder, which has no bytes to copy.
    package static func hint(onFiles files: [String], command: String, isFolder: Bool = false) -> String {
        let shown = files.prefix(maxNames).map { SetOptions.quoted($0.hasPrefix("-") ? "./\($0)" : $0) }
        let names = shown.joined(separator: " ") + (files.count > maxNames ? " …" : "")
        guard files.count == 1 else {
            return "the names were copied as text; for the files: \(command) --files \(names)"
        }
        let contents = isFolder ? "" : "; for its contents: \(command) -f \(names)"
        return "the name was copied as text; for the file: \(command) --files \(names)\(contents)"
    }

    private static func hint(on options: SetOptions, in session: Session) -> String {
        let pasteboards = session.common.pasteboards.map { " -p \($0)" }.joined()
        let files = options.filesAsText
        let isFolder = (try? FileStatus(ofPath: files[0], followsSymlink: true))?.isFolder == true
        return hint(
            onFiles: files, command: "xpb \(options.appends ? "add" : "set")\(pasteboards)", isFolder: isFolder)
    }

    private static func write(
        _ loaded: LoadedSources, _ parameters: Methods.Set.Parameters, by client: BridgeClient
    ) throws -> [Int] {
        let descriptors = try loaded.blobs.map { try $0.passed(0..<$0.length).descriptor }
        return try client.call(Methods.Set.self, parameters, descriptors: descriptors, isLong: true).reply.counts
    }
}

struct AddCommand: SourceCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add items to the contents, in one change.",
        discussion: """
            With --item, add representations to that item instead, replacing those of the same type.

              xpb set --files a.txt; xpb add --files b.txt
              xpb add --item 0 -t html --text '<b>bold</b>'
            """)

    @OptionGroup var sources: SourceFlags

    @Option(help: ArgumentHelp("Add to this item, counted from 0, instead of adding items.", valueName: "N"))
    var item: Int?

    @OptionGroup var pasteboards: PasteboardFlags
    @OptionGroup(title: CommonFlags.title) var common: CommonFlags

    var appends: Bool { item == nil }
    var terminalSequence: TerminalSequence? { nil }
}

/// The arguments of `xpb set` and `xpb add`.
package struct SourceFlags: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The type of the next source; repeat it to offer the same bytes under several types.", valueName: "TYPE"),
        completion: .sourceTypes)
    package var type: [String] = []

    @Option(
        name: .shortAndLong, help: ArgumentHelp("A source: a file, or - for standard input.", valueName: "FILE"),
        completion: .file())
    package var file: [String] = []

    @Option(parsing: .unconditionalSingleValue, help: ArgumentHelp("A source: this text.", valueName: "STRING"))
    package var text: [String] = []

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "A source: the output of this command, which sh runs in this folder when it is first pasted.",
            valueName: "COMMAND"))
    package var command: [String] = []

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Sources: one item for each file, holding its URL.", valueName: "PATH"),
        completion: .file())
    package var files: [String] = []

    @Flag(help: "Mark the files of --files as cut: the program that pastes them moves them.")
    package var cut = false

    @Flag(help: "Begin the next item.")
    package var next: Int

    @Flag(name: [.customShort("n"), .long], help: "Remove one newline from the end of each source.")
    package var trim = false

    @Flag(help: "Offer text under the given names only, without derived names.")
    package var exact = false

    @Flag(help: "Also write the first source to standard output.")
    package var tee = false

    @Flag(name: .customLong("no-empty"), help: "Change nothing if the sources are empty; not with -c.")
    package var noEmpty = false

    @Option(name: .customLong("if-count"), help: Self.ifCountHelp)
    package var ifCount: Int?

    @Option(help: Self.expiresHelp, transform: Lifetime.parse)
    package var expires: Lifetime?

    @Flag(name: .customLong("local-only"), help: Self.localOnlyHelp)
    var localOnly = false

    @Flag(
        help: """
            A secret: never stored or swapped, hidden from histories, at most 65,536 bytes; from standard input or -f.
            """)
    package var concealed = false

    @Flag(help: Self.onceHelp)
    package var once = false

    @Flag(help: Self.memoryHelp)
    package var memory = false

    @Argument(
        help: ArgumentHelp(
            "A source: words, joined by spaces. Without any source, or for a lone -, standard input is read.",
            valueName: "TEXT"))
    package var words: [String] = []

    package init() {}

    static var ifCountHelp: ArgumentHelp {
        ArgumentHelp("Change nothing unless the change count is N.", valueName: "N")
    }

    static var expiresHelp: ArgumentHelp {
        ArgumentHelp(
            "Remove the contents after this time: 45s, 1.5m, 2h or 7d; a plain number is seconds.", valueName: "TIME")
    }

    static var onceHelp: ArgumentHelp {
        "Remove the contents once a program other than a clipboard manager has pasted them."
    }

    static var memoryHelp: ArgumentHelp { "Store nothing on disk: the contents end with the bridge." }

    static var localOnlyHelp: ArgumentHelp { "Do not offer the contents on displays of other machines." }
}
