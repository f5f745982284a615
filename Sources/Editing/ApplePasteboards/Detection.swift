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
        let text = String(text.prefix(65_536)).trimmingCharacters(in: .whitespacesAndNewlines)
        let words = text.split { $0.isWhitespace || "<>\"'()[]{},;".contains($0) }.map {
            $0.trimmingCharacters(in: CharacterSet(charactersIn: ".:!?"))
        }
        links = words.filter(Self.isWebURL)
        emailAddresses = words.filter(Self.isEmailAddress)
        phoneNumbers = text.split(whereSeparator: \.isNewline).compactMap { Self.phoneNumber(in: String($0)) }
        number = Double(text).flatMap { $0.isFinite ? $0 : nil }
        probableWebURL = links == [text] ? text : ""
        let isSearch = number == nil && probableWebURL.isEmpty && !text.isEmpty && !text.contains(where: \.isNewline)
        probableWebSearch = isSearch ? text : ""
    }

    private static func isWebURL(_ word: String) -> Bool {
        let lowercased = word.lowercased()
        if lowercased.hasPrefix("http://") || lowercased.hasPrefix("https://") {
            return URL(string: word)?.host()?.isEmpty == false
        }
        return lowercased.hasPrefix("www.") && word.split(separator: ".").count > 2
    }

    private static func isEmailAddress(_ word: String) -> Bool {
        let parts = word.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let name = parts.first, let host = parts.last, !name.isEmpty else { return false }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count > 1
            && labels.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" } }
    }

    /// Returns the first run of at least seven digits with the signs that telephone numbers have between them.
    private static func phoneNumber(in line: String) -> String? {
        let runs = line.split { !($0.isASCII && $0.isNumber) && !"+-()/. ".contains($0) }
        let run = runs.first { run in
            (7...15).contains(run.count(where: \.isNumber)) && run.contains { "+-()/ ".contains($0) }
        }
        return run.map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "-/. ")) }
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
