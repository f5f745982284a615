/// An option of a command, as the walk over its arguments has to know it.
struct OptionForm: Sendable {
    enum Takes: Sendable {
        case nothing
        /// The next argument, unless that is an option.
        case value
        /// The next argument, whatever it looks like.
        case anything
        /// The next arguments, up to an option; one at least.
        case several
    }

    /// Without the dashes; a single character for an option that has no long name.
    let name: String
    let short: Character?
    let takes: Takes

    init(_ name: String, _ short: Character? = nil, _ takes: Takes = .nothing) {
        self.name = name
        self.short = short
        self.takes = takes
    }
}

/// A command's arguments in the order they were given: the argument library tells what was given, not in which order.
enum ArgumentWalk {
    enum Step: Equatable {
        /// By its name, with its value.
        case option(String, String?)
        case word(String)
    }

    /// Nil when an argument is not of the forms: the library has a better message for it, or it asks for help.
    static func steps(of arguments: some Sequence<String>, forms: [OptionForm]) -> [Step]? {
        var rest = Array(arguments)[...]
        var steps: [Step] = []
        while let argument = rest.popFirst() {
            if argument == "--" {
                steps += rest.map { .word($0) }
                break
            } else if !looksLikeOption(argument) {
                steps.append(.word(argument))
            } else if argument.hasPrefix("---") {
                return nil
            } else {
                let found =
                    argument.hasPrefix("--")
                    ? long(argument.dropFirst(2), forms: forms, rest: &rest)
                    : short(argument.dropFirst(), forms: forms, rest: &rest)
                guard let found else { return nil }
                steps += found
            }
        }
        return steps
    }

    /// A lone dash stands for standard input.
    private static func looksLikeOption(_ argument: String) -> Bool {
        argument.utf8.count > 1 && argument.utf8.first == UInt8(ascii: "-")
    }

    private static func long(
        _ argument: Substring, forms: [OptionForm], rest: inout ArraySlice<String>
    ) -> [Step]? {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let form = forms.first(where: { $0.name == parts[0] && $0.name.count > 1 }) else { return nil }
        return option(form, attached: parts.count > 1 ? String(parts[1]) : nil, rest: &rest)
    }

    /// `-n`, `-f FILE`, `-f=FILE`, or several flags of which the last may take a value: `-nq`, `-nf FILE`.
    private static func short(
        _ argument: Substring, forms: [OptionForm], rest: inout ArraySlice<String>
    ) -> [Step]? {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 1 || parts[0].count == 1 else { return nil }
        var steps: [Step] = []
        for (index, letter) in parts[0].enumerated() {
            guard let form = forms.first(where: { $0.short == letter }) else { return nil }
            let isLast = index == parts[0].count - 1
            guard isLast || form.takes == .nothing,
                let found = option(form, attached: parts.count > 1 ? String(parts[1]) : nil, rest: &rest)
            else { return nil }
            steps += found
        }
        return steps
    }

    private static func option(
        _ form: OptionForm, attached: String?, rest: inout ArraySlice<String>
    ) -> [Step]? {
        switch form.takes {
        case .nothing:
            return attached == nil ? [.option(form.name, nil)] : nil
        case .value, .anything:
            if let attached { return [.option(form.name, attached)] }
            guard let next = rest.first, next != "--", form.takes == .anything || !looksLikeOption(next) else {
                return nil
            }
            rest.removeFirst()
            return [.option(form.name, next)]
        case .several:
            var values = attached.map { [$0] } ?? []
            while let next = rest.first, !looksLikeOption(next) {
                values.append(next)
                rest.removeFirst()
            }
            return values.isEmpty ? nil : values.map { .option(form.name, $0) }
        }
    }
}
