import JSONC
package import UniformTypes

/// The parsed text of a `types.json`.
struct TypesText {
    struct Entry {
        let member: JSONObject.Member
        /// The declaration; nil if the entry has a fault.
        let declaration: TypeDeclaration?
        /// The faults of the entry. The faults of a damaged member are among those of the object instead.
        let faults: [JSONObject.Fault]
    }

    let object: JSONObject
    private(set) var entries: [Entry] = []
    private(set) var faults: [JSONObject.Fault] = []

    init(_ bytes: [UInt8]) {
        object = JSONObject(file: bytes, limit: UserTypes.maxFileSize)
        faults = object.faults
        var seen: Set<UniformType> = []
        for member in object.members {
            var reader = TypeEntryReader(member)
            if !member.isDamaged { reader.read(object) }
            // A second declaration of a type is a fault even if the first cannot be used.
            if let type = UniformType(member.key), !seen.insert(type).inserted {
                reader.add("is declared already; the first declaration is used", line: member.line)
            }
            faults += reader.faults
            let isSound = !member.isDamaged && reader.faults.isEmpty
            entries.append(
                Entry(member: member, declaration: isSound ? reader.declaration : nil, faults: reader.faults))
        }
        for index in CircularDeclarations.indices(in: entries.map(\.declaration)) {
            let member = entries[index].member
            let fault = JSONObject.Fault(
                line: member.line, message: "\(member.quotedKey): conforms to itself through other types")
            faults.append(fault)
            entries[index] = Entry(member: member, declaration: nil, faults: [fault])
        }
        faults.sort { $0.line < $1.line }
    }
}

/// A parser for an entry of a `types.json`.
struct TypeEntryReader {
    private enum Key: String, CaseIterable {
        case conformsTo = "conforms-to"
        case mime, extensions, targets, description
    }

    private(set) var declaration: TypeDeclaration
    private(set) var faults: [JSONObject.Fault] = []
    private let entry: JSONObject.Member

    init(_ entry: JSONObject.Member) {
        self.entry = entry
        declaration = TypeDeclaration(identifier: entry.key)
    }

    mutating func add(_ message: String, line: Int) {
        faults.append(JSONObject.Fault(line: line, message: "\(entry.quotedKey): \(message)"))
    }

    mutating func read(_ file: JSONObject) {
        guard let body = file.object(in: entry) else {
            return add("an object in braces is expected here", line: entry.line)
        }
        for fault in body.faults { add(fault.message, line: fault.line) }
        var seen: Set<Key> = []
        for member in body.members where !member.isDamaged {
            guard let key = Key(rawValue: member.key) else {
                let known = Key.allCases.map(\.rawValue).joined(separator: ", ")
                add("\(member.quotedKey) is not a key of a declaration; the keys are \(known)", line: member.line)
                continue
            }
            if seen.insert(key).inserted {
                read(key, member, body)
            } else {
                add("\(member.quotedKey) is given twice", line: member.line)
            }
        }
        for fault in declaration.faults() { add(fault, line: entry.line) }
    }

    private mutating func strings(_ member: JSONObject.Member, _ body: JSONObject) -> [String] {
        if let strings = body.strings(of: member) { return strings }
        add("\(member.quotedKey) must be a string or an array of strings", line: member.line)
        return []
    }

    private mutating func read(_ key: Key, _ member: JSONObject.Member, _ body: JSONObject) {
        switch key {
        case .conformsTo: declaration.conformsTo = strings(member, body)
        case .mime: declaration.mimeTypes = strings(member, body)
        case .extensions: declaration.filenameExtensions = strings(member, body)
        case .targets: declaration.targets = strings(member, body)
        case .description:
            declaration.description = body.value(of: member, as: String.self)
            if declaration.description == nil { add("\(member.quotedKey) must be a string", line: member.line) }
        }
    }
}

/// The search for declarations that conform to themselves through other declarations.
package enum CircularDeclarations {
    /// Returns the indices of these declarations: those that remain after repeatedly removing each declaration that
    /// leads to no other, and then each declaration that no other leads to.
    package static func indices(in declarations: [TypeDeclaration?]) -> Set<Int> {
        var numbers: [UniformType: Int] = [:]
        for (number, declaration) in declarations.enumerated() {
            guard let type = declaration.flatMap({ UniformType($0.identifier) }) else { continue }
            numbers[type] = numbers[type] ?? number
        }
        var targets: [Int: Set<Int>] = [:]
        for (number, declaration) in declarations.enumerated() {
            let parents = (declaration?.conformsTo ?? []).compactMap { UniformType($0) }
            // A built-in parent may have ancestors that are declared here.
            targets[number] = Set(
                parents.flatMap { parent -> [Int] in
                    if let number = numbers[parent] { return [number] }
                    return parent.isBuiltIn ? parent.supertypes.compactMap { numbers[$0] } : []
                })
        }
        let outward = Self.remaining(Array(declarations.indices), targets)
        var sources: [Int: Set<Int>] = [:]
        for (number, others) in targets { for other in others { sources[other, default: []].insert(number) } }
        return Set(Self.remaining(Array(outward), sources.mapValues { $0.intersection(outward) }))
    }

    /// Returns the nodes that remain after removing each node that leads to no remaining node (Kahn's algorithm).
    private static func remaining(_ nodes: [Int], _ targets: [Int: Set<Int>]) -> Set<Int> {
        var sources: [Int: [Int]] = [:]
        var open: [Int: Int] = [:]
        for node in nodes {
            let others = targets[node] ?? []
            open[node] = others.count
            for other in others { sources[other, default: []].append(node) }
        }
        var ready = nodes.filter { open[$0] == 0 }
        var rest = Set(nodes)
        while let node = ready.popLast() {
            rest.remove(node)
            for source in sources[node] ?? [] {
                open[source, default: 0] -= 1
                if open[source] == 0 { ready.append(source) }
            }
        }
        return rest
    }
}
