import CommandCore
import Commands
import LinuxSystem
import PasteboardModel
import PasteboardWire
import Pick
import SystemPackage
import Testing
import XPBCommand

@Suite struct LoadedArchiveTests {
    private let archive = ItemArchive(items: [
        [
            .init(type: "public.html", length: 3),
            .init(type: "public.png", target: "image/png", exact: true, length: 0),
        ],
        [.init(type: "dyn.a", target: "_KAYA", length: 4)],
    ])
    private var stream: [UInt8] { archive.header + Array("htmdata".utf8) }

    /// Loads through a pipe, which has no length and delivers pieces.
    private func load(_ bytes: [UInt8], pieces: Int = 1) throws -> LoadedArchive {
        let pipe = try FileDescriptor.pipe(options: .closeOnExec)
        let reading = Descriptor(adopting: pipe.readEnd)
        let thread = try WorkerThread.start(name: "writer") { [writing = Descriptor(adopting: pipe.writeEnd)] in
            for start in stride(from: 0, to: bytes.count, by: max(1, bytes.count / pieces)) {
                let end = min(bytes.count, start + max(1, bytes.count / pieces))
                try? writing.fileDescriptor.writeBytes(Array(bytes[start..<end]))
            }
            withExtendedLifetime(writing) {}
        }
        defer { thread.join() }
        return try LoadedArchive(from: reading.fileDescriptor, named: "the test")
    }

    private func failure(_ bytes: [UInt8]) throws -> Failure {
        try #require(throws: Failure.self) { try load(bytes) }
    }

    @Test("A loaded archive has the types, targets, marks and bytes that were dumped", arguments: [1, 7, 50])
    func whole(pieces: Int) throws {
        let loaded = try load(stream, pieces: pieces)
        let written = loaded.items.map { $0.representations.map(\.type) }
        #expect(written == [["public.html", "image/png"], ["_KAYA"]])
        #expect(loaded.items[0].representations.map(\.exact) == [nil, true])
        let bytes = try loaded.items.flatMap(\.representations).map { representation in
            let place = try #require(representation.bytes)
            return try loaded.file.bytes(in: place.offset..<place.offset + place.length)
        }
        #expect(bytes == [Array("htm".utf8), [], Array("data".utf8)])
    }

    @Test("An archive cut off anywhere is incomplete")
    func truncated() throws {
        for length in 1..<stream.count {
            let failure = try failure(Array(stream[..<length]))
            #expect(failure.status == .broken, "\(length)")
            #expect(failure.message.contains("nothing was changed") && failure.message.hasPrefix("the test: "))
        }
    }

    @Test("Bytes after the end count as damage")
    func trailing() throws {
        #expect(try failure(stream + [0]).status == .broken)
    }

    @Test("An archive whose header exceeds the limit is refused before it is read")
    func tooLong() throws {
        let long = ItemArchive(items: [[.init(type: "public.png", length: Int(UInt32.max) + 1)]])
        #expect(try failure(long.header).status == .refused)
    }

    @Test(
        "An archive without contents is not loaded",
        arguments: [[], [[]], [[.init(type: "public.png", length: 0)], []]] as [[[ItemArchive.Part]]])
    func nothing(items: [[ItemArchive.Part]]) throws {
        let failure = try failure(ItemArchive(items: items).header)
        #expect(failure.status == .usage && failure.message.contains("cannot be loaded"))
        #expect(failure.message.hasSuffix("nothing was changed"))
    }

    @Test(
        "Other bytes are not an archive",
        arguments: ["", "hello\n", "xpb-items x\n", "xpb-items 1\n{]\n", "xpb-items 9\n"])
    func others(text: String) throws {
        #expect(try failure(Array(text.utf8)).status == .usage)
    }
}
