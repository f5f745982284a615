package import ArgumentParser
import BridgeClient
package import CommandCore
package import FastPath
import FoundationEssentials
package import LinuxSystem
import PasteboardModel
import UniformTypes

package struct GetCommand: PasteboardSubcommand {
    package static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Write one representation, byte for byte.",
        discussion: """
            Without -t, text is written if there is any, else the first representation. A type that is not on offer is \
            converted from one on offer, unless --exact is given.

              xpb get -t image -t html -t text
              xpb get -o picture.png
            """, aliases: ["paste"])

    @OptionGroup package var representation: RepresentationFlags

    @Option(
        help: ArgumentHelp(
            "Write every item and representation into a new or empty folder, with a manifest.json.",
            valueName: "DIR"), completion: .directory)
    package var all: String?

    @Flag(help: "If the program that copied does not answer, write the contents captured earlier.")
    package var stale = false

    @Flag(
        name: .customLong("osc5522"),
        help: "Read from the clipboard of a terminal that answers (OSC 5522), such as kitty from version 0.27.")
    package var osc5522 = false

    /// Words, which `get` does not take.
    @Argument(help: .hidden)
    var words: [String] = []

    @OptionGroup package var pasteboards: PasteboardFlags
    @OptionGroup(title: CommonFlags.title) package var common: CommonFlags

    package init() {}

    package func validate() throws {
        guard let word = words.first else { return }
        throw ValidationError(
            "get takes no words; did you mean 'xpb get \(Self.option(for: word)) \(SetOptions.quoted(word))'?")
    }

    /// Returns the option that a user forgot before a type, a pasteboard or the name of a file.
    private static func option(for word: String) -> String {
        if (try? PasteboardName(validating: word))?.isSystem == true { return "-p" }
        let isPath = word.hasPrefix("/") || word.hasPrefix("./") || word.hasPrefix("../")
        let isFile =
            word.contains("/")
            ? isPath || MIMEType(word) == nil
            : word.contains(".") && UniformType(word)?.isDeclared != true
        return isPath || isFile && !word.hasPrefix(".") ? "-o" : "-t"
    }

    package var options: GetOptions {
        var options = representation.options
        options.all = all
        options.stale = stale
        options.fromTerminal = osc5522
        return options
    }

    package func perform(in session: Session) throws {
        try Self.perform(options, in: session)
    }

    package static func perform(_ options: GetOptions, in session: Session) throws {
        let pasteboard = try session.pasteboard()
        if options.output?.isEmpty == true {
            throw Failure.usage("the name of the file after -o is empty; name a file, or - for standard output")
        }
        if let folder = options.all, !options.fromTerminal {
            return try performAll(options, pasteboard, into: folder, in: session)
        }
        if let item = options.item, item < 0 { throw Failure.usage("--item \(item): items are counted from 0") }
        let types = try wantedTypes(options, session)
        if options.fromTerminal {
            let found = try TerminalContents(session).read(options, types: types)
            return try write(found, options, pasteboard, in: session, written: 0)
        }
        let sent = session.sentCall()
        let answer = try session.showingTransfer(of: pasteboard) {
            try sent?.client.awaitedAnswer() ?? fetch(options, types, pasteboard, in: session)
        }
        switch answer {
        case .whole(let found):
            try write(found, options, pasteboard, in: session, written: sent?.written ?? 0)
        case .stream(let stream):
            session.console.detail("\(stream.type), item \(stream.item), count \(stream.count)")
            let count = try session.showingTransfer(of: pasteboard) {
                try write(stream, to: options.file, in: session)
            }
            session.console.detail(count.counting("byte"))
        }
    }

    private static func fetch(
        _ options: GetOptions, _ types: [String], _ pasteboard: String, in session: Session
    ) throws -> FetchedAnswer {
        let client = try session.connect()
        let isShown = session.output.isTerminal && options.file == nil && !options.force
        guard options.isPassedOn, !session.common.json, !isShown else {
            // A terminal shows text of unknown encoding in UTF-8, so a type is named; see `FormatCatalog.asWritten`.
            let decodes = isShown && !session.common.json && types.isEmpty
            return .whole(
                try client.get(
                    pasteboard: pasteboard, types: decodes ? ["text", "*"] : types, item: options.item,
                    exact: options.exact || decodes, stale: options.stale, entry: options.entry))
        }
        return try client.getStreaming(
            pasteboard: pasteboard, types: types, item: options.item, exact: options.exact, stale: options.stale,
            entry: options.entry)
    }

    /// Writes bytes as they arrive, and returns their number.
    private static func write(
        _ stream: RepresentationStream, to file: String?, in session: Session
    ) throws(Failure) -> Int {
        guard let file else { return try session.output.write(stream) }
        return try FileOutput.write(stream, to: file)
    }

    private static func write(
        _ found: FetchedRepresentation, _ options: GetOptions, _ pasteboard: String, in session: Session, written: Int
    ) throws {
        if found.isStale {
            session.console.say("the program that copied this does not answer; this was captured earlier")
        }
        // From here on the secret is also in the memory of this process.
        if found.bytes.secret != nil { ThisProcess.forbidDumping() }
        let length = found.range.count.counting("byte")
        session.console.detail("\(found.type), item \(found.item), \(length), count \(found.count)")
        let ending = try Ending(of: found.bytes, found.range, trims: options.trim, addsNewline: options.newline)
        if let file = options.file {
            try FileOutput.write(found.bytes, ending.range, ending.suffix, to: file)
        }
        if session.common.json {
            try session.output.write(json: GetJSON(pasteboard, found, ending, withBytes: options.file == nil))
        } else if options.file == nil {
            if session.output.isTerminal, !options.force, try !found.bytes.isUTF8Text(in: ending.range) {
                throw Failure(
                    .refused,
                    "\(found.type) is not text, and standard output is a terminal; write it to a file with -o, "
                        + "or to the terminal with --force")
            }
            try session.output.write(found.bytes, ending.range.dropFirst(written))
            if !ending.suffix.isEmpty { try session.output.write(ending.suffix) }
        }
    }

    private static func wantedTypes(_ options: GetOptions, _ session: Session) throws(Failure) -> [String] {
        for type in options.types where TypeQuery.parse(type) == nil {
            throw .notAType(type)
        }
        guard options.types.isEmpty, let name = options.output?.split(separator: "/").last,
            let dot = name.lastIndex(of: "."), dot > name.startIndex
        else { return options.types }
        session.installTypes()
        let type = UniformType(filenameExtension: String(name[name.index(after: dot)...]))
        guard let type, type.isDeclared else { return [] }
        // Most such files hold plain text: scripts, tables, notes.
        let isTextFile = type.conforms(to: .text) && !type.conforms(to: .html) && !type.conforms(to: .rtf)
        return isTextFile ? [type.identifier, UniformType.plainText.identifier] : [type.identifier]
    }
}

/// The options of `xpb get` and `xpb history show`.
package struct GetOptions: Equatable, Sendable {
    /// The TYPEs, in order of preference.
    package var types: [String] = []
    package var output: String?
    /// The folder for every item and representation.
    package var all: String?
    package var item: Int?
    /// The entry of the history to read instead of the pasteboard.
    package var entry: Int?
    package var exact = false
    package var newline = false
    package var trim = false
    package var force = false
    /// True if contents captured earlier may replace those of an owner that does not answer.
    package var stale = false
    /// True to read from the clipboard of the terminal.
    package var fromTerminal = false

    /// The file to write to; nil for standard output.
    package var file: String? { output == "-" ? nil : output }
    /// True if the bytes are written as they are.
    var isPassedOn: Bool { !newline && !trim }
}

extension GetOptions {
    /// Creates the options for an entry of the history.
    package init(entry: Int) {
        self.init()
        self.entry = entry
    }

    package init(_ line: FastLine) {
        self.init(types: line.types.map(LosslessText.string(of:)), exact: line.exact)
    }
}

/// The arguments that select the representation and the way to write it.
package struct RepresentationFlags: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The type to write; repeat it to name others, in order of preference.", valueName: "TYPE"),
        completion: .offeredTypes)
    package var type: [String] = []

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write to a file, whose extension names the type if -t does not.", valueName: "FILE"),
        completion: .file())
    package var output: String?

    @Option(help: ArgumentHelp("The item, counted from 0 (default: the first).", valueName: "N"))
    package var item: Int?

    @Flag(help: "Write only types on offer, without conversion.")
    package var exact = false

    @Flag(help: "Add a newline at the end if there is none.")
    package var newline = false

    @Flag(help: "Remove one newline from the end.")
    package var trim = false

    @Flag(help: "Write binary data to a terminal.")
    package var force = false

    package init() {}

    package var options: GetOptions {
        GetOptions(
            types: type, output: output, item: item, exact: exact, newline: newline, trim: trim, force: force)
    }
}

/// The output of `get --json`: bytes as text if they are UTF-8, else in base64.
private struct GetJSON: Encodable {
    let pasteboard: String
    let count: Int
    let item: Int
    let type: String
    let target: String?
    let length: Int
    let stale: Bool?
    var text: String?
    var base64: String?

    init(_ pasteboard: String, _ found: FetchedRepresentation, _ ending: Ending, withBytes: Bool) throws {
        self.pasteboard = pasteboard
        count = found.count
        item = found.item
        type = found.type
        target = found.target
        length = ending.range.count + ending.suffix.utf8.count
        stale = found.isStale ? true : nil
        guard withBytes else { return }
        let bytes = try found.bytes.bytes(in: ending.range) + Array(ending.suffix.utf8)
        if try found.bytes.isUTF8Text(in: ending.range) {
            text = String(decoding: bytes, as: UTF8.self)
        } else {
            base64 = Data(bytes).base64EncodedString()
        }
    }
}

/// The removal or addition of a newline at the end of some bytes.
package struct Ending: Equatable {
    /// The range without the newline to remove.
    package let range: Range<Int>
    /// The newline to add.
    package let suffix: String

    /// - Parameters:
    ///   - trims: True to remove one newline, LF or CR LF.
    ///   - addsNewline: True to add a newline if the remaining bytes do not end with one.
    ///   - keepsReturn: True to remove only the LF of CR LF.
    package init(
        of held: ImmutableBytes, _ range: Range<Int>, trims: Bool, addsNewline: Bool = false, keepsReturn: Bool = false
    ) throws(Failure) {
        guard trims || addsNewline else {
            self.range = range
            suffix = ""
            return
        }
        do {
            let last = try held.bytes(in: max(range.lowerBound, range.upperBound - 3)..<range.upperBound)
            var remaining = last[...]
            if trims, remaining.last == UInt8(ascii: "\n") {
                remaining.removeLast()
                if !keepsReturn, remaining.last == UInt8(ascii: "\r") { remaining.removeLast() }
            }
            self.range = range.lowerBound..<range.upperBound - (last.count - remaining.count)
            suffix = addsNewline && remaining.last != UInt8(ascii: "\n") ? "\n" : ""
        } catch {
            throw Failure(.broken, "the bytes cannot be read: \(error)")
        }
    }
}
