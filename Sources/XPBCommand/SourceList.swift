/// Where the bytes of a representation come from.
struct Source: Equatable, Sendable {
    enum Origin: Equatable, Sendable {
        case text(String)
        case standardInput
        case file(String)
        /// The bytes are the URL of the file.
        case fileURL(String)
        /// The bytes are what a command writes, once they are wanted.
        case command(String)
    }

    var origin: Origin
    /// The names the same bytes have; none where the bytes are to tell.
    var types: [String]

    var isFile: Bool {
        if case .fileURL = origin { true } else { false }
    }

    var isCommand: Bool {
        if case .command = origin { true } else { false }
    }

    /// Its name may tell its type.
    var isFileWithoutType: Bool {
        if case .file = origin { types.isEmpty } else { false }
    }
}

/// Sources in the order of the command line.
///
/// `-t` names the type of the source behind it, several give it several names; `--next` begins the next item. Words that
/// nothing stands between are one text. Each path of `--files` is an item, of which the first is the present one.
struct SourceList {
    private var items: [[Source]] = [[]]
    private var pendingTypes: [String] = []
    /// Words that are not yet a source.
    private var words: [String] = []
    private var readsStandardInput = false

    mutating func append(word: String) {
        words.append(word)
    }

    /// - Returns: Whether the option is about sources.
    mutating func take(_ name: String, _ value: String?) throws(Failure) -> Bool {
        switch (name, value) {
        case ("type", let value?):
            endWords()
            pendingTypes.append(value)
        case ("text", let value?):
            endWords()
            append(.text(value))
        case ("file", let value?):
            endWords()
            try append(file: value)
        case ("command", let value?):
            endWords()
            guard !value.isEmpty else { throw .usage("-c needs a command, and an empty string was given") }
            append(.command(value))
        case ("files", let value?):
            endWords()
            try append(path: value)
        case ("next", nil):
            endWords()
            try beginItem()
        default:
            return false
        }
        return true
    }

    /// The sources of each item. Without any, standard input is the only one.
    ///
    /// - Parameter cut: The files are to be moved. KDE's mark says so, beside the first of them.
    mutating func finish(cut: Bool = false) throws(Failure) -> [[Source]] {
        endWords()
        if cut {
            guard let first = items.firstIndex(where: { $0.contains(where: \.isFile) }) else {
                throw .usage("--cut says what becomes of the files of --files, and there are none")
            }
            items[first].append(Source(origin: .text("1"), types: ["application/x-kde-cutselection"]))
        }
        if items == [[]] {
            append(.standardInput)
        } else if let type = pendingTypes.first {
            throw .usage("-t \(type) names the type of the next source, and none follows; put it before its source")
        } else if items.last?.isEmpty == true {
            throw .usage("--next begins an item, and no source follows it")
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
        guard file == "-" else { return append(.file(file)) }
        guard !readsStandardInput else { throw .usage("-f - stands twice, and standard input can be read only once") }
        readsStandardInput = true
        append(.standardInput)
    }

    private mutating func append(path: String) throws(Failure) {
        if let type = pendingTypes.first {
            throw .usage("-t \(type) stands before --files, whose type is public.file-url; leave one of them out")
        }
        if items[items.count - 1].contains(where: \.isFile) { items.append([]) }
        append(.fileURL(path))
    }

    private mutating func beginItem() throws(Failure) {
        if let type = pendingTypes.first {
            throw .usage("-t \(type) names the type of the next source, and --next follows; put it before its source")
        }
        if items[items.count - 1].isEmpty {
            throw .usage("--next begins the next item, and no source stands before it")
        }
        items.append([])
    }
}
