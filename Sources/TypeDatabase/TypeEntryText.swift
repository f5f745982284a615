import JSONC
import UniformTypes

/// A declaration as an entry of a `types.json`.
enum TypeEntryText {
    /// Key and value.
    static func entry(of declaration: TypeDeclaration, indentation: String, newline: String) -> String {
        "\(JSONObject.quoted(declaration.identifier)): \(value(of: declaration, indentation: indentation, newline: newline))"
    }

    /// On one line where that is not too long, else a line for each part.
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
