import PasteboardModel
import Testing

@Suite struct ItemArchiveTests {
    typealias Part = ItemArchive.Part

    private func stream(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func archive(of text: String, length: Int? = nil) throws(ItemArchiveError) -> ItemArchive {
        try ItemArchive(header: stream(text), length: length ?? text.utf8.count)
    }

    private static let items = [
        [
            Part(type: "public.html", target: "text/html;charset=\"utf-8\"", length: 3),
            Part(type: "public.utf8-plain-text", length: 0),
        ],
        [],
        [Part(type: "dyn.age8u", target: "WEIRD\n\u{1}\\ ☂", exact: true, length: 2)],
    ]

    @Test("An archive starts with two lines, followed by all bytes in order")
    func format() {
        let archive = ItemArchive(items: [
            [
                Part(type: "public.png", target: "image/png", length: 4),
                Part(type: "public.url", exact: true, length: 1),
            ],
            [Part(type: "public.rtf", length: 2)],
        ])
        let header = """
            xpb-items 1
            {"items":[{"representations":[{"length":4,"target":"image/png","type":"public.png"},\
            {"exact":true,"length":1,"type":"public.url"}]},{"representations":[{"length":2,"type":"public.rtf"}]}]}

            """
        #expect(String(decoding: archive.header, as: UTF8.self) == header)
        let start = header.utf8.count
        #expect(archive.ranges == [[start..<start + 4, start + 4..<start + 5], [start + 5..<start + 7]])
        #expect(archive.length == start + 7)
    }

    @Test("Reading returns the archive that was written", arguments: [items, [], [[]]])
    func roundTrip(items: [[Part]]) throws {
        let archive = ItemArchive(items: items)
        let whole = archive.header + Array(repeating: UInt8(ascii: "\n"), count: archive.length - archive.header.count)
        #expect(try ItemArchive(header: whole, length: whole.count) == archive)
        #expect(try ItemArchive(header: archive.header, length: whole.count) == archive)
        #expect(try ItemArchive(header: archive.header, length: nil) == archive)
        #expect(archive.header.count(where: { $0 == UInt8(ascii: "\n") }) == 2)
    }

    @Test("Members may be absent, unknown, null, and in any order")
    func members() throws {
        let archive = try archive(
            of: """
                xpb-items 1
                { "made": {"by": [1]}, "items" : [ {"name":"x", "representations":[\
                {"length":2,"type":"public.png","target":null,"exact":null,"hint":3}]}]}\u{20}
                ab
                """)
        #expect(archive.items == [[Part(type: "public.png", length: 2)]])
        #expect(archive.ranges == [[archive.header.count..<archive.header.count + 2]])
    }

    @Test("A header is complete with its second newline, however much of the stream has arrived")
    func headerLength() throws {
        let archive = ItemArchive(items: Self.items)
        let whole = archive.header + [1, 2, 3, 4, 5]
        for count in 1..<archive.header.count {
            #expect(try ItemArchive.headerLength(in: Array(whole[..<count])) == nil)
            #expect(throws: ItemArchiveError.truncated(missing: 1)) {
                try ItemArchive(header: Array(whole[..<count]), length: nil)
            }
        }
        for count in archive.header.count...whole.count {
            #expect(try ItemArchive.headerLength(in: Array(whole[..<count])) == archive.header.count)
        }
    }

    @Test(
        "Other bytes are not an archive",
        arguments: [
            "", "\n", "xpb-item 1\n{}\n", "XPB-ITEMS 1\n{}\n", "xpb-items 1 \n{}\n", "xpb-items 1\r\n{}\n",
            "xpb-items 0\n{}\n", "xpb-items 01\n{}\n", "xpb-items \n{}\n", "xpb-items -2\n{}\n", "xpb-items two\n{}\n",
            "xpb-items 1234567890\n{}\n", "xpb-items 2", "xpb-items 2000", "\u{FEFF}xpb-items 1\n{}\n",
        ])
    func foreign(text: String) {
        #expect(throws: ItemArchiveError.notAnArchive) { try archive(of: text) }
    }

    @Test("A later version is reported", arguments: [("xpb-items 2\n", 2), ("xpb-items 999999999\nabc", 999_999_999)])
    func newer(text: String, version: Int) {
        #expect(throws: ItemArchiveError.newerVersion(version)) { try archive(of: text) }
    }

    @Test(
        "An invalid manifest is reported as damaged, with the place of the fault",
        arguments: [
            ("", "not JSON"), ("[]", "its manifest has the wrong JSON type"), ("{}", "no member \"items\""),
            (#"{"items":[{}]}"#, "its manifest's items[0] has no member \"representations\""),
            (#"{"items":[{"representations":[{"length":1}]}]}"#, "items[0].representations[0] has no member \"type\""),
            (#"{"items":[{"representations":[{"type":"public.png"}]}]}"#, "no member \"length\""),
            (#"{"items":[{"representations":[{"type":1,"length":0}]}]}"#, "[0].type has the wrong JSON type"),
            (#"{"items":[{"representations":[{"type":"a","length":-1}]}]}"#, "a length is negative"),
            (#"{"items":[{"representations":[{"type":"a","length":1.5}]}]}"#, "not a whole number in range"),
            (#"{"items":[{"representations":[{"type":"a","length":1e99}]}]}"#, "not a whole number in range"),
            (
                #"{"items":[{"representations":[{"type":"a","length":9223372036854775807},{"type":"a","length":1}]}]}"#,
                "the sum of its lengths"
            ),
            (#"{"items":[{"representations":[{"type":"\ud800","length":0}]}]}"#, "damaged"),
            ("{\"items\":[]}\0", "not UTF-8 text"), ("\0{\0\"\0", "not UTF-8 text"),
            (String(repeating: "[", count: 100_000), "damaged"),
            (#"{"items":"# + String(repeating: #"{"items":"#, count: 10_000), "damaged"),
        ])
    func damaged(manifest: String, reason: String) {
        let error = #expect(throws: ItemArchiveError.self) { try archive(of: "xpb-items 1\n\(manifest)\n") }
        guard case .damaged? = error else {
            Issue.record("\(String(describing: error)) is a different error")
            return
        }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test("A manifest that is not UTF-8 is reported as damaged")
    func encoding() {
        #expect(throws: ItemArchiveError.damaged("its manifest is not UTF-8 text")) {
            try ItemArchive(
                header: stream("xpb-items 1\n{\"items\":[],\"x\":\"") + [0xFF] + stream("\"}\n"), length: nil)
        }
    }

    @Test("Missing and surplus bytes are counted")
    func lengths() throws {
        let archive = ItemArchive(items: Self.items)
        let header = archive.header
        #expect(throws: ItemArchiveError.truncated(missing: 5)) {
            try ItemArchive(header: header, length: header.count)
        }
        #expect(throws: ItemArchiveError.truncated(missing: 5)) { try ItemArchive(header: header, length: .min) }
        #expect(throws: ItemArchiveError.truncated(missing: 1)) {
            try ItemArchive(header: header, length: archive.length - 1)
        }
        #expect(throws: ItemArchiveError.trailing(1)) { try ItemArchive(header: header, length: archive.length + 1) }
        #expect(throws: ItemArchiveError.trailing(.max - archive.length)) {
            try ItemArchive(header: header, length: .max)
        }
        #expect(ItemArchiveError.truncated(missing: 1).message.contains("1 byte is missing"))
        #expect(ItemArchiveError.trailing(2).message.contains("2 bytes too many"))
    }

    @Test("A manifest with the longest names and the most representations stays within the limit")
    func longest() throws {
        let part = Part(
            type: "dyn.a" + String(repeating: "b", count: 4_091), target: String(repeating: "\u{1}", count: 1_024),
            exact: true, length: 1 << 50)
        let archive = ItemArchive(items: Array(repeating: [part], count: 1_024))
        #expect(!archive.isTooLong)
        #expect(try ItemArchive(header: archive.header, length: archive.length) == archive)

        let one = Part(
            type: String(repeating: "t", count: 50), target: String(repeating: "n", count: 50), exact: true,
            length: 1 << 40)
        let few = ItemArchive(items: Array(repeating: [one], count: 100)).header.count
        let more = ItemArchive(items: Array(repeating: [one], count: 101)).header.count
        #expect(few + (more - few) * (Contents.maxRepresentations - 100) <= ItemArchive.maxHeaderLength)
    }

    @Test("The store's record is read back, and changes nothing else")
    func record() throws {
        let record = ItemArchive.Record(
            id: 7, pasteboard: "general", count: 9, created: 1_800_000_000_000, expires: 5, action: "Copy \u{1F600}",
            program: "firefox", localOnly: true, listed: false, text: "a\nb\u{0}", width: 3, height: 4)
        let archive = ItemArchive(items: Self.items, record: record)
        let read = try ItemArchive(header: archive.header, length: archive.length)
        #expect(read == archive)
        #expect(read.record == record)
        #expect(read.items == Self.items)
        #expect(try ItemArchive(header: ItemArchive(items: Self.items).header, length: nil).record == nil)
    }

    @Test("Another program's member named entry is ignored", arguments: ["7", "null", "{}", "{\"id\":\"x\"}", "[1]"])
    func strangeRecord(member: String) throws {
        let header = stream("xpb-items 1\n{\"entry\":\(member),\"items\":[]}\n")
        #expect(try ItemArchive(header: header, length: nil).record == nil)
    }

    @Test("A manifest over the limit is refused without being decoded")
    func tooLong() {
        let error = ItemArchiveError.damaged("its manifest is longer than \(ItemArchive.maxHeaderLength) bytes")
        let start = stream("xpb-items 1\n")
        let blank = start + Array(repeating: 0x20, count: ItemArchive.maxHeaderLength - start.count) + [0x0A]
        #expect(throws: error) { try ItemArchive(header: blank, length: nil) }
        // A reader has only the beginning of such a header.
        #expect(throws: error) { try ItemArchive(header: blank.dropLast(), length: .max) }

        let part = Part(type: String(repeating: "a", count: ItemArchive.maxHeaderLength), length: 0)
        let archive = ItemArchive(items: [[part]])
        #expect(archive.isTooLong)
        #expect(throws: error) { try ItemArchive(header: archive.header, length: archive.length) }
    }
}
