package import CommandCore
import UniformTypes

/// The origin of the bytes of a representation.
package struct Source: Equatable, Sendable {
    package enum Origin: Equatable, Sendable {
        case text(String)
        case standardInput
        case file(String)
        /// A file whose URL is the bytes.
        case fileURL(String)
        /// A command whose output is the bytes. It runs when they are first pasted.
        case command(String)
        /// Several origins, one after another. None of them is a command, a URL or a joined origin.
        indirect case joined([Origin])
    }

    package var origin: Origin
    /// The names of the type of the bytes; empty if the bytes determine it.
    package var types: [String]

    package init(origin: Origin, types: [String]) {
        self.origin = origin
        self.types = types
    }

    var isFile: Bool {
        if case .fileURL = origin { true } else { false }
    }

    var isCommand: Bool {
        if case .command = origin { true } else { false }
    }

    /// True if the bytes of a file or of standard input determine the type.
    var isReadWithoutType: Bool {
        switch origin {
        case .file, .standardInput: types.isEmpty
        case .text, .fileURL, .command, .joined: false
        }
    }

    /// True if the file's name may determine its type.
    var isFileWithoutType: Bool {
        if case .file = origin { types.isEmpty } else { false }
    }
}

/// A line of `set` or `add`, with its sources in order.
///
/// The order of types, sources and `--next` matters, but the argument library reports the values of each option without
/// their place among other options and words. This pass records the order and checks nothing: the library refuses
/// invalid lines.
package struct SourceLine {
    package enum Kind: Sendable { case type, text, file, command, files, next, word }

    private static let sourceOptions: [String: Kind] = [
        "t": .type, "type": .type, "text": .text, "f": .file, "file": .file, "c": .command, "command": .command,
        "files": .files, "next": .next,
    ]
    /// The other options that take a value.
    private static let otherOptions: Set = ["p", "pasteboard", "display", "timeout", "if-count", "expires", "item"]

    /// The options and words that concern sources, in the order of the line.
    package private(set) var sources: [(kind: Kind, value: String)] = []
    /// The line for the argument library, with only the first of successive words and files: the library accepts more,
    /// but its time grows with the square of their number.
    package private(set) var arguments: [String]
    /// True after a `--files` that other options separate from its paths (`--files --cut a`): the words are the paths.
    private var wordsAreFiles = false
    /// True after a `--files` without a path before the next source.
    private var lacksPath = false

    package init(_ line: [String]) {
        guard let command = line.first, ["set", "copy", "add"].contains(command) else {
            arguments = line
            return
        }
        arguments = [command]
        var rest = line.dropFirst()
        var hasMark = false
        while let argument = rest.popFirst() {
            if !Self.isOption(argument) {
                append(word: argument)
            } else if argument == "--" {
                arguments.append(argument)
                readDashes()
                hasMark = true
                while let word = rest.popFirst() { append(word: word) }
            } else {
                arguments.append(argument)
                append(option: argument, from: &rest)
            }
        }
        if !hasMark { readDashes() }
        if lacksPath || wordsAreFiles && sources.last?.kind != .files {
            // The library reports the option, since it has no value.
            arguments.insert("--files", at: arguments.firstIndex(of: "--") ?? arguments.endIndex)
        }
    }

    /// Returns true for an option. A single dash stands for standard input.
    private static func isOption(_ argument: String) -> Bool { argument.hasPrefix("-") && argument != "-" }

    private mutating func append(word: String) {
        let kind = wordsAreFiles ? Kind.files : .word
        if sources.last?.kind != kind { arguments.append(word) }
        sources.append((kind, word))
    }

    /// Treats a dash without other words next to it as standard input, as after `-f`. A dash after `--` is text.
    private mutating func readDashes() {
        for index in sources.indices where sources[index].kind == .word && sources[index].value == "-" {
            let beside = [index - 1, index + 1].filter(sources.indices.contains)
            if beside.allSatisfy({ sources[$0].kind != .word }) { sources[index].kind = .file }
        }
    }

    /// Takes the values of an option, or of several short ones (`-nt TYPE`), from the arguments that follow.
    private mutating func append(option argument: String, from rest: inout ArraySlice<String>) {
        let mark = argument.firstIndex(of: "=")
        let name = argument[..<(mark ?? argument.endIndex)]
        let names = name.hasPrefix("--") ? [String(name.dropFirst(2))] : name.dropFirst().map(String.init)
        for name in names {
            let kind = Self.sourceOptions[name]
            guard kind != nil || Self.otherOptions.contains(name) else { continue }
            if kind != nil, wordsAreFiles {
                lacksPath = lacksPath || sources.last?.kind != .files
                wordsAreFiles = false
            }
            if kind == .files, mark == nil, rest.first.map(Self.isOption) ?? false {
                wordsAreFiles = true
                arguments.removeLast()
                continue
            }
            var value = mark.map { String(argument[argument.index(after: $0)...]) } ?? ""
            if mark == nil, kind != .next, let next = rest.popFirst() {
                arguments.append(next)
                value = next
            }
            if let kind { sources.append((kind, value)) }
            while kind == .files, let path = rest.first, !Self.isOption(path) {
                rest.removeFirst()
                sources.append((.files, path))
            }
        }
    }
}

/// The sources of each item.
///
/// `-t` names the type of the next source, and several `-t` give it several names; `--next` begins the next item. Words
/// with no source between them are one source. Each path of `--files` is an item, and the first path belongs to the
/// current item.
package struct SourceList {
    private var items: [[Source]] = [[]]
    private var pendingTypes: [String] = []
    /// Words that are not yet a source.
    private var words: [String] = []
    private var readsStandardInput = false

    /// Returns a TYPE for the bridge, where a bare filename extension gets a dot.
    private static func typeName(_ name: String) -> String {
        TypeQuery.parse(name)?.byExtension == nil ? name : ".\(name)"
    }

    /// - Parameter wordsAreFiles: True if words are the paths of files.
    package mutating func append(
        _ kind: SourceLine.Kind, _ value: String, wordsAreFiles: Bool = false
    ) throws(Failure) {
        let kind = kind == .word && wordsAreFiles ? .files : kind
        guard kind != .word else { return words.append(value) }
        endWords()
        switch kind {
        case .word: break
        case .type: pendingTypes.append(Self.typeName(value))
        case .text: append(.text(value))
        case .file: try append(file: value)
        case .command:
            guard !value.isEmpty else { throw .usage("-c needs a command, but an empty string was given") }
            append(.command(value))
        case .files: try append(path: value)
        case .next: try beginItem()
        }
    }

    /// Returns the sources of each item; standard input if there are none.
    ///
    /// - Parameter cut: True if the files are to be moved; KDE's mark is then added to the first item.
    package mutating func finish(cut: Bool) throws(Failure) -> [[Source]] {
        endWords()
        if cut {
            guard let first = items.firstIndex(where: { $0.contains(where: \.isFile) }) else {
                throw .usage("--cut needs files, but none were given; name them after --files")
            }
            items[first].append(Source(origin: .text("1"), types: ["application/x-kde-cutselection"]))
        }
        if items == [[]] {
            append(.standardInput)
        } else if let type = pendingTypes.first {
            throw .usage("-t \(type) names the type of the next source, but none follows; put it before its source")
        } else if items.last?.isEmpty == true {
            throw .usage("--next begins an item, but no source follows it")
        }
        return items
    }

    private mutating func endWords() {
        guard !words.isEmpty else { return }
        let text = words.joined(separator: " ")
        words = []
        append(.text(text))
    }

    private mutating func append(_ origin: Source.Origin) {
        items[items.count - 1].append(Source(origin: origin, types: pendingTypes))
        pendingTypes = []
    }

    private mutating func append(file: String) throws(Failure) {
        if pendingTypes.isEmpty, items.last?.contains(where: \.isReadWithoutType) == true {
            throw .usage(
                "-f is given twice for one item, without types; put --next between them for two items, or -t before each "
                    + "for alternatives of one")
        }
        guard file == "-" else { return append(.file(file)) }
        guard !readsStandardInput else { throw .usage("-f - is given twice, but standard input can be read only once") }
        readsStandardInput = true
        append(.standardInput)
    }

    private mutating func append(path: String) throws(Failure) {
        if let type = pendingTypes.first {
            throw .usage("-t \(type) precedes --files, whose type is public.file-url; leave one of them out")
        }
        if items[items.count - 1].contains(where: \.isFile) { items.append([]) }
        append(.fileURL(path))
    }

    private mutating func beginItem() throws(Failure) {
        if let type = pendingTypes.first {
            throw .usage("-t \(type) names the type of the next source, but --next follows; put it before its source")
        }
        if items[items.count - 1].isEmpty {
            throw .usage("--next begins the next item, but no source precedes it")
        }
        items.append([])
    }
}
