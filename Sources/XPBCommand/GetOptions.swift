/// What `xpb get` is asked.
struct GetOptions: Equatable, Sendable {
    var common = CommonOptions()
    /// In the order of preference.
    var types: [String] = []
    var output: String?
    /// The folder for all there is.
    var all: String?
    var item: Int?
    /// Of the history, in place of the pasteboard.
    var entry: Int?
    var exact = false
    var newline = false
    var trim = false
    var force = false
    /// What was captured of an owner that does not answer will do.
    var stale = false

    static let forms =
        CommonOptions.forms + [
            OptionForm("type", "t", .value), OptionForm("output", "o", .value), OptionForm("item", nil, .value),
            OptionForm("all", nil, .value), OptionForm("exact"), OptionForm("newline"), OptionForm("trim"),
            OptionForm("force"), OptionForm("stale"),
        ]

    init() {}

    /// Understands the plain forms, faster than the argument library is. Nil leaves the line to the library.
    init?(quick arguments: some Sequence<String>) {
        guard let steps = ArgumentWalk.steps(of: arguments, forms: Self.forms) else { return nil }
        for case let step in steps {
            guard case .option(let name, let value) = step, take(name, value) else { return nil }
        }
    }

    private mutating func take(_ name: String, _ value: String?) -> Bool {
        switch (name, value) {
        case ("type", let value?): types.append(value)
        case ("output", let value?): output = value
        case ("all", let value?): all = value
        case ("item", let value?):
            guard let number = Int(value) else { return false }
            item = number
        case ("exact", nil): exact = true
        case ("newline", nil): newline = true
        case ("trim", nil): trim = true
        case ("force", nil): force = true
        case ("stale", nil): stale = true
        default: return common.take(name, value)
        }
        return true
    }
}
