import Foundation
import TestSupport
import Testing

/// Tests that the code in the documentation is compiled.
///
/// Each block of code is a snippet of the tests, between `// snippet: NAME` and `// end`, or consecutive lines of an
/// example.
@Suite("Code in the documentation") struct SnippetTests {
    struct Snippet: CustomStringConvertible {
        let description: String
        let lines: [String]
    }

    static func snippets() throws -> [Snippet] {
        var snippets: [Snippet] = []
        for folder in ["Tests/DocumentationTests", "Tests/DocumentationHost", "Tests/WindowHost"] {
            for file in try Tree.files(below: folder, ".swift") where !file.hasSuffix("/SnippetTests.swift") {
                var name: String?
                var lines: [Substring] = []
                for line in try Tree.lines(file) {
                    let text = line.drop { $0 == " " }
                    if text.hasPrefix("// snippet: ") {
                        name = "\(file): \(text.dropFirst(12))"
                        lines = []
                    } else if text == "// end", let known = name {
                        snippets.append(Snippet(description: known, lines: dedented(lines)))
                        name = nil
                    } else {
                        lines.append(line)
                    }
                }
                try #require(name == nil, "\(name ?? "") has no end")
            }
        }
        return snippets
    }

    private static func isManifest(_ block: Block) -> Bool {
        block.lines.first?.hasPrefix("// swift-tools-version") == true
    }

    private static func isPart(_ block: Block, of source: [Substring]) -> Bool {
        let count = block.lines.count
        guard count > 0, source.count >= count else { return false }
        return source.indices.dropLast(count - 1).contains { dedented(source[$0..<$0 + count]) == block.lines }
    }

    @Test("Every Swift block is part of the tests or of the examples, line for line")
    func compiled() throws {
        let snippets = try Self.snippets()
        let examples = try Tree.files(below: "Examples", ".swift").map { try Tree.lines($0) }
        let blocks = try Tree.blocks().filter { $0.language == "swift" && !Self.isManifest($0) }
        #expect(blocks.count > 20)
        for block in blocks {
            #expect(
                snippets.contains { $0.lines == block.lines } || examples.contains { Self.isPart(block, of: $0) },
                "\(block) is not in Tests/DocumentationTests nor in Examples")
        }
        for snippet in snippets {
            #expect(blocks.contains { $0.lines == snippet.lines }, "no document shows \(snippet)")
        }
    }

    @Test("The package manifest in the documentation is valid and names existing products")
    func manifests() async throws {
        let manifests = try Tree.blocks().filter { $0.language == "swift" && Self.isManifest($0) }
        #expect(manifests.count == 2)
        let own = try Tree.lines("Package.swift").joined(separator: "\n")
        for manifest in manifests {
            try await Sandbox.with { sandbox in
                try sandbox.write(Array(manifest.text.utf8), to: "Package.swift")
                let dumped = try await sandbox.require(["swift", "package", "dump-package"])
                #expect(dumped.text.contains(#""name" : "example""#))
            }
            let products = manifest.text.matches(of: /product\(name: "(\w+)", package: "xpb"\)/).map { $0.output.1 }
            #expect(products.count == 2)
            for product in products {
                #expect(
                    own.contains(".library(name: \"\(product)\"") || own.contains(".executable(name: \"\(product)\""))
            }
        }
    }

    @Test("There are four examples of fewer than 100 lines, in addition to examples that are packages")
    func examples() throws {
        let examples = try Tree.files(below: "Examples", ".swift").filter {
            !$0.contains("/Sources/") && !$0.contains("/Tests/") && !$0.hasSuffix("/Package.swift")
        }
        #expect(examples.count == 4)
        for example in examples { #expect(try Tree.lines(example).count < 100, "\(example)") }
    }
}
