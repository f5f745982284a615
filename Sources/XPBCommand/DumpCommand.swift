import ArgumentParser
import BridgeClient
import LinuxSystem
import PasteboardModel
import SystemPackage
import UniformTypes

/// `xpb dump`.
struct DumpCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "dump", abstract: "Write every item and representation as one stream, for 'xpb load'.",
        discussion: """
            The stream is a line 'xpb-items 1', a line of JSON that tells items, types, targets and lengths, and the \
            bytes of all representations in that order. The lifetime of the contents and --local-only are not in it; \
            'xpb load' takes them as options.
            """)

    @OptionGroup var common: CommonFlags

    @Option(name: .shortAndLong, help: ArgumentHelp("Write to a file.", valueName: "FILE"), completion: .file())
    var output: String?

    @Flag(help: "Write to a terminal.")
    var force = false

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
                problem.status, "\(problem.message); nothing was written, 'xpb get --all DIR' writes what there is")
        }
        if contents.isSecret {
            throw Failure(
                .refused,
                "what is on '\(pasteboard)' is concealed, and a dump is for keeping; 'xpb get' writes one representation"
            )
        }
        let archive = ItemArchive(items: Self.parts(of: contents))
        let ranges = contents.forms.compactMap(\.range)
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

    static func parts(of contents: FetchedContents) -> [[ItemArchive.Part]] {
        var items: [[ItemArchive.Part]] = []
        var number: Int?
        for form in contents.forms {
            if form.item != number { items.append([]) }
            number = form.item
            items[items.count - 1].append(
                ItemArchive.Part(
                    type: form.type, target: form.target, exact: form.exact, length: form.range?.1.count ?? 0))
        }
        return items
    }
}

/// What `dump -o FILE --json` writes.
private struct DumpJSON: Encodable {
    let pasteboard: String
    let count: Int
    let length: Int
}

extension FetchedContents {
    /// Whether they were written as concealed, or are marked so, as a password manager does.
    var isSecret: Bool {
        forms.contains { $0.range?.0.secret != nil || $0.type == UniformType.concealed.identifier }
    }
}

extension FetchedForm {
    /// Nil where the bytes are missing.
    var range: (HeldBytes, Range<Int>)? {
        if case .range(let held, let range) = bytes { (held, range) } else { nil }
    }
}
