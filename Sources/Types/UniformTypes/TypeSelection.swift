/// Selection of the representation that matches a query best.
extension TypeQuery {
    package typealias Offer = (type: UniformType, target: String?)

    /// Returns the index of the best offer for the first query that any offer matches; nil if no offer matches any
    /// query.
    ///
    /// An exact match, by target and then by type, precedes a match by conformance. Among offers of plain text, the
    /// most reliable encoding comes first; otherwise, the order of the offers decides.
    package static func best(of offered: [Offer], for wanted: [TypeQuery]) -> Int? {
        for query in wanted.flatMap({ [$0, $0.byExtension].compactMap(\.self) }) {
            let ranksText = query.matchesText
            let matches = offered.indices.compactMap { index in
                query.closeness(to: offered[index]).map { closeness in
                    (closeness.rawValue, ranksText ? textRank(offered[index]) : 0, index)
                }
            }
            if let best = matches.min(by: <) { return best.2 }
        }
        return nil
    }

    /// True if the query is for text, so that the encodings of the offers are compared.
    private var matchesText: Bool {
        switch self {
        case .identifier(let type): type.conforms(to: .text) && !type.conforms(to: .image)
        case .class(let known): known == .text || known == .html
        case .mimeType(let name), .target(let name): UniformType(target: name).conforms(to: .text)
        case .pattern(let pattern): pattern.hasPrefix("text/")
        }
    }

    /// The ways an offer can match a query, closest first.
    private enum Closeness: Int {
        case name, type, conformance, decodable
    }

    private func closeness(to offer: Offer) -> Closeness? {
        switch self {
        case .identifier(let type):
            if offer.target?.isExactly(type.identifier) == true { return .name }
            return closeness(of: offer, to: type, decoded: true)
        case .class(let known):
            // Plain text is preferred to markup that is offered before it.
            if known == .text, offer.type.conforms(to: .plainText) { return .type }
            return closeness(of: offer, to: known.type, decoded: true)
        case .mimeType(let name):
            if offer.target?.isExactly(name) == true { return .name }
            guard let type = UniformType(mimeType: name) else { return nil }
            return closeness(of: offer, to: type, decoded: false)
        case .target(let name):
            if offer.target?.isExactly(name) == true { return .name }
            // These targets have a particular encoding, Latin-1 or compound text, which other targets of plain text
            // lack.
            guard !["STRING", "C_STRING", "COMPOUND_TEXT"].contains(name) else { return nil }
            return closeness(of: offer, to: UniformType(target: name), decoded: false)
        case .pattern(let pattern):
            // The pattern is matched against all names of the type: UTF8_STRING is also text/plain.
            let names = X11Targets.names(for: offer.type, given: offer.target, exact: false) + [offer.type.identifier]
            return names.contains { Pattern.matches(pattern, $0) } ? .conformance : nil
        }
    }

    private func closeness(of offer: Offer, to type: UniformType, decoded: Bool) -> Closeness? {
        if offer.type == type { return .type }
        if offer.type.conforms(to: type) { return .conformance }
        // Converted text becomes UTF-8, regardless of the type under which the owner offers it.
        return decoded && type == .utf8PlainText && offer.type.conforms(to: .plainText) ? .decodable : nil
    }

    /// Ranks the encoding of an offer; smaller is better. `text/plain` is last, because GTK escapes characters in it.
    /// The encoding of STRING and TEXT must be guessed.
    private static func textRank(_ offer: Offer) -> Int {
        guard offer.type.conforms(to: .plainText) else { return offer.type.conforms(to: .text) ? 9 : 0 }
        switch offer.target {
        case nil, "UTF8_STRING": return offer.type == .plainText ? 8 : 0
        case "COMPOUND_TEXT": return 5
        case "TEXT": return 6
        case "STRING", "C_STRING": return 7
        case let target?:
            if offer.type == .utf8PlainText { return 1 }
            if offer.type == .utf16PlainText || offer.type == .utf16ExternalPlainText { return 3 }
            guard let mime = MIMEType(target), mime.essence == "text/plain" else { return 2 }
            return mime.charset == nil ? 8 : 4
        }
    }
}

/// The matching of patterns in which `*` stands for any characters.
private enum Pattern {
    /// Matches without regard to case.
    static func matches(_ pattern: String, _ name: String) -> Bool {
        let pattern = Array(pattern.lowercased().utf8)
        let name = Array(name.lowercased().utf8)
        var (p, n) = (0, 0)
        // If the pattern after the last star does not match here, matching continues one character later.
        var retry: (p: Int, n: Int)?
        while n < name.count {
            if p < pattern.count, pattern[p] == UInt8(ascii: "*") {
                p += 1
                retry = (p, n)
            } else if p < pattern.count, pattern[p] == name[n] {
                p += 1
                n += 1
            } else if let last = retry {
                (p, n) = (last.p, last.n + 1)
                retry = (p, n)
            } else {
                return false
            }
        }
        return pattern[p...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
