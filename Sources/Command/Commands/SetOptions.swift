package import CommandCore
package import FastPath
import LinuxSystem
package import PasteboardWire
import UniformTypes

/// The options of `xpb set` and `xpb add`.
package struct SetOptions: Equatable, Sendable {
    package var items: [[Source]] = []
    package var appends = false
    package var item: Int?
    package var trim = false
    /// True if the trimmed newline is an LF alone, even after a CR.
    package var keepsReturn = false
    package var exact = false
    package var tee = false
    package var noEmpty = false
    package var ifCount: Int?
    package var concealed = false
    /// The control sequence that sends the contents to the terminal; nil if they go to a pasteboard.
    package var terminalSequence: TerminalSequence?
    /// The properties of the contents; nil if they have none.
    package var wire: WireOptions?
    /// True if a type that looks misspelled is refused.
    package var checksSpelling = true
    /// The words, if they are the only source and each is the path of a file.
    package var filesAsText: [String] = []

    package init() {}

    /// Converts a line of the fast path, which has one source.
    package init(_ line: FastLine) {
        let origin: Source.Origin =
            switch line.source {
            case .standardInput: .standardInput
            case .text(let bytes): .text(LosslessText.string(of: bytes))
            case .file(let path): .file(LosslessText.string(of: path))
            }
        items = [[Source(origin: origin, types: line.types.map(LosslessText.string(of:)))]]
        appends = line.command == .add
        trim = line.trim
    }

    /// - Parameters:
    ///   - sources: The sources of the command line.
    ///   - exists: Returns true for the path of a file.
    /// - Throws: A failure with status 2 if the options contradict one another, or the order of the sources is invalid.
    package init(
        _ command: some SourceCommand, _ sources: [(kind: SourceLine.Kind, value: String)],
        exists: (String) -> Bool = { (try? FileStatus(ofPath: $0, followsSymlink: true)) != nil }
    ) throws(Failure) {
        let flags = command.sources
        var list = SourceList()
        // Only files can be cut, so words with --cut are their paths.
        let wordsAreFiles = flags.cut && !sources.contains { $0.kind == .files }
        for (kind, value) in sources { try list.append(kind, value, wordsAreFiles: wordsAreFiles) }
        items = try list.finish(cut: flags.cut)
        try Self.checkWords(in: sources, exists: exists)
        if !flags.cut, sources.allSatisfy({ $0.kind == .word && exists($0.value) }) {
            filesAsText = sources.map(\.value)
        }
        (appends, item) = (command.appends, command.item)
        (trim, exact, tee, noEmpty) = (flags.trim, flags.exact, flags.tee, flags.noEmpty)
        (ifCount, concealed, terminalSequence) = (flags.ifCount, flags.concealed, command.terminalSequence)
        wire = WireOptions(
            flags.expires, localOnly: flags.localOnly, concealed: concealed, once: flags.once, memory: flags.memory)
        try check(json: command.common.json)
    }

    /// Refuses the names of files as words after `-f`, which a shell makes of `-f *.png`: all names but the first would
    /// be copied as text.
    private static func checkWords(
        in sources: [(kind: SourceLine.Kind, value: String)], exists: (String) -> Bool
    ) throws(Failure) {
        for index in sources.indices where sources[index].kind == .file {
            let words = sources[(index + 1)...].prefix { $0.kind == .word }
            guard let first = words.first, words.allSatisfy({ exists($0.value) }) else { continue }
            throw .usage(
                "-f takes one file, and \(quoted(first.value)) would be copied as text; --files copies several files, "
                    + "and --text copies the next word as text")
        }
    }

    /// Refuses text of a binary type if a pipe may have the bytes: in `maim | xpb set -t image/png --text shot` the
    /// text would be the image. A pipe alone is not an error, since a command in a shell's loop may have one.
    ///
    /// - Parameter isPiped: Returns true if standard input is a pipe that has bytes or may get some.
    package func checkStandardInput(_ isPiped: () -> Bool) throws(Failure) {
        guard !items.joined().contains(where: { $0.origin == .standardInput }) else { return }
        for source in items.joined() {
            guard case .text(let text) = source.origin,
                let type = source.types.first(where: Self.isBinary), isPiped()
            else { continue }
            let beside = text.utf8.count <= 40 ? "--text \(Self.quoted(text))" : "--text …"
            throw .usage(
                "the text after -t \(type) is not of that type, and the pipe on standard input would not be read; name "
                    + "the pipe with -f -: xpb \(appends ? "add" : "set") -t \(type) -f - \(beside)")
        }
    }

    /// Returns true for a TYPE of pictures, sound, films or archives.
    private static func isBinary(_ name: String) -> Bool {
        guard let type = SourceType.concrete(named: name)?.type, !type.conforms(to: .text) else { return false }
        return [.image, .audio, .movie, .archive, .pdf].contains { type.conforms(to: $0) }
    }

    /// Returns true for a TYPE that has no dot or slash and is not a class, such as `png`.
    package static func isBareWord(_ name: String) -> Bool {
        !name.contains("/") && !name.contains(".") && TypeClass(rawValue: name) == nil
    }

    /// Returns a word quoted for a shell.
    package static func quoted(_ text: String) -> String {
        let isPlain =
            !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x2D...0x39).contains(byte) || byte == 0x5F
                    || (0x61...0x7A).contains(byte | 0x20)
            }
        return isPlain ? text : "'\(text.replacing("'", with: "'\\''"))'"
    }

    private func check(json: Bool) throws(Failure) {
        if tee, json {
            throw .usage("--tee and --json exclude each other: both write to standard output")
        }
        if tee, items.first?.first?.isCommand == true {
            throw .usage("--tee writes the first source, but -c has its bytes only when they are pasted")
        }
        if noEmpty, items.joined().contains(where: \.isCommand) {
            throw .usage("--no-empty checks the bytes of the sources, but -c has its bytes only when they are pasted")
        }
        if concealed { try checkConcealed() }
        if let item {
            guard item >= 0 else { throw .usage("--item \(item): items are counted from 0") }
            guard items.count == 1 else {
                throw .usage(
                    "--item \(item) adds to one item, but the sources make \(items.count) items; add them one by one")
            }
        }
    }

    /// Checks that a secret is one item and that other users cannot see its source.
    private func checkConcealed() throws(Failure) {
        for source in items.joined() {
            switch source.origin {
            case .standardInput, .file, .joined: break
            case .text:
                throw .usage(
                    "--concealed takes no text from the command line, which every program of every user can see; "
                        + "give it on standard input, or with -f FILE")
            case .command: throw .usage("--concealed needs its bytes at once; pipe the command's output into 'xpb set'")
            case .fileURL: throw .usage("--concealed hides bytes, but --files copies only URLs; use -f FILE")
            }
        }
        guard items.count == 1 else { throw .usage("--concealed allows only one item; leave --next out") }
    }
}

extension WireOptions {
    /// Creates the options; nil if none is set.
    package init?(_ expires: Lifetime?, localOnly: Bool, concealed: Bool = false, once: Bool, memory: Bool) {
        guard expires != nil || localOnly || concealed || once || memory else { return nil }
        func flag(_ isSet: Bool) -> Bool? { isSet ? true : nil }
        self.init(
            expires: expires?.milliseconds, localOnly: flag(localOnly), once: flag(once), concealed: flag(concealed),
            memory: flag(memory))
    }
}
