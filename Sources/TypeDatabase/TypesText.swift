import JSONC
import UniformTypes

/// The text of a `types.json`, with what each part of it says.
struct TypesText {
    struct Entry {
        let member: JSONObject.Member
        /// Nil when the entry has a fault.
        let declaration: TypeDeclaration?
        /// None where the member is damaged: those are the object's.
        let faults: [JSONObject.Fault]
    }

    let object: JSONObject
    private(set) var entries: [Entry] = []
    private(set) var faults: [JSONObject.Fault] = []

    init(_ bytes: [UInt8]) {
        object = JSONObject(file: bytes, limit: UserTypes.fileLimit)
        faults = object.faults
        var seen: Set<UniformType> = []
        for member in object.members {
            var reader = TypeEntryReader(member)
            if !member.isDamaged { reader.read(object) }
            // The second of two is a fault even where the first cannot be used.
            if let type = UniformType(member.key), !seen.insert(type).inserted {
                reader.add("is declared already; the first one counts", line: member.line)
            }
            faults += reader.faults
            let isSound = !member.isDamaged && reader.faults.isEmpty
            entries.append(
                Entry(member: member, declaration: isSound ? reader.declaration : nil, faults: reader.faults))
        }
        for index in CircularDeclarations.indices(in: entries.map(\.declaration)) {
            let member = entries[index].member
            let fault = JSONObject.Fault(
                line: member.line, message: "\(member.quotedKey): conforms to itself, by way of other types")
            faults.append(fault)
            entries[index] = Entry(member: member, declaration: nil, faults: [fault])
        }
        faults.sort { $0.line < $1.line }
    }
}

/// Reads an entry of a `types.json`.
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
            return add("an object in braces is to be here", line: entry.line)
        }
        for fault in body.faults { add(fault.message, line: fault.line) }
        var seen: Set<Key> = []
        for member in body.members where !member.isDamaged {
            guard let key = Key(rawValue: member.key) else {
                let known = Key.allCases.map(\.rawValue).joined(separator: ", ")
                add("\(member.quotedKey) is no key of a declaration; there are \(known)", line: member.line)
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
        add("\(member.quotedKey) is to be a string or an array of strings", line: member.line)
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
            if declaration.description == nil { add("\(member.quotedKey) is to be a string", line: member.line) }
        }
    }
}
