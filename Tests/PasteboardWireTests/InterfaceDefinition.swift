/// A Varlink interface definition, as far as these tests need it. See https://varlink.org/Interface-Definition.
struct InterfaceDefinition {
    /// The type of every member: `string`, `?int`, `[]Item`.
    typealias Members = [String: String]

    struct Method {
        var parameters: Members
        var reply: Members
    }

    struct Malformed: Error {
        var at: String
    }

    private(set) var name = ""
    private(set) var types: [String: Members] = [:]
    private(set) var methods: [String: Method] = [:]
    private(set) var errors: [String: Members] = [:]

    init(parsing text: String) throws {
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        var rest = lines.joined(separator: " ")[...]
        while let keyword = Self.word(&rest) {
            guard let name = Self.word(&rest) else { throw Malformed(at: keyword) }
            switch keyword {
            case "interface": self.name = name
            case "type": types[name] = try Self.members(&rest)
            case "error": errors[name] = try Self.members(&rest)
            case "method":
                let parameters = try Self.members(&rest)
                guard Self.word(&rest) == "->" else { throw Malformed(at: name) }
                methods[name] = Method(parameters: parameters, reply: try Self.members(&rest))
            default: throw Malformed(at: keyword)
            }
        }
    }

    private static func word(_ rest: inout Substring) -> String? {
        rest = rest.drop { $0 == " " }
        let word = rest.prefix { $0 != " " && $0 != "(" }
        rest = rest.dropFirst(word.count)
        return word.isEmpty ? nil : String(word)
    }

    /// What is between parentheses; the interfaces here nest none.
    private static func members(_ rest: inout Substring) throws -> Members {
        rest = rest.drop { $0 == " " }
        guard rest.first == "(", let end = rest.firstIndex(of: ")") else {
            throw Malformed(at: String(rest.prefix(40)))
        }
        defer { rest = rest[rest.index(after: end)...] }
        var members: Members = [:]
        for member in rest[..<end].dropFirst().split(separator: ",") {
            let parts = member.split(separator: ":").map { $0.filter { $0 != " " } }
            guard parts.count == 2 else { throw Malformed(at: String(member)) }
            members[parts[0]] = parts[1]
        }
        return members
    }
}
