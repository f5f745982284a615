import Foundation
import Testing

/// Tests of the module's sources.
@Suite struct EditingImportsTests {
    @Test("The module imports no toolkit and no X11")
    func imports() throws {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = package.appending(path: "Sources/Editing/Editing").path
        var imports: Set<Substring> = []
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".swift") {
            let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            for line in text.split(separator: "\n") {
                let words = line.split(separator: " ")
                if let word = words.firstIndex(of: "import"), word <= 1 { imports.formUnion(words[(word + 1)...]) }
            }
        }
        #expect(imports == ["FoundationEssentials", "Pasteboard", "Undo"])
    }
}
