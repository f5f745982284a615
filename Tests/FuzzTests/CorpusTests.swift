import LinuxSystem
import Testing

@testable import Fuzz

@Suite struct CorpusTests {
    private static let folder =
        "\(#filePath)".split(separator: "/").dropLast(2).map { "/\($0)" }.joined() + "/Fuzz/Corpus"

    @Test("Every target holds on every file of its corpus", arguments: FuzzTarget.all.map(\.name))
    func replay(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        let files = try Folder.names(in: "\(Self.folder)/\(name)")
        #expect(!files.isEmpty)
        for file in files {
            let bytes = try CorpusFile.bytes(at: "\(Self.folder)/\(name)/\(file)")
            #expect(throws: Never.self, "\(name)/\(file)") { try target.check(bytes) }
            // What a file has cut off at its end is something else.
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
