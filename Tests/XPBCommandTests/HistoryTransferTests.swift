import Foundation
import HistoryTransfer
import LinuxSystem
import TestRandom
import Testing

/// The formats of import and export.
struct HistoryTransferTests {
    typealias Representation = TransferredEntry.Representation

    /// Reads a file of a format, and returns its entries.
    private func read(_ format: ImportFormat, _ bytes: [UInt8], named name: String = "file") throws
        -> [TransferredEntry]
    {
        let folder = "\(NSTemporaryDirectory())xpb-import-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)"))
        try Data(Self.png).write(to: URL(filePath: "\(folder)/picture"))
        var entries: [TransferredEntry] = []
        try format.read(ImportSource("\(folder)/\(name)", environment: ["FOLDER": folder])) { entries.append($0) }
        return entries
    }

    private func fault(_ format: ImportFormat, _ text: String) -> String? {
        do {
            _ = try read(format, Array(text.utf8))
            return nil
        } catch {
            return (error as? TransferFault)?.message
        }
    }

    /// The beginning and the end of a picture in PNG.
    private static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 1] + Array("IHDR".utf8) + [7, 0, 0, 0, 0]
        + [0, 0, 0, 0] + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]

    private static func text(_ text: String) -> [[Representation]] {
        [[Representation(type: "public.utf8-plain-text", bytes: Array(text.utf8))]]
    }

    // MARK: Times

    @Test(
        "A time is the same after reading and writing",
        arguments: [
            ("2026-11-28T17:05:35.123Z", 1_795_885_535_123), ("1970-01-01T00:00:00.000Z", 0),
            ("2000-02-29T23:59:59.999Z", 951_868_799_999),
        ])
    func time(text: String, milliseconds: Int) {
        #expect(EntryTime(text)?.milliseconds == milliseconds)
        #expect(EntryTime(milliseconds: milliseconds).text == text)
    }

    @Test("Times in other forms are read")
    func times() {
        #expect(EntryTime("2026-11-28t18:05:35+01:00") == EntryTime("2026-11-28T17:05:35Z"))
        #expect(EntryTime("2026-11-28T17:05:35.5Z")?.milliseconds == 1_795_885_535_500)
        #expect(EntryTime("2026-11-28T17:05:35.123456789Z")?.milliseconds == 1_795_885_535_123)
        for text in ["", "2026-11-28", "2026-13-01T00:00:00Z", "2026-11-28T17:05:35", "2026-11-28T17:05:35.Z", "x"] {
            #expect(EntryTime(text) == nil, "\(text)")
        }
    }

    // MARK: Lines of JSON

    @Test("Any entry is read as it was written")
    func roundTrip() throws {
        var random = SeededGenerator(seed: 1)
        let names = ["public.utf8-plain-text", "public.html", "public.png", "com.example.a"]
        let texts = ["", "a", "你好\n\"\\/", "\u{FEFF}b", "e\u{301}", "tab\tnul\0"]
        for _ in 0..<500 {
            let items = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                (0..<Int.random(in: 1...3, using: &random)).map { _ in
                    var bytes = Array((texts.randomElement(using: &random) ?? "").utf8)
                    if Bool.random(using: &random) { bytes.append(UInt8.random(in: 0...255, using: &random)) }
                    let target = ["text/plain", "UTF8_STRING", nil].randomElement(using: &random) ?? nil
                    return Representation(
                        type: names.randomElement(using: &random) ?? "", target: target,
                        exact: target != nil && Bool.random(using: &random), bytes: bytes)
                }
            }
            var entry = TransferredEntry(
                items: items, created: Int.random(in: 0...2_000_000_000_000, using: &random),
                isPinned: Bool.random(using: &random))
            entry.isLocalOnly = Bool.random(using: &random)
            entry.program = Bool.random(using: &random) ? "fire\"fox" : nil
            entry.pasteboard = Bool.random(using: &random) ? "find" : nil
            #expect(try read(.jsonl, try JSONLines.text(of: entry)) == [entry])
        }
    }

    @Test("Text alone is one member, and bytes are base64")
    func lines() throws {
        let line = String(
            decoding: try JSONLines.text(of: TransferredEntry(items: Self.text("hé"), created: 0)), as: UTF8.self)
        #expect(line == #"{"text":"hé","time":"1970-01-01T00:00:00.000Z"}"# + "\n")
        let bytes = Representation(type: "public.png", target: "image/png", bytes: [0xFF])
        #expect(
            String(decoding: try JSONLines.text(of: TransferredEntry(items: [[bytes]])), as: UTF8.self)
                == #"{"types":[{"data":"/w==","target":"image/png","type":"public.png"}]}"# + "\n")
    }

    @Test("Lines by other programs are read: an object of types, numbers as times, blank lines, no newline at the end")
    func foreignLines() throws {
        let lines = """
            {"types":{"text/html":"PGI+YTwvYj4=","public.utf8-plain-text":"YQ=="},"time":1700000000}\r

            {"text":"b","time":1700000000123,"pinned":true,"unknown":1}
            """
        let entries = try read(.jsonl, Array(lines.utf8))
        #expect(entries.map(\.created) == [1_700_000_000_000, 1_700_000_000_123])
        #expect(entries.map(\.isPinned) == [false, true])
        #expect(entries[0].items[0].map(\.type) == ["public.utf8-plain-text", "public.html"])
        #expect(entries[0].items[0].map(\.target) == [nil, "text/html"])
    }

    @Test("A line that is not an entry is reported by its number")
    func badLines() {
        let good = #"{"text":"a"}"# + "\n"
        #expect(fault(.jsonl, good + "x")?.hasPrefix("line 2 is not an entry") == true)
        #expect(fault(.jsonl, good + #"{"text":"a","#)?.hasPrefix("line 2 is not an entry") == true)
        #expect(
            fault(.jsonl, #"{"text":"a","types":[]}"#)
                == "line 1: an entry has one of the members 'text', 'types' and 'items'")
        #expect(fault(.jsonl, #"{"types":[]}"#) == "line 1: the entry has no types")
        #expect(fault(.jsonl, #"{"types":[{"type":"a b","target":"c","text":""}]}"#) == "line 1: 'a b' is not a type")
        #expect(
            fault(.jsonl, #"{"types":[{"type":"public.html"}]}"#)
                == "line 1: 'public.html' has either 'text' or 'data', which is base64")
        #expect(fault(.jsonl, #"{"types":{"text/html":"?"}}"#)?.hasPrefix("line 1 is not an entry: ") == true)
        #expect(fault(.jsonl, #"{"text":"a","time":"yesterday"}"#)?.contains("2026-11-28T17:05:35Z") == true)
        #expect(fault(.jsonl, #"{"text":"a","time":1e300}"#)?.contains("out of range") == true)
    }

    // MARK: GPaste

    @Test("GPaste's history is read, oldest first, without passwords and missing pictures")
    func gpaste() throws {
        let file = """
            <?xml version="1.0" encoding="UTF-8"?>
            <history version="2.0">
              <item kind="Text" uuid="1" favourite="true">
                <value><![CDATA[a &amp; b -&gt; <c> &amp;gt; \u{1}]]></value>
                <value mime="text-html"><![CDATA[PGI+YTwvYj4=]]></value>
                <value mime="unknown"><![CDATA[PGI+]]></value>
              </item>
              <item kind="Password" name="bank"><value><![CDATA[secret]]></value></item>
              <item kind="Image" uuid="2" date="1700000000"><value><![CDATA[/nowhere/x.png]]></value></item>
              <item kind="Uris" uuid="3"><value><![CDATA[/tmp/a b\nfile:///tmp/c]]></value></item>
              <item kind="Color" uuid="4"><value><![CDATA[rgb(1,2,3)]]></value></item>
            </history>
            """
        let entries = try read(.gpaste, Array(file.utf8))
        #expect(entries.map(\.isPinned) == [false, false, true])
        #expect(entries[0].items == Self.text("rgb(1,2,3)"))
        #expect(entries[1].items[0].map(\.target) == ["text/uri-list"])
        #expect(
            String(decoding: entries[1].items[0][0].bytes, as: UTF8.self) == "file:///tmp/a%20b\r\nfile:///tmp/c\r\n")
        #expect(entries[2].items[0].map(\.type) == ["public.html", "public.utf8-plain-text"])
        #expect(
            entries[2].items[0].map { String(decoding: $0.bytes, as: UTF8.self) } == [
                "<b>a</b>", "a & b -> <c> &gt; \u{1}",
            ])
    }

    @Test("GPaste's older files are read, and so is an empty file")
    func oldGPaste() throws {
        let file = """
            <?xml version="1.0" encoding="UTF-8"?>
            <history version="1.0">
              <item kind="Text"><![CDATA[new]]></item>
              <item kind="Text"><![CDATA[]]></item>
            </history>
            """
        #expect(try read(.gpaste, Array(file.utf8)).map(\.items) == [Self.text(""), Self.text("new")])
        #expect(try read(.gpaste, []) == [])
        #expect(fault(.gpaste, String(file.dropLast(8)))?.hasSuffix("is cut short") == true)
        #expect(fault(.gpaste, String(file.prefix(100)))?.hasSuffix("ends within entry 1") == true)
        #expect(fault(.gpaste, "{}")?.hasSuffix("is not a history of GPaste") == true)
    }

    // MARK: Clipboard Indicator

    @Test("The registry of Clipboard Indicator is read, of any version")
    func clipboardIndicator() throws {
        let file = """
            ["plain", {"contents":"old","favorite":true},
             {"favorite":false,"mimetype":"text/plain;charset=utf-8","contents":"new"},
             {"favorite":true,"mimetype":"image/png","contents":"picture","tag":"x"},
             {"favorite":false,"mimetype":"image/png","contents":"/nowhere/1"}]
            """
        let entries = try read(.clipboardIndicator, Array(file.utf8))
        #expect(entries.map(\.isPinned) == [false, true, false, true])
        #expect(entries.prefix(3).map(\.items) == ["plain", "old", "new"].map(Self.text))
        #expect(entries[3].items == [[Representation(type: "public.png", target: "image/png", bytes: Self.png)]])
        #expect(try read(.clipboardIndicator, []) == [])
        for bad in ["{}", "[1]", #"[{"favorite":true}]"#, #"["a""#] {
            #expect(fault(.clipboardIndicator, bad)?.contains("is not a registry of Clipboard Indicator") == true)
        }
    }

    // MARK: Klipper

    private static func bytes(_ digits: String) -> [UInt8] {
        let digits = digits.filter { !$0.isWhitespace }
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(digits.dropFirst($0).prefix(2), radix: 16) ?? 0
        }
    }

    /// A file that Klipper 5.27 has written: "Fushan Wen", and before that "clipboard".
    private static let klipper = bytes(
        """
        d2accc03 0000005a 00000008 352e32372e383000
        0000000c 0073007400720069006e0067 00000014 00460075007300680061006e002000570065006e
        0000000c 0073007400720069006e0067 00000012 0063006c006900700062006f006100720064
        """)

    @Test("Klipper's file before Plasma 6.3 is read: text, addresses and pictures")
    func klipper() throws {
        #expect(
            try read(.klipper, Self.klipper).map(\.items) == [Self.text("clipboard"), Self.text("Fushan Wen")])
        let url = Self.bytes(
            """
            00000006 00750072006c 00000001 00000011 66696c653a2f2f2f746d702f6125323062 00000001 00000002 0061
            00000002 0062 00000000
            """)
        let image = Self.bytes("0000000a 0069006d006100670065 00000001") + Self.png
        let body = Self.bytes("00000006 362e322e3500") + url + image
        let length = (0..<4).map { UInt8(truncatingIfNeeded: body.count >> (24 - 8 * $0)) }
        let entries = try read(.klipper, [0, 0, 0, 0] + length + body)
        #expect(entries.map { $0.items[0][0].target } == ["image/png", "text/uri-list"])
        #expect(entries[0].items[0][0].bytes == Self.png)
        #expect(String(decoding: entries[1].items[0][0].bytes, as: UTF8.self) == "file:///tmp/a%20b\r\n")
    }

    @Test("Any damage to Klipper's file is reported, without a crash")
    func damagedKlipper() {
        #expect(fault(.klipper, "x")?.hasSuffix("is not a history of Klipper") == true)
        for length in 0..<Self.klipper.count {
            #expect(throws: TransferFault.self) { try read(.klipper, Array(Self.klipper.prefix(length))) }
        }
        var random = SeededGenerator(seed: 2)
        for _ in 0..<2_000 {
            var bytes = Self.klipper
            bytes[Int.random(in: 8..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            _ = try? read(.klipper, bytes)
        }
    }
}
