import Foundation
import TestSupport

/// Returns the lines without the indentation that all of them share.
func dedented(_ lines: some Sequence<Substring>) -> [String] {
    let lines = Array(lines)
    let indentation = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { String($0.dropFirst(indentation)) }
}

/// A fenced code block of a Markdown file.
struct Block: CustomStringConvertible {
    let file: String
    /// The line number of the opening fence, counted from 1.
    let number: Int
    let language: String
    let lines: [String]

    var text: String { lines.joined(separator: "\n") + "\n" }
    var description: String { "\(file):\(number)" }

    /// Returns the code blocks of a file with these lines.
    static func all(in file: String, _ text: [Substring]) -> [Block] {
        var blocks: [Block] = []
        var open: (number: Int, language: String, lines: [Substring])?
        for (index, line) in text.enumerated() {
            if let block = open, line == "```" {
                blocks.append(
                    Block(file: file, number: block.number, language: block.language, lines: dedented(block.lines)))
                open = nil
            } else if open != nil {
                open?.lines.append(line)
            } else if line.hasPrefix("```") {
                open = (index + 1, String(line.dropFirst(3)), [])
            }
        }
        return blocks
    }
}

/// The files of the package.
enum Tree {
    /// Returns the lines of a file, empty ones included.
    static func lines(_ path: String) throws -> [Substring] {
        try String(contentsOfFile: "\(Binaries.package)/\(path)", encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// Returns the sorted paths that end with `suffix`, of files in a folder and its subfolders.
    static func files(below folder: String, _ suffix: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: "\(Binaries.package)/\(folder)").sorted()
            .filter { $0.hasSuffix(suffix) && !$0.contains("/.build/") }.map { "\(folder)/\($0)" }
    }

    /// Returns the code blocks of an article of the module `Pasteboard`.
    static func blocks(_ article: String) throws -> [Block] {
        Block.all(in: article, try lines("Sources/Library/Pasteboard/Pasteboard.docc/\(article).md"))
    }

    static let modules = [
        "Library/Pasteboard", "Library/PasteboardAttributedText", "Library/PasteboardEmbedded", "Types/UniformTypes",
        "Text/AttributedText", "Editing/Undo", "Editing/Editing", "Editing/ApplePasteboards",
    ]

    /// Returns the code blocks of the README, and of the articles and the documentation comments of the libraries.
    static func blocks() throws -> [Block] {
        var blocks = Block.all(in: "README.md", try lines("README.md"))
        for module in modules {
            for file in try files(below: "Sources/\(module)", ".md") {
                blocks += Block.all(in: file, try lines(file))
            }
            for file in try files(below: "Sources/\(module)", ".swift") {
                let comments = try lines(file).map { line -> Substring in
                    let line = line.drop { $0 == " " }
                    return line.hasPrefix("///") ? line.dropFirst(line.hasPrefix("/// ") ? 4 : 3) : ""
                }
                blocks += Block.all(in: file, comments)
            }
        }
        return blocks
    }
}
