import PasteboardWire

/// What `xpb set` and `xpb add` are asked.
struct SetOptions: Equatable, Sendable {
    var common = CommonOptions()
    /// The sources of each item.
    var items: [[Source]] = []
    var trim = false
    var exact = false
    var cut = false
    var tee = false
    var noEmpty = false
    var ifCount: Int?
    var expires: Lifetime?
    var localOnly = false
    var concealed = false
    var once = false
    var memory = false
    /// The item that representations are added to.
    var item: Int?

    /// What holds for the contents; nil where nothing special does.
    var wire: WireOptions? {
        WireOptions(expires, localOnly: localOnly, concealed: concealed, once: once, memory: memory)
    }

    static let forms =
        CommonOptions.forms + [
            OptionForm("type", "t", .value), OptionForm("file", "f", .value), OptionForm("text", nil, .anything),
            OptionForm("command", "c", .value), OptionForm("files", nil, .several), OptionForm("cut"),
            OptionForm("next"), OptionForm("trim", "n"), OptionForm("exact"), OptionForm("tee"),
            OptionForm("no-empty"), OptionForm("if-count", nil, .value), OptionForm("expires", nil, .value),
            OptionForm("local-only"), OptionForm("concealed"), OptionForm("once"), OptionForm("memory"),
        ]
    /// Those of `add`.
    static let addForms = forms + [OptionForm("item", nil, .value)]

    init() {}

    /// Understands a line whose options are all known. Nil leaves it to the argument library.
    ///
    /// - Throws: ``Failure`` for sources that make no sense in that order.
    init?(quick arguments: some Sequence<String>, forms: [OptionForm] = Self.forms) throws(Failure) {
        guard let steps = ArgumentWalk.steps(of: arguments, forms: forms) else { return nil }
        var list = SourceList()
        for step in steps {
            switch step {
            case .word(let word): list.append(word: word)
            case .option(let name, let value):
                guard try list.take(name, value) || take(name, value) else { return nil }
            }
        }
        items = try list.finish(cut: cut)
        if tee, common.json {
            throw .usage("--tee and --json both write to standard output; leave one of them out")
        }
        if tee, items.first?.first?.isCommand == true {
            throw .usage("--tee writes the first source, and -c gives its bytes only when they are pasted")
        }
        if noEmpty, items.joined().contains(where: \.isCommand) {
            throw .usage("--no-empty looks at what the sources give, and -c gives its bytes only when they are pasted")
        }
        if concealed { try checkConcealed() }
        if let item {
            guard item >= 0 else { throw .usage("--item \(item): items are counted from 0") }
            guard items.count == 1 else {
                throw .usage(
                    "--item \(item) adds to one item, and the sources make \(items.count); add them one by one")
            }
        }
    }

    /// What the argument library understood, with the order of the sources, which it does not tell.
    ///
    /// - Parameters:
    ///   - item: Of `add`, which has that option alone.
    ///   - arguments: Those behind the command's name.
    init(
        _ common: CommonFlags, _ flags: SourceFlags, item: Int? = nil, forms: [OptionForm] = Self.forms,
        in arguments: some Sequence<String>
    ) throws(Failure) {
        let arguments = Array(arguments)
        guard let steps = ArgumentWalk.steps(of: arguments, forms: forms),
            let options = try SetOptions(quick: arguments, forms: forms),
            options.common == common.plain, options.agrees(with: flags), options.item == item,
            Self.sources(in: steps) == Self.sources(in: flags)
        else {
            throw .usage(
                "the order of the sources cannot be told; write every option by itself, like -t TYPE or --text=STRING")
        }
        self = options
    }

    private func agrees(with flags: SourceFlags) -> Bool {
        trim == flags.trim && exact == flags.exact && cut == flags.cut && tee == flags.tee && noEmpty == flags.noEmpty
            && ifCount == flags.ifCount && expires == flags.expires && localOnly == flags.localOnly
            && concealed == flags.concealed && once == flags.once && memory == flags.memory
    }

    /// A secret comes from where nobody else sees it, as one thing.
    private func checkConcealed() throws(Failure) {
        for source in items.joined() {
            switch source.origin {
            case .standardInput, .file: break
            case .text:
                throw .usage(
                    "--concealed takes no text from the command line, which every program of every user can see; "
                        + "give it on standard input, or with -f FILE")
            case .command: throw .usage("--concealed gives its bytes at once; pipe the command's output into 'xpb set'")
            case .fileURL: throw .usage("--concealed hides bytes, and --files copies where files are; use -f FILE")
            }
        }
        guard items.count == 1 else { throw .usage("--concealed is one item; leave --next out") }
    }

    /// The values of each kind, in order.
    private static func sources(in steps: [ArgumentWalk.Step]) -> [String: [String]] {
        var found: [String: [String]] = [:]
        for step in steps {
            switch step {
            case .word(let word): found["words", default: []].append(word)
            case .option("next", _): found["next", default: []].append("")
            case .option(let name, let value?) where ["type", "file", "text", "command", "files"].contains(name):
                found[name, default: []].append(value)
            case .option: break
            }
        }
        return found
    }

    private static func sources(in flags: SourceFlags) -> [String: [String]] {
        [
            "words": flags.words, "next": Array(repeating: "", count: flags.next), "type": flags.type,
            "file": flags.file, "text": flags.text, "command": flags.command, "files": flags.files,
        ].filter { !$0.value.isEmpty }
    }

    private mutating func take(_ name: String, _ value: String?) -> Bool {
        switch (name, value) {
        case ("trim", nil): trim = true
        case ("exact", nil): exact = true
        case ("cut", nil): cut = true
        case ("tee", nil): tee = true
        case ("no-empty", nil): noEmpty = true
        case ("if-count", let value?):
            guard let number = Int(value) else { return false }
            ifCount = number
        case ("expires", let value?):
            guard let time = Lifetime(argument: value) else { return false }
            expires = time
        case ("local-only", nil): localOnly = true
        case ("concealed", nil): concealed = true
        case ("once", nil): once = true
        case ("memory", nil): memory = true
        case ("item", let value?):
            guard let number = Int(value) else { return false }
            item = number
        default: return common.take(name, value)
        }
        return true
    }
}
