import JSONC
package import UniformTypes
package import UserFiles

/// An editor of entries in the text of a `types.json`. All other text, including comments, keeps its bytes.
///
/// Text is refused if the places of its entries are uncertain, with the fault as the reason.
package struct TypesEditor {
    private let bytes: [UInt8]
    private let file: String
    private let text: TypesText

    /// - Parameter file: The name of the file in faults.
    package init(_ bytes: [UInt8], file: String = "types.json") {
        self.bytes = bytes
        self.file = file
        text = TypesText(bytes)
    }

    /// Adds an entry at the end, or replaces the value of the entry of that type. An entry with a fault is not
    /// replaced, because this program may not understand all of it.
    package func setting(_ declaration: TypeDeclaration) throws(FileFault) -> [UInt8] {
        try checkStructure()
        let result: [UInt8]
        if let entry = entries(of: declaration.identifier).first {
            if let fault = entry.faults.first {
                throw FileFault(
                    file: file, line: fault.line, message: fault.message + "; fix or remove that entry first")
            }
            let value = TypeEntryText.value(of: declaration, indentation: indentation, newline: newline)
            result = replacing([(entry.member.valueRange, value)])
        } else {
            guard text.entries.count < JSONObject.maxMembers else {
                throw FileFault(
                    file: file, line: nil, message: "it has \(text.entries.count) entries, which is the maximum")
            }
            result = adding(declaration)
        }
        guard result.count <= UserTypes.maxFileSize else {
            throw FileFault(file: file, line: nil, message: "it would have more than \(UserTypes.maxFileSize) bytes")
        }
        return result
    }

    /// Removes every entry of a type; returns nil if there is no entry.
    package func removing(_ identifier: String) throws(FileFault) -> [UInt8]? {
        try checkStructure()
        let removed = entries(of: identifier).map(\.member)
        guard !removed.isEmpty else { return nil }
        let remaining = text.object.members.filter { !removed.contains($0) }
        var edits: [(Range<Int>, String)] = removed.flatMap { Self.ranges(of: $0, in: bytes) }.map { ($0, "") }
        // If the last entry had no comma, the new last entry gets no comma either.
        if text.object.members.last?.comma == nil, let comma = remaining.last?.comma {
            edits.append((comma..<comma + 1, ""))
        }
        return replacing(edits)
    }

    private func checkStructure() throws(FileFault) {
        if let fault = text.object.faults.first(where: \.isStructural) {
            throw FileFault(file: file, line: fault.line, message: fault.message)
        }
    }

    private func entries(of identifier: String) -> [TypesText.Entry] {
        let type = UniformType(identifier)
        return text.entries.filter { $0.member.key == identifier || type != nil && UniformType($0.member.key) == type }
    }

    private func adding(_ declaration: TypeDeclaration) -> [UInt8] {
        let entry = indentation + TypeEntryText.entry(of: declaration, indentation: indentation, newline: newline)
        guard let opening = text.object.opening, let closing = text.object.closing else {
            // The text has no entries.
            let separator = bytes.isEmpty || bytes.last == UInt8(ascii: "\n") ? "" : newline
            return bytes + Array("\(separator){\(newline)\(entry)\(newline)}\(newline)".utf8)
        }
        let last = text.object.members.last
        let ending = last?.comma == nil ? newline : ",\(newline)"
        var edits: [(Range<Int>, String)] = []
        if let last, last.comma == nil { edits.append((last.valueRange.upperBound..<last.valueRange.upperBound, ",")) }
        let blanks = Self.blanks(before: closing, in: bytes)
        if blanks.lowerBound > opening + 1, bytes[blanks.lowerBound - 1] == UInt8(ascii: "\n") {
            edits.append((blanks.lowerBound..<blanks.lowerBound, entry + ending))
        } else {
            edits.append((blanks, newline + entry + ending))
        }
        return replacing(edits)
    }

    /// Applies edits.
    ///
    /// - Parameter edits: The ranges, which do not overlap, and their replacements. Insertions at the same place keep
    ///   their order.
    private func replacing(_ edits: [(range: Range<Int>, text: String)]) -> [UInt8] {
        let order = edits.indices.sorted {
            let (left, right) = (edits[$0].range, edits[$1].range)
            return (left.lowerBound, left.upperBound, $0) < (right.lowerBound, right.upperBound, $1)
        }
        var result = bytes
        // Edits are made from the end, so that the ranges before an edit stay valid.
        for index in order.reversed() { result.replaceSubrange(edits[index].range, with: edits[index].text.utf8) }
        return result
    }

    private var newline: String {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")), end > 0 else { return "\n" }
        return bytes[end - 1] == UInt8(ascii: "\r") ? "\r\n" : "\n"
    }

    /// The indentation of the first entry that begins a line.
    private var indentation: String {
        for member in text.object.members {
            let blanks = Self.blanks(before: member.keyRange.lowerBound, in: bytes)
            if blanks.lowerBound > 0, bytes[blanks.lowerBound - 1] == UInt8(ascii: "\n") {
                return String(decoding: bytes[blanks], as: UTF8.self)
            }
        }
        return "  "
    }

    /// Returns the ranges of an entry and its comma, or the range of their whole line if the line holds nothing else.
    private static func ranges(of member: JSONObject.Member, in bytes: [UInt8]) -> [Range<Int>] {
        let entry = member.keyRange.lowerBound..<member.valueRange.upperBound
        let comma = member.comma.map { $0..<$0 + 1 }
        let before = blanks(before: entry.lowerBound, in: bytes)
        var end = entry.upperBound
        while end < bytes.count, isBlank(bytes[end]) || end == member.comma { end += 1 }
        let passesComma = member.comma.map { $0 < end } ?? true
        if passesComma, end < bytes.count, bytes[end] == UInt8(ascii: "\n"), before.lowerBound > 0,
            bytes[before.lowerBound - 1] == UInt8(ascii: "\n")
        {
            return [before.lowerBound..<end + 1]
        }
        return [entry] + [comma].compactMap(\.self)
    }

    private static func blanks(before index: Int, in bytes: [UInt8]) -> Range<Int> {
        var start = index
        while start > 0, isBlank(bytes[start - 1]) { start -= 1 }
        return start..<index
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }
}

/// The text of a declaration as an entry of a `types.json`.
enum TypeEntryText {
    /// Returns the key and the value.
    static func entry(of declaration: TypeDeclaration, indentation: String, newline: String) -> String {
        let key = JSONObject.quoted(declaration.identifier)
        return "\(key): \(value(of: declaration, indentation: indentation, newline: newline))"
    }

    /// Returns the value on one line if the line and the identifier have at most 100 bytes, else with each part on its
    /// own line.
    static func value(of declaration: TypeDeclaration, indentation: String, newline: String) -> String {
        let lists = [
            ("conforms-to", declaration.conformsTo), ("mime", declaration.mimeTypes),
            ("extensions", declaration.filenameExtensions), ("targets", declaration.targets),
        ]
        var parts = lists.filter { !$0.1.isEmpty }.map { key, names in
            "\(JSONObject.quoted(key)): [\(names.map(JSONObject.quoted).joined(separator: ", "))]"
        }
        if let description = declaration.description {
            parts.append("\"description\": \(JSONObject.quoted(description))")
        }
        guard !parts.isEmpty else { return "{}" }
        let line = "{ \(parts.joined(separator: ", ")) }"
        guard line.utf8.count + declaration.identifier.utf8.count > 100 else { return line }
        let inner = newline + indentation + (indentation.isEmpty ? "  " : indentation)
        return "{" + parts.map { inner + $0 }.joined(separator: ",") + newline + indentation + "}"
    }
}
