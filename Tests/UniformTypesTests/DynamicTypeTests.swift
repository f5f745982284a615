import Foundation
import Testing

@testable import UniformTypes

@Suite struct DynamicTypeTests {
    /// Identifiers and payloads known to belong together.
    private static func pairs() throws -> [(identifier: String, payload: String)] {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Fixtures/dynamic-types.tsv").standardized
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst().map { line in
            let columns = line.split(separator: "\t")
            return (String(columns[0]), String(columns[1]))
        }
    }

    @Test("Known payloads and identifiers lead to each other")
    func knownPairs() throws {
        let pairs = try Self.pairs()
        #expect(pairs.count > 5)
        for pair in pairs {
            let dynamic = try #require(DynamicType(identifier: pair.identifier))
            #expect(dynamic.payload == pair.payload)
            #expect(dynamic.identifier == pair.identifier)
        }
    }

    @Test("A target in small letters takes the MIME form, any other the form that keeps capitals")
    func forms() {
        #expect(UniformType(target: "dev.kaya/note").identifier == "dyn.ah62d4rv4gq80k3p0f3z0c8pbf71g87df")
        #expect(
            UniformType(target: "Apple URL pasteboard type").identifier
                == "dyn.ah62d4rv4gu8yc6durvwwaznwmuuha2pxsvw0e55bsmwca7d3sbwu")
        #expect(
            DynamicType(identifier: UniformType(target: "dev.kaya/Note").identifier)?.payload == "?0=6:4=dev.kaya/Note")
    }

    @Test("A dynamic type conforms to what its payload says, and to all that this conforms to")
    func conformance() throws {
        let movie = try #require(UniformType("dyn.ah62d4uv4ge804550"))
        #expect(movie.isDynamic)
        #expect(movie.preferredFilenameExtension == "mov")
        #expect(movie.conforms(to: .image) && movie.conforms(to: .data) && movie.conforms(to: .item))
        #expect(!movie.conforms(to: .text))
    }

    @Test(
        "Characters that mean something in a payload survive it",
        arguments: [
            "a?b=c:d,e\\f", "\\", "::", "=", "a\0b", "?0=6:3=text/html", "application/x-y;name=\"a:b\\c\"",
        ])
    func escaping(name: String) {
        let type = UniformType(target: name)
        #expect(X11Targets.names(for: type, given: nil, exact: false) == [name])
    }

    @Test(
        "An identifier whose digits do not decode is no dynamic type",
        arguments: [
            "dyn.a", "dyn.ai", "dyn.age80s5i", "dyn.bge80s52", "dyn.age80s53", "dyn.aaaa", "com.example.dyn",
        ])
    func damaged(identifier: String) throws {
        #expect(try !#require(UniformType(identifier)).isDynamic)
    }
}
