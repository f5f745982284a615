import JSONC
package import UniformTypes
package import UserFiles

/// An editor of entries in the text of a `types.json`.
///
/// Text is refused if the places of its entries are uncertain, with the fault as the reason.
package struct TypesEditor {
    private let file: String
    private let text: TypesText
    private let editor: JSONObjectEditor

    /// - Parameter file: The name of the file in faults.
    package init(_ bytes: [UInt8], file: String = "types.json") {
        self.file = file
        text = TypesText(bytes)
        editor = JSONObjectEditor(text.object)
    }

    /// Adds an entry at the end, or replaces the value of the entry of that type. An entry with a fault is not
    /// replaced, because this program may not understand all of it.
    package func setting(_ declaration: TypeDeclaration) throws(FileFault) -> [UInt8] {
        try checkStructure()
        let value = TypeEntryText.value(
            of: declaration, indentation: editor.indentation, newline: editor.newline)
        let result: [UInt8]
        if let entry = entries(of: declaration.identifier).first {
            if let fault = entry.faults.first {
                throw FileFault(
                    file: file, line: fault.line, message: fault.message + "; fix or remove that entry first")
            }
            result = editor.replacing(entry.member, with: value)
        } else {
            guard text.entries.count < JSONObject.maxMembers else {
                throw FileFault(
                    file: file, line: nil, message: "it has \(text.entries.count) entries, which is the maximum")
            }
            result = editor.adding(declaration.identifier, value)
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
        return removed.isEmpty ? nil : editor.removing(removed)
    }

    private func checkStructure() throws(FileFault) {
        if let fault = text.object.structuralFault {
            throw FileFault(file: file, line: fault.line, message: fault.message)
        }
    }

    private func entries(of identifier: String) -> [TypesText.Entry] {
        let type = UniformType(identifier)
        return text.entries.filter { $0.member.key == identifier || type != nil && UniformType($0.member.key) == type }
    }
}

/// The text of a declaration as a value in a `types.json`.
enum TypeEntryText {
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
