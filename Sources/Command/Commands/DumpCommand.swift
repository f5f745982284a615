import ArgumentParser
import BridgeClient
import CommandCore
import LinuxSystem
import PasteboardModel
import SystemPackage
import UniformTypes

struct DumpCommand: PasteboardSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "dump", abstract: "Write every item and representation as one stream, for 'xpb load'.",
        discussion: """
            The stream is a line 'xpb-items 1', a line of JSON with items, types, targets and lengths, and the bytes \
            of all representations in that order. It does not contain the options of the contents, such as --expires; \
            give them to 'xpb load'.

              xpb dump > contents; xpb load < contents
              xpb dump | ssh host xpb load
            """)

    @Option(name: .shortAndLong, help: ArgumentHelp("Write to a file.", valueName: "FILE"), completion: .file())
    var output: String?

    @Flag(help: "Write to a terminal.")
    var force = false

    @OptionGroup var pasteboards: PasteboardFlags
    @OptionGroup(title: CommonFlags.title) var common: CommonFlags

    func perform(in session: Session) throws {
        let pasteboard = try session.pasteboard()
        let file = output == "-" ? nil : output
        if file == nil, session.common.json {
            throw Failure.usage("--json and the stream both go to standard output; write to a file with -o")
        }
        if file == nil, session.output.isTerminal, !force {
            throw Failure(
                .refused,
                "standard output is a terminal; write to a file with -o, or to the terminal with --force")
        }
        let contents = try session.fetch(pasteboard, by: try session.connect())
        if let problem = contents.problem {
            throw Failure(
                problem.status, "\(problem.message); nothing was written, and 'xpb get --all DIR' writes the rest")
        }
        if contents.isSecret {
            throw Failure(
                .refused,
                "the contents of '\(pasteboard)' are concealed, and a dump is for storing; "
                    + "'xpb get' writes one representation"
            )
        }
        let archive = ItemArchive(items: contents.items.map { $0.map(ItemArchive.Part.init) })
        let ranges = contents.representations.compactMap(\.range)
        if let file {
            try FileOutput.write(to: file) { destination throws(Errno) in
                try destination.writeBytes(archive.header)
                for (source, range) in ranges { try Transfer.copy(from: source, range: range, to: destination) }
            }
            if session.common.json {
                try session.output.write(
                    json: DumpJSON(pasteboard: pasteboard, count: contents.count, length: archive.length))
            }
        } else {
            try session.output.write(archive.header)
            for (source, range) in ranges { try session.output.write(source, range) }
        }
    }
}

extension ItemArchive.Part {
    fileprivate init(_ representation: FetchedContents.Representation) {
        self.init(
            type: representation.type, target: representation.target, exact: representation.exact,
            length: representation.range?.1.count ?? 0)
    }
}

/// The output of `dump -o FILE --json`.
private struct DumpJSON: Encodable {
    let pasteboard: String
    let count: Int
    let length: Int
}

extension FetchedContents {
    /// True if the contents were written with --concealed, or marked as concealed by a password manager.
    var isSecret: Bool {
        representations.contains { $0.range?.0.secret != nil || $0.type == UniformType.concealed.identifier }
    }
}

extension FetchedContents.Representation {
    /// The bytes; nil if they are missing.
    var range: (ImmutableBytes, Range<Int>)? {
        if case .range(let held, let range) = bytes { (held, range) } else { nil }
    }
}
