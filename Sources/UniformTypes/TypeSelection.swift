/// Which of the representations on offer answers what is asked.
extension TypeQuery {
    package typealias Offer = (type: UniformType, target: String?)

    /// The index of the best offer for the first of `wanted` that any offer answers; nil when none is answered.
    ///
    /// An exact answer (the very target name, then the type) goes before one by conformance. Among plain texts the best
    /// encoded goes first; all else keeps the order it is offered in.
    package static func best(of offered: [Offer], for wanted: [TypeQuery]) -> Int? {
        for query in wanted {
            let ranks = query.asksForText
            let answers = offered.indices.compactMap { index in
                query.closeness(to: offered[index]).map { ($0.rawValue, ranks ? textRank(offered[index]) : 0, index) }
            }
            if let best = answers.min(by: <) { return best.2 }
        }
        return nil
    }

    /// Whether texts are meant, so that it counts how well each is encoded.
    private var asksForText: Bool {
        switch self {
        case .identifier(let type): type.conforms(to: .text) && !type.conforms(to: .image)
        case .class(let known): known == .text || known == .html
        case .mimeType(let name), .target(let name): UniformType(target: name).conforms(to: .text)
        case .pattern(let pattern): pattern.hasPrefix("text/")
        }
    }

    /// How an offer answers a query, the closest first.
    private enum Closeness: Int {
        case name, type, conformance, decodable
    }

    private func closeness(to offer: Offer) -> Closeness? {
        switch self {
        case .identifier(let type):
            if offer.target?.isExactly(type.identifier) == true { return .name }
            return closeness(of: offer, to: type, decoded: true)
        case .class(let known):
            // The plain text, not the markup that was offered before it.
            if known == .text, offer.type.conforms(to: .plainText) { return .type }
            return closeness(of: offer, to: known.type, decoded: true)
        case .mimeType(let name):
            if offer.target?.isExactly(name) == true { return .name }
            guard let type = UniformType(mimeType: name) else { return nil }
            return closeness(of: offer, to: type, decoded: false)
        case .target(let name):
            if offer.target?.isExactly(name) == true { return .name }
            // Latin-1 and compound text: other names of a plain text do not have these bytes.
            guard !["STRING", "C_STRING", "COMPOUND_TEXT"].contains(name) else { return nil }
            return closeness(of: offer, to: UniformType(target: name), decoded: false)
        case .pattern(let pattern):
            // UTF8_STRING is a text/plain, too.
            let names = X11Targets.names(for: offer.type, given: offer.target, exact: false) + [offer.type.identifier]
            return names.contains { Pattern.matches(pattern, $0) } ? .conformance : nil
        }
    }

    private func closeness(of offer: Offer, to type: UniformType, decoded: Bool) -> Closeness? {
        if offer.type == type { return .type }
        if offer.type.conforms(to: type) { return .conformance }
        // Text that is going to be decoded is UTF-8 in the end, whatever the owner calls it.
        return decoded && type == .utf8PlainText && offer.type.conforms(to: .plainText) ? .decodable : nil
    }

    /// Smaller is better. GTK escapes what it sends as text/plain, so that comes after all others; STRING and TEXT are in
    /// an encoding that has to be guessed.
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

/// Names with `*` for any run of characters.
enum Pattern {
    static func matches(_ pattern: String, _ name: String) -> Bool {
        let pattern = Array(pattern.lowercased().utf8)
        let name = Array(name.lowercased().utf8)
        var (p, n) = (0, 0)
        // Where to go on when what follows the last star does not fit here: one character further.
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
