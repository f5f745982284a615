import FoundationEssentials

extension ItemArchive {
    /// The manifest: the line of JSON in an archive's header.
    struct Manifest: Codable {
        struct Item: Codable {
            var representations: [Part]
        }

        private let members: [Item]
        let record: Record?

        private enum CodingKeys: String, CodingKey {
            case members = "items"
            case record = "entry"
        }

        var items: [[Part]] { members.map(\.representations) }

        init(_ items: [[Part]], record: Record?) {
            members = items.map { Item(representations: $0) }
            self.record = record
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            members = try container.decode([Item].self, forKey: .members)
            // Another program's manifest may have a member of that name, which is ignored like any unknown member.
            record = try? container.decodeIfPresent(Record.self, forKey: .record)
        }

        init(line: ArraySlice<UInt8>) throws(ItemArchiveError) {
            // The decoder takes text with a NUL among its first bytes for UTF-16 or UTF-32.
            guard !line.contains(0), String(validating: line, as: UTF8.self) != nil else {
                throw .damaged("its manifest is not UTF-8 text")
            }
            do {
                self = try JSONDecoder().decode(Self.self, from: Data(line))
            } catch {
                throw .damaged(Self.reason(error))
            }
        }

        /// The encoded manifest without a newline. Equal items always give equal bytes.
        var line: [UInt8] {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            do {
                return [UInt8](try encoder.encode(self))
            } catch {
                preconditionFailure("strings and integers cannot fail to encode: \(error)")
            }
        }

        private static func reason(_ error: any Error) -> String {
            guard let error = error as? DecodingError else { return "its manifest cannot be read" }
            return switch error {
            case .keyNotFound(let key, let context):
                "\(place(context.codingPath)) has no member \"\(key.stringValue)\""
            case .typeMismatch(_, let context), .valueNotFound(_, let context):
                "\(place(context.codingPath)) has the wrong JSON type"
            // The decoder also reports a number out of range like this, without its path.
            case .dataCorrupted: "its manifest is not JSON, or has a length that is not a whole number in range"
            @unknown default: "its manifest cannot be read"
            }
        }

        private static func place(_ path: [any CodingKey]) -> String {
            let steps = path.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }
            return path.isEmpty ? "its manifest" : "its manifest's " + steps.joined().dropFirst()
        }
    }
}

extension ItemArchive.Part: Codable {
    private enum Member: String, CodingKey { case type, target, exact, length }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        type = try members.decode(String.self, forKey: .type)
        target = try members.decodeIfPresent(String.self, forKey: .target)
        exact = try members.decodeIfPresent(Bool.self, forKey: .exact) ?? false
        length = try members.decode(Int.self, forKey: .length)
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Member.self)
        try members.encode(type, forKey: .type)
        try members.encodeIfPresent(target, forKey: .target)
        if exact { try members.encode(exact, forKey: .exact) }
        try members.encode(length, forKey: .length)
    }
}
