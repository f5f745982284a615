import Foundation
import Testing

/// Tests of the module's sources.
@Suite struct UndoImportsTests {
    @Test("The module imports only the C library, for the environment and messages, and Foundation on Apple's systems")
    func imports() throws {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = package.appending(path: "Sources/Editing/Undo").path
        var imports: [String] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() where name.hasSuffix(".swift")
        {
            let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            for line in text.split(separator: "\n") where line.contains("import ") && !line.contains("//") {
                imports.append("\(name): \(line)")
            }
        }
        #expect(
            imports == [
                "MenuLanguage.swift: import Glibc", "MenuLanguage.swift: import Musl",
                "ReexportedFoundation.swift: @_exported public import Foundation",
                "StandardError.swift: import Glibc", "StandardError.swift: import Musl",
            ])
    }
}
