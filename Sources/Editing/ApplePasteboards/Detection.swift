#if !canImport(Darwin)

import Foundation
import Pasteboard

/// Patterns that the text of a pasteboard can have. They are found by simple rules, not by the language models of
/// Apple's systems.
public struct DetectedValues: Sendable {
    /// The text, if it is probably a web address as a whole; otherwise empty.
    public let probableWebURL: String
    /// The text, if it is probably something to search the web for: a line that is no address and no number; otherwise
    /// empty.
    public let probableWebSearch: String
    /// The number that the text is as a whole.
    public let number: Double?
    /// The web addresses in the text.
    public let links: [String]
    /// The mail addresses in the text.
    public let emailAddresses: [String]
    /// The telephone numbers in the text.
    public let phoneNumbers: [String]

    /// The key paths of the values that were found.
    public var patterns: Set<PartialKeyPath<DetectedValues>> {
        found(of: [\.probableWebURL, \.probableWebSearch, \.number, \.links, \.emailAddresses, \.phoneNumbers])
    }

    /// Detects patterns in the first 64 KiB of a text.
    init(_ text: String) {
        let text = String(decoding: text.utf8.prefix(65_536), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let words = text.split { $0.isWhitespace || "<>\"".contains($0) }.map(String.init)
        links = words.compactMap(Self.webURL)
        // The parts of an address are no other pattern.
        let others = words.filter { Self.webURL(in: $0) == nil }
        emailAddresses = others.flatMap { $0.split { "'()[]{},;".contains($0) } }.compactMap(Self.emailAddress)
        phoneNumbers = text.split(whereSeparator: \.isNewline).flatMap { line in
            let words = line.split { $0 == " " || $0 == "\u{A0}" }.filter { Self.webURL(in: String($0)) == nil }
            return Self.phoneNumbers(in: words.joined(separator: " "))
        }
        let isDecimal = text.allSatisfy { $0.isASCII && ($0.isNumber || ".-eE".contains($0)) }
        number = isDecimal ? Double(text).flatMap { $0.isFinite ? $0 : nil } : nil
        probableWebURL = links == [text] ? text : ""
        let isSearch = number == nil && probableWebURL.isEmpty && !text.isEmpty && !text.contains(where: \.isNewline)
        probableWebSearch = isSearch ? text : ""
    }

    /// Returns the web address in a word, without the quotation marks, brackets and periods of the sentence around it.
    private static func webURL(in word: String) -> String? {
        let start = ["http://", "https://", "www."].compactMap { word.range(of: $0, options: .caseInsensitive) }
            .map(\.lowerBound).min()
        guard let start else { return nil }
        var address = word[start...]
        while let last = address.last {
            let opening: [Character: Character] = [")": "(", "]": "[", "}": "{"]
            let isUnpaired = opening[last].map { open in
                address.count { $0 == last } > address.count { $0 == open }
            }
            guard isUnpaired ?? ".,:;!?'".contains(last) else { break }
            address.removeLast()
        }
        let isNamed = address.lowercased().hasPrefix("www.") && address.split(separator: ".").count > 2
        return isNamed || URL(string: String(address))?.host()?.isEmpty == false ? String(address) : nil
    }

    private static func emailAddress(_ word: Substring) -> String? {
        let word = word.trimmingCharacters(in: CharacterSet(charactersIn: ".:!?"))
        let address = word.lowercased().hasPrefix("mailto:") ? word.dropFirst(7).prefix { $0 != "?" } : word[...]
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let name = parts.first, let host = parts.last, !name.isEmpty else { return nil }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let isHost =
            labels.count > 1
            && labels.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" } }
        return isHost ? String(address) : nil
    }

    /// Returns the runs of at least seven digits with the signs that telephone numbers have between them.
    private static func phoneNumbers(in line: String) -> [String] {
        let runs = line.replacing("\u{2011}", with: "-").split {
            !($0.isASCII && $0.isNumber) && !"+-()/. ".contains($0)
        }
        return runs.map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "-/. ")) }.filter { run in
            (7...15).contains(run.count(where: \.isNumber)) && run.contains { "+-()/ ".contains($0) }
                && !isDate(run) && !isQuantity(run)
        }
    }

    /// Returns true for a run that begins with a date, such as 2024-01-02 or 2.1.2024, and for a range of years.
    private static func isDate(_ run: String) -> Bool {
        let date = run.split(separator: " ").first ?? ""
        let lengths = date.split { !$0.isNumber }.map(\.count)
        guard !date.contains("+") else { return false }
        return lengths == [4, 4] || lengths.count == 3 && lengths[0] == 4 && lengths[1] <= 2 && lengths[2] <= 2
            || lengths.count == 3 && lengths[0] <= 2 && lengths[1] <= 2 && lengths[2] == 4
    }

    /// Returns true for a number whose thousands are separated by spaces, such as 1 000 000.
    private static func isQuantity(_ run: String) -> Bool {
        let groups = run.split(separator: " ", omittingEmptySubsequences: false)
        guard let first = groups.first, (1...3).contains(first.count), first.allSatisfy(\.isNumber), first.first != "0"
        else { return false }
        return groups.dropFirst().allSatisfy { $0.count == 3 && $0.allSatisfy(\.isNumber) }
    }

    /// Returns those of the key paths whose values were found.
    func found(of patterns: Set<PartialKeyPath<DetectedValues>>) -> Set<PartialKeyPath<DetectedValues>> {
        patterns.filter { pattern in
            switch self[keyPath: pattern] {
            case let text as String: !text.isEmpty
            case let texts as [String]: !texts.isEmpty
            case let number as Double?: number != nil
            default: false
            }
        }
    }
}

extension NSPasteboard {
    /// The values of the patterns in the text of the pasteboard.
    public typealias DetectedValues = ApplePasteboards.DetectedValues

    /// Returns those of the patterns that the text of the first item has.
    ///
    /// - Parameter patterns: Key paths such as `\.number` and `\.links`.
    ///
    /// Source: `NSPasteboard.detectedPatterns(for:)`.
    public func detectedPatterns(
        for patterns: Set<PartialKeyPath<DetectedValues>>
    ) async throws -> Set<PartialKeyPath<DetectedValues>> {
        try await detectedValues(for: patterns).found(of: patterns)
    }

    /// Returns the values of patterns in the text of the first item.
    ///
    /// Source: `NSPasteboard.detectedValues(for:)`.
    public func detectedValues(for patterns: Set<PartialKeyPath<DetectedValues>>) async throws -> DetectedValues {
        board.send()
        return DetectedValues(try await board.libraryPasteboard.async.string ?? "")
    }
}

extension UIPasteboard {
    /// The values of the patterns in the text of the pasteboard.
    public typealias DetectedValues = ApplePasteboards.DetectedValues

    /// Returns those of the patterns that the text of the first item has.
    ///
    /// - Parameter patterns: Key paths such as `\.number` and `\.links`.
    ///
    /// Source: `UIPasteboard.detectedPatterns(for:)`.
    public func detectedPatterns(
        for patterns: Set<PartialKeyPath<DetectedValues>>
    ) async throws -> Set<PartialKeyPath<DetectedValues>> {
        try await detectedValues(for: patterns).found(of: patterns)
    }

    /// Returns the values of patterns in the text of the first item.
    ///
    /// Source: `UIPasteboard.detectedValues(for:)`.
    public func detectedValues(for patterns: Set<PartialKeyPath<DetectedValues>>) async throws -> DetectedValues {
        Board.send(to: library)
        return DetectedValues(try await library.async.string ?? "")
    }
}

#endif
