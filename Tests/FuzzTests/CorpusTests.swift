import Fuzz
import LinuxSystem
import Testing

@Suite struct CorpusTests {
    private static let folder =
        "\(#filePath)".split(separator: "/").dropLast(2).map { "/\($0)" }.joined() + "/Fuzz/Corpus"

    @Test("The invariants of every target hold for every file of its corpus", arguments: FuzzTarget.all.map(\.name))
    func replay(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        let files = try Folder.names(in: "\(Self.folder)/\(name)")
        #expect(!files.isEmpty)
        for file in files {
            let bytes = try CorpusFile.bytes(at: "\(Self.folder)/\(name)/\(file)")
            #expect(throws: Never.self, "\(name)/\(file)") { try target.check(bytes) }
            // The beginning of a file is a different input.
            for end in 0..<min(bytes.count, 64) {
                #expect(throws: Never.self, "\(name)/\(file), \(end) bytes") { try target.check(Array(bytes[..<end])) }
            }
        }
    }

    @Test("Every folder of the corpus belongs to a target")
    func folders() throws {
        #expect(try Folder.names(in: Self.folder).sorted() == FuzzTarget.all.map(\.name).sorted())
    }
}
