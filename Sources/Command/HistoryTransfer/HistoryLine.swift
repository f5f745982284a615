import FoundationEssentials
import UniformTypes

/// An entry as a line of JSON, as `history export` writes and `history import jsonl` reads it.
struct HistoryLine: Codable {
    /// A representation. It has either text or bytes in base64.
    struct Part: Codable {
        var type: String
        var target: String?
        var exact: Bool?
        var text: String?
        var data: Data?
    }

    /// The representations of one item: a list in order, or an object with types as keys and base64 as values.
    enum Types: Codable {
        case list([Part])
        case object([String: Data])

        init(from decoder: any Decoder) throws {
            do {
                self = .list(try [Part](from: decoder))
            } catch DecodingError.typeMismatch {
                self = .object(try [String: Data](from: decoder))
            }
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .list(let parts): try parts.encode(to: encoder)
            case .object(let values): try values.encode(to: encoder)
            }
        }
    }

    var text: String?
    var types: Types?
    /// The items, if there are several.
    var items: [Types]?
    var time: EntryTime?
    var pinned: Bool?
    var local: Bool?
    var program: String?
    var action: String?
    var pasteboard: String?
}

extension HistoryLine {
    init(_ entry: TransferredEntry) {
        let items = entry.items.map { Types.list($0.map { Part($0) }) }
        if let text = entry.onlyText {
            self.text = text
        } else if items.count == 1 {
            types = items[0]
        } else {
            self.items = items
        }
        time = entry.created.map { EntryTime(milliseconds: $0) }
        pinned = entry.isPinned ? true : nil
        local = entry.isLocalOnly ? true : nil
        (program, action) = (entry.program, entry.action)
        pasteboard = entry.pasteboard
    }

    /// Returns the entry.
    ///
    /// - Throws: The reason why the line is not an entry.
    func entry() throws(TransferFault) -> TransferredEntry {
        var entry: TransferredEntry
        switch (text, types, items) {
        case (let text?, nil, nil): entry = .text(text)
        case (nil, let types?, nil): entry = TransferredEntry(items: [try types.representations()])
        case (nil, nil, let items?):
            var all: [[TransferredEntry.Representation]] = []
            for item in items { all.append(try item.representations()) }
            entry = TransferredEntry(items: all)
        default: throw TransferFault("an entry has one of the members 'text', 'types' and 'items'")
        }
        guard !entry.items.isEmpty, entry.items.allSatisfy({ !$0.isEmpty }) else {
            throw TransferFault("the entry has no types")
        }
        entry.created = time?.milliseconds
        entry.isPinned = pinned ?? false
        entry.isLocalOnly = local ?? false
        (entry.program, entry.action, entry.pasteboard) = (program, action, pasteboard)
        return entry
    }
}

extension HistoryLine.Types {
    fileprivate func representations() throws(TransferFault) -> [TransferredEntry.Representation] {
        var all: [TransferredEntry.Representation] = []
        switch self {
        case .list(let parts):
            for part in parts { all.append(try part.representation()) }
        case .object(let values):
            // The members of a JSON object have no order.
            for (name, data) in values.sorted(by: { $0.key < $1.key }) {
                guard let representation = TransferredEntry.Representation(named: name, bytes: Array(data)) else {
                    throw TransferFault("'\(name)' is not a type")
                }
                all.append(representation)
            }
        }
        return all
    }
}

extension HistoryLine.Part {
    fileprivate init(_ representation: TransferredEntry.Representation) {
        type = representation.type
        target = representation.target
        exact = representation.exact ? true : nil
        if let text = String(validating: representation.bytes, as: UTF8.self), !text.utf8.contains(0) {
            self.text = text
        } else {
            data = Data(representation.bytes)
        }
    }

    fileprivate func representation() throws(TransferFault) -> TransferredEntry.Representation {
        let bytes: [UInt8]
        switch (text, data) {
        case (let text?, nil): bytes = Array(text.utf8)
        case (nil, let data?): bytes = Array(data)
        default: throw TransferFault("'\(type)' has either 'text' or 'data', which is base64")
        }
        guard target != nil else {
            guard let representation = TransferredEntry.Representation(named: type, bytes: bytes) else {
                throw TransferFault("'\(type)' is not a type")
            }
            return representation
        }
        guard UniformType(type) != nil else { throw TransferFault("'\(type)' is not a type") }
        return TransferredEntry.Representation(type: type, target: target, exact: exact ?? false, bytes: bytes)
    }
}

extension TransferredEntry {
    /// The text of an entry that has nothing else.
    fileprivate var onlyText: String? {
        guard items.count == 1, items[0].count == 1, let only = items[0].first, only.target == nil, !only.exact,
            only.type == UniformType.utf8PlainText.identifier
        else { return nil }
        return String(validating: only.bytes, as: UTF8.self)
    }
}

/// The reason why something cannot be imported: a sentence without a full stop.
package struct TransferFault: Error, Equatable {
    package let message: String

    package init(_ message: String) { self.message = message }
}
