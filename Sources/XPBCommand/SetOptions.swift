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

    static let forms =
        CommonOptions.forms + [
            OptionForm("type", "t", .value), OptionForm("file", "f", .value), OptionForm("text", nil, .anything),
            OptionForm("files", nil, .several), OptionForm("cut"), OptionForm("next"), OptionForm("trim", "n"),
            OptionForm("exact"), OptionForm("tee"), OptionForm("no-empty"), OptionForm("if-count", nil, .value),
        ]

    init() {}

    /// Understands a line whose options are all known. Nil leaves it to the argument library.
    ///
    /// - Throws: ``Failure`` for sources that make no sense in that order.
    init?(quick arguments: some Sequence<String>) throws(Failure) {
        guard let steps = ArgumentWalk.steps(of: arguments, forms: Self.forms) else { return nil }
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
    }

    /// What the argument library understood, with the order of the sources, which it does not tell.
    ///
    /// - Parameter arguments: Those behind the command's name.
    init(_ common: CommonFlags, _ flags: SourceFlags, in arguments: some Sequence<String>) throws(Failure) {
        let arguments = Array(arguments)
        guard let steps = ArgumentWalk.steps(of: arguments, forms: Self.forms),
            let options = try SetOptions(quick: arguments),
            options.common == common.plain, options.agrees(with: flags),
            Self.sources(in: steps) == Self.sources(in: flags)
        else {
            throw .usage(
                "the order of the sources cannot be told; write every option by itself, like -t TYPE or --text=STRING")
        }
        self = options
    }

    private func agrees(with flags: SourceFlags) -> Bool {
        trim == flags.trim && exact == flags.exact && cut == flags.cut && tee == flags.tee && noEmpty == flags.noEmpty
            && ifCount == flags.ifCount
    }

    /// The values of each kind, in order.
    private static func sources(in steps: [ArgumentWalk.Step]) -> [String: [String]] {
        var found: [String: [String]] = [:]
        for step in steps {
            switch step {
            case .word(let word): found["words", default: []].append(word)
            case .option("next", _): found["next", default: []].append("")
            case .option(let name, let value?) where ["type", "file", "text", "files"].contains(name):
                found[name, default: []].append(value)
            case .option: break
            }
        }
        return found
    }

    private static func sources(in flags: SourceFlags) -> [String: [String]] {
        [
            "words": flags.words, "next": Array(repeating: "", count: flags.next), "type": flags.type,
            "file": flags.file, "text": flags.text, "files": flags.files,
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
        default: return common.take(name, value)
        }
        return true
    }
}
