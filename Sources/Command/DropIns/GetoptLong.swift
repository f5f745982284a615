/// A parser of options like getopt_long(3) of glibc, with its messages: options after words, combined short options,
/// and abbreviated long options.
struct GetoptLong {
    struct Option {
        let letter: Character
        let name: String
        var takesValue = false
    }

    let program: String
    let options: [Option]
    /// The option whose value ends the options: the rest of the line belongs to the value.
    var last: Character?
    /// The letters of options without a short form.
    var longOnly: Set<Character> = []

    enum Outcome {
        case found([(letter: Character, value: String)], words: [String])
        /// The rest of the line after the value of ``last``.
        case ended([(letter: Character, value: String)], rest: [String])
        case failed(String)
    }

    func parse(_ arguments: [String]) -> Outcome {
        var found: [(Character, String)] = []
        var words: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                words += rest
                break
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                words.append(argument)
                continue
            }
            switch argument.hasPrefix("--") ? long(argument, &rest) : short(argument, &rest) {
            case .failure(let message): return .failed(message.text)
            case .success(let options):
                found += options
                if let last, let option = options.last, option.0 == last { return .ended(found, rest: Array(rest)) }
            }
        }
        return .found(found, words: words)
    }

    private struct Message: Error {
        let text: String
    }

    private func failure(_ text: String) -> Result<[(Character, String)], Message> {
        .failure(Message(text: "\(program): \(text)\n"))
    }

    private func long(_ argument: String, _ rest: inout ArraySlice<String>) -> Result<[(Character, String)], Message> {
        let body = argument.dropFirst(2)
        let name = body.prefix { $0 != "=" }
        let value = name.count < body.count ? String(body.dropFirst(name.count + 1)) : nil
        var matches = options.filter { $0.name == name }
        if matches.isEmpty { matches = options.filter { $0.name.hasPrefix(name) } }
        if matches.count > 1 {
            let names = matches.map { "'--\($0.name)'" }.joined(separator: " ")
            return failure("option '\(argument)' is ambiguous; possibilities: \(names)")
        }
        guard let option = matches.first else { return failure("unrecognized option '\(argument)'") }
        if !option.takesValue {
            guard value == nil else { return failure("option '--\(option.name)' doesn't allow an argument") }
            return .success([(option.letter, "")])
        }
        guard let value = value ?? rest.popFirst() else {
            return failure("option '--\(option.name)' requires an argument")
        }
        return .success([(option.letter, value)])
    }

    private func short(_ argument: String, _ rest: inout ArraySlice<String>) -> Result<[(Character, String)], Message> {
        var found: [(Character, String)] = []
        var letters = argument.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = options.first(where: { $0.letter == letter }), !longOnly.contains(letter) else {
                return failure("invalid option -- '\(letter)'")
            }
            guard option.takesValue else {
                found.append((letter, ""))
                continue
            }
            guard let value = letters.isEmpty ? rest.popFirst() : String(letters) else {
                return failure("option requires an argument -- '\(letter)'")
            }
            found.append((letter, value))
            break
        }
        return .success(found)
    }
}
