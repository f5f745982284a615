import Foundation
import TestRandom
import Testing
import UniformTypes

@Suite struct DynamicTypeTests {
    /// Returns known pairs of an identifier and its payload.
    private static func pairs() throws -> [(identifier: String, payload: String)] {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Fixtures/dynamic-types.tsv").standardized
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst().map { line in
            let columns = line.split(separator: "\t")
            return (String(columns[0]), String(columns[1]))
        }
    }

    @Test("Known payloads and identifiers convert into each other")
    func knownPairs() throws {
        let pairs = try Self.pairs()
        #expect(pairs.count > 5)
        for pair in pairs {
            let dynamic = try #require(DynamicType(identifier: pair.identifier))
            #expect(dynamic.payload == pair.payload)
            #expect(dynamic.identifier == pair.identifier)
        }
    }

    @Test("A MIME type in lower case becomes a MIME tag, and any other target a tag that keeps capitals")
    func forms() {
        #expect(UniformType(target: "dev.kaya/note").identifier == "dyn.ah62d4rv4gq80k3p0f3z0c8pbf71g87df")
        #expect(
            UniformType(target: "Apple URL pasteboard type").identifier
                == "dyn.ah62d4rv4gu8yc6durvwwaznwmuuha2pxsvw0e55bsmwca7d3sbwu")
        #expect(
            DynamicType(identifier: UniformType(target: "dev.kaya/Note").identifier)?.payload == "?0=6:4=dev.kaya/Note")
    }

    @Test("A dynamic type conforms to the types in its payload, and to all of their supertypes")
    func conformance() throws {
        let movie = try #require(UniformType("dyn.ah62d4uv4ge804550"))
        #expect(movie.isDynamic)
        #expect(movie.preferredFilenameExtension == "mov")
        #expect(movie.conforms(to: .image) && movie.conforms(to: .data) && movie.conforms(to: .item))
        #expect(!movie.conforms(to: .text))
    }

    @Test(
        "Characters with a meaning in payloads are preserved",
        arguments: [
            "a?b=c:d,e\\f", "\\", "::", "=", "a\0b", "?0=6:3=text/html", "application/x-y;name=\"a:b\\c\"",
        ])
    func escaping(name: String) {
        let type = UniformType(target: name)
        #expect(X11Targets.names(for: type, given: nil, exact: false) == [name])
    }

    @Test(
        "An identifier with invalid digits is not dynamic",
        arguments: [
            "dyn.a", "dyn.ai", "dyn.age80s5i", "dyn.bge80s52", "dyn.age80s53", "dyn.aaaa", "com.example.dyn",
        ])
    func damaged(identifier: String) throws {
        #expect(try !#require(UniformType(identifier)).isDynamic)
    }

    @Test("Random tags of every class are restored from the identifier")
    func random() throws {
        var generator = SeededGenerator(seed: 11)
        let types = ["public.data", "public.text", "public.plain-text", "public.image", "public.video", "public.audio"]
        for round in 0..<2000 {
            let tags = (0...Int.random(in: 0...2, using: &generator)).map { _ in
                let known = DynamicTag.Class.allCases
                return DynamicTag(
                    known[Int.random(in: known.indices, using: &generator)], generator.name(atMost: 60))
            }
            let conformsTo = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
                Bool.random(using: &generator)
                    ? types[Int.random(in: types.indices, using: &generator)] : "com.example.\(round)"
            }
            let dynamic = DynamicType(conformsTo: conformsTo, tags: tags)
            let identifier = dynamic.identifier
            #expect(DynamicType(identifier: identifier) == dynamic, "seed 11, round \(round): \(dynamic.payload)")
            #expect(UniformType(identifier)?.isDynamic == true, "seed 11, round \(round): \(dynamic.payload)")
        }
    }

    @Test(
        "An identifier with a damaged payload is not dynamic",
        arguments: [
            "", "?", "?0", "?0=", "?0=6", "?0=6:", "?0=6:3", "x", "3", "?0=6:3image/png", "=3", "?0=6:5=x", "?3=a/b:",
            "::",
            "?0=6::3=a/b",
        ])
    func damaged(payload: String) {
        #expect(DynamicType(identifier: "dyn.a" + Base32.encode(payload.utf8)) == nil)
    }

    @Test("Unknown tags in a payload, and types that are not identifiers, are left out")
    func lenient() throws {
        func read(_ payload: String) -> DynamicType? {
            DynamicType(identifier: "dyn.a" + Base32.encode(payload.utf8))
        }
        #expect(read("?0=6,\u{212A}.x,,com.example.x,Z:5=y:3=a/b")?.conformsTo == ["public.data", "com.example.x"])
        #expect(read("?3=a\\:b")?.tags == [DynamicTag(.mimeType, "a:b")])
        #expect(read("3=a\\")?.tags == [DynamicTag(.mimeType, "a")])
        #expect(read("4==")?.tags == [DynamicTag(.pasteboardType, "=")])
    }

    @Test("An identifier with more than 4,096 bytes, or whose payload is not UTF-8, is not dynamic")
    func limits() {
        #expect(DynamicType(identifier: "dyn.a" + Base32.encode([0x33, 0x3D, 0xFF])) == nil)
        let longest = DynamicType(conformsTo: [], tags: [DynamicTag(.mimeType, String(repeating: "x", count: 2554))])
        #expect(longest.identifier.utf8.count == 4095)
        #expect(UniformType(longest.identifier)?.isDynamic == true)
        #expect(UniformType(longest.identifier.uppercased())?.isDynamic == true)
        let longer = DynamicType(conformsTo: [], tags: [DynamicTag(.mimeType, String(repeating: "x", count: 2560))])
        #expect(UniformType(longer.identifier) == nil)
        #expect(UniformType("dyn.a" + String(repeating: "i", count: 300)) == nil)
    }

    @Test("Every initializer accepts or rejects random input")
    func garbage() {
        var generator = SeededGenerator(seed: 13)
        for round in 0..<1000 {
            let name = round % 2 == 0 ? generator.garbage(atMost: 80) : generator.name(atMost: 80)
            let digits = Base32.encode(name.utf8)
            for string in [name, "dyn.a" + name, "dyn.a" + digits, "dyn.a" + digits.dropLast()] {
                let types = [
                    UniformType(string), UniformType(mimeType: string), UniformType(filenameExtension: string),
                    UniformType(target: string), UniformType(tag: string, tagClass: .selectionTarget),
                ].compactMap(\.self)
                for type in types {
                    #expect(type.conforms(to: type) && !type.supertypes.contains(type), "seed 13, round \(round)")
                    #expect(UniformType(type.identifier) == type, "seed 13, round \(round)")
                }
                _ = TypeQuery.parse(string)
                _ = TypeDeclaration(identifier: string, conformsTo: [string], mimeTypes: [string]).faults()
            }
        }
    }
}
