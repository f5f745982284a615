import BridgeClient
import CommandCore
import Commands
import LinuxSystem
import PasteboardWire
import Testing
import XPBCommand

@Suite struct SnapshotTests {
    private func representation(_ item: Int, _ file: MemoryFile, _ range: Range<Int>, type: String = "public.png")
        -> FetchedContents.Representation
    {
        FetchedContents.Representation(
            item: item, type: type, target: nil, exact: false, bytes: .range(.file(file), range))
    }

    private func bytes(_ snapshot: Snapshot) throws -> [[String]] {
        try snapshot.items.map { item in
            try item.representations.map { representation in
                let place = try #require(representation.bytes)
                let file = try MemoryFile(
                    adopting: try snapshot.descriptors()[try #require(place.descriptor)].duplicate())
                return String(
                    decoding: try file.bytes(in: place.offset..<place.offset + place.length), as: UTF8.self)
            }
        }
    }

    @Test("Ranges of one file are passed by one descriptor")
    func oneFile() throws {
        let (one, other) = (try MemoryFile.containing(Array("abcdef".utf8)), try MemoryFile.containing([0x67]))
        let snapshot = try Snapshot(
            FetchedContents(
                count: 1,
                representations: [
                    representation(0, one, 0..<2), representation(0, other, 0..<1), representation(1, one, 2..<6),
                    representation(1, one, 0..<0),
                ])
        )
        #expect(try snapshot.descriptors().count == 2)
        #expect(try bytes(snapshot) == [["ab", "g"], ["cdef", ""]])
    }

    @Test("More files than a message carries are copied into one")
    func manyFiles() throws {
        let texts = (0..<100).map { "\($0)" }
        let representations = try texts.enumerated().map { number, text in
            representation(number / 2, try MemoryFile.containing(Array("-\(text)".utf8)), 1..<text.utf8.count + 1)
        }
        let snapshot = try Snapshot(FetchedContents(count: 1, representations: representations))
        #expect(try snapshot.descriptors().count == 1)
        #expect(try bytes(snapshot) == stride(from: 0, to: 100, by: 2).map { [texts[$0], texts[$0 + 1]] })
    }

    @Test("Secrets are passed by new pipes each time, or by one if there are too many", arguments: [2, 100])
    func secrets(count: Int) throws {
        let representations = try (0..<count).map { number in
            let bytes = Array("-\(number)".utf8)
            let secret = try unsafe bytes.withUnsafeBytes { try SecretMemory.copying(unsafe $0.bytes) }
            return FetchedContents.Representation(
                item: 0, type: "com.example.\(number)", target: nil, exact: false,
                bytes: .range(.secret(secret), 1..<secret.length))
        }
        let snapshot = try Snapshot(FetchedContents(count: 1, representations: representations))
        for _ in 0..<2 {
            let received = try snapshot.descriptors().map { try ImmutableBytes(adopting: $0) }
            #expect(received.count == (count > 32 ? 1 : count) && received.allSatisfy { $0.secret != nil })
            let texts = try snapshot.items[0].representations.map { representation in
                let place = try #require(representation.bytes)
                let source = received[try #require(place.descriptor)]
                return String(
                    decoding: try source.bytes(in: place.offset..<place.offset + place.length), as: UTF8.self)
            }
            #expect(texts == (0..<count).map(String.init))
        }
    }

    @Test("Missing representations are left out, and the message has their number")
    func missing() throws {
        let missing = FetchedContents.Representation(
            item: 0, type: "public.png", target: nil, exact: false, bytes: .missing("the reason"))
        let contents = FetchedContents(
            count: 1, representations: [missing, representation(1, try MemoryFile.containing([0x61]), 0..<1), missing])
        #expect(contents.problem?.status == .broken)
        #expect(contents.problem?.message.hasSuffix("public.png of item 0: the reason (and 1 more)") == true)
        #expect(try bytes(try Snapshot(contents)) == [["a"]])
    }

    @Test(
        "A representation is written again under its target if that determines the type, else under its type",
        arguments: [
            ("public.rtf", "application/rtf", "application/rtf"), ("public.png", nil, "public.png"),
            ("dyn.age80g", "_KAYA", "_KAYA"), ("dyn.age80g", "text", "dyn.age80g"),
            ("com.example.note", "TARGETS", "com.example.note"), ("dyn.age80g", "image/*", "dyn.age80g"),
            ("public.utf8-plain-text", "UTF8_STRING", "UTF8_STRING"),
        ] as [(String, String?, String)])
    func again(type: String, target: String?, name: String) {
        let written = WireNewRepresentation.again(
            type: type, target: target, exact: false, WireBytes(descriptor: 0, offset: 0, length: 0))
        #expect(written.type == name && written.exact == nil)
    }
}
