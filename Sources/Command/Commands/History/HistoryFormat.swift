package import CommandCore
import Configuration
package import FoundationEssentials
package import PasteboardWire

/// The template of `xpb history --format`: text with fields in braces, such as `{id}\t{preview}`.
package struct HistoryFormat {
    private enum Field: String, CaseIterable {
        case id, preview, type, age, count, pasteboard, program, action, created, copies, items, length, width, height
        case pinned, icon
    }

    private enum Part {
        case text(String)
        case field(Field)
    }

    static var fieldNames: String { Field.allCases.map(\.rawValue).joined(separator: ", ") }

    private var parts: [Part] = []

    /// - Throws: A failure with status 2 for an unknown field or escape.
    package init(_ template: String) throws(Failure) {
        var text = String.UnicodeScalarView()
        var rest = template.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\\": text.append(try Self.escaped(&rest))
            case "{":
                parts.append(.text(String(text)))
                text = String.UnicodeScalarView()
                parts.append(.field(try Self.field(&rest)))
            default: text.append(scalar)
            }
        }
        parts.append(.text(String(text)))
    }

    /// True if the template has the field `icon`.
    var hasIcon: Bool {
        parts.contains { part in
            if case .field(.icon) = part { true } else { false }
        }
    }

    /// Returns the entry in the form of the template. A field without a value is empty.
    ///
    /// - Parameter icon: Returns the path of an entry's picture.
    package func text(
        _ entry: WireHistoryEntry, _ preview: Preview, at now: Date, icon: (WireHistoryEntry) -> String = { _ in "" }
    ) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .field(.icon): icon(entry)
            case .field(let field): Self.value(field, of: entry, preview, now)
            }
        }.joined()
    }

    private static func value(
        _ field: Field, of entry: WireHistoryEntry, _ preview: Preview, _ now: Date
    ) -> String {
        switch field {
        case .id: String(entry.id)
        case .preview: preview.text(entry)
        case .type: preview.kind(entry)
        case .age: Age.text(since: entry.created, at: now)
        case .count: String(entry.count)
        case .pasteboard: entry.pasteboard
        case .program: Preview.oneLine(entry.program ?? "")
        case .action: Preview.oneLine(entry.action ?? "")
        case .created: Moment.text(entry.created)
        case .copies: String(entry.copies)
        case .items: String(entry.items)
        case .length: String(entry.length)
        case .width: entry.width.map(String.init) ?? ""
        case .height: entry.height.map(String.init) ?? ""
        case .pinned: entry.pinned ? "pinned" : ""
        case .icon: ""
        }
    }

    // MARK: Parsing

    /// Parses a field after its opening brace.
    private static func field(_ rest: inout Substring.UnicodeScalarView) throws(Failure) -> Field {
        guard let end = rest.firstIndex(of: "}") else {
            throw .usage("--format has a { without a }; write \\{ for the character")
        }
        let name = String(rest[..<end])
        rest = rest[rest.index(after: end)...]
        guard let field = Field(rawValue: name) else {
            let meant = Suggestion.nearest(to: name, among: Field.allCases.map(\.rawValue))
            throw .usage(
                "there is no field {\(name)}" + (meant.map { "; did you mean {\($0)}?" } ?? ", only \(fieldNames)"))
        }
        return field
    }

    /// Parses an escape after its backslash.
    private static func escaped(_ rest: inout Substring.UnicodeScalarView) throws(Failure) -> Unicode.Scalar {
        let letter = rest.popFirst()
        switch letter {
        case "t": return "\t"
        case "n": return "\n"
        case "0": return "\0"
        case "\\", "{": return letter ?? "\\"
        case "x":
            let digits = rest.prefix(2)
            let isHexadecimal = digits.count == 2 && digits.allSatisfy(\.properties.isASCIIHexDigit)
            if isHexadecimal, let value = UInt8(String(digits), radix: 16), value < 0x80 {
                rest = rest.dropFirst(2)
                return Unicode.Scalar(value)
            }
        default: break
        }
        throw .usage("--format has an unknown escape; the escapes are \\t, \\n, \\0, \\xHH of ASCII, \\\\ and \\{")
    }
}
