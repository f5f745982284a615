import CommandCore
import Commands
import PasteboardWire
import Terminal
import Testing
import XPBCommand

@Suite struct WatchTableTests {
    private static let row = WatchTable.Row(
        time: "12:34:56", pasteboard: "general", count: "1234", owner: "Firefox", types: "html text",
        preview: "日本語 and a preview that is long, longer than any terminal is wide, "
            + String(repeating: "x", count: 200))

    @Test("Neither a line nor the header exceeds the width", arguments: 1...200)
    func width(columns: Int) {
        for row in [Self.row, .header] { #expect(Columns.count(WatchTable.line(row, columns: columns)) <= columns) }
    }

    @Test("A narrow terminal has the columns that matter most")
    func narrow() {
        func has(_ columns: Int) -> [Bool] {
            let line = WatchTable.line(Self.row, columns: columns)
            return ["12:34:56", "general", "1234", "Firefox", "html text", "日本"].map { line.contains($0) }
        }
        #expect(has(100) == [true, true, true, true, true, true])
        #expect(has(80) == [true, true, true, true, false, true])
        #expect(has(60) == [true, true, true, false, false, true])
        #expect(has(40) == [true, false, true, false, false, true])
        #expect(has(30) == [false, false, true, false, false, true])
        #expect(has(15) == [false, false, false, false, false, true])
    }

    @Test(
        "Types are named by their classes, each once",
        arguments: [
            (["public.html", "public.utf8-plain-text", "public.utf16-plain-text"], "html text"),
            (["public.png", "public.jpeg", "org.example.unknown"], "image +1"), ([], ""),
            (["org.example.one", "org.example.two"], "org.example.one"),
            (["public.utf8-plain-text", "org.nspasteboard.ConcealedType"], "text"),
        ])
    func words(types: [String], expected: String) {
        #expect(WatchTable.words(for: types) == expected)
    }

    @Test("Control characters in the owner's name are escaped, and an unknown owner is described")
    func owner() {
        #expect(WatchTable.name(of: WireOwner(kind: .window, program: "a\u{1B}b")) == #"a\u{1b}b"#)
        #expect(WatchTable.name(of: WireOwner(kind: .window)) == "a window")
        #expect(WatchTable.name(of: WireOwner(kind: .none)) == "-")
    }
}

@Suite struct TransferProgressTests {
    private func line(_ bytes: Int?, _ length: Int?, columns: Int = 80) -> String {
        TransferProgress(label: "reading a\u{1B}.iso", bytes: bytes, length: length)
            .line(after: .seconds(2), columns: columns)
    }

    @Test("A line has the known facts, and fits the width")
    func lines() {
        #expect(line(2 << 20, 8 << 20) == #"reading a\u{1b}.iso: 2 MiB of 8 MiB, 25%, 1 MiB/s"#)
        #expect(line(2 << 20, nil) == #"reading a\u{1b}.iso: 2 MiB, 1 MiB/s"#)
        #expect(line(nil, nil) == #"reading a\u{1b}.iso …"#)
        #expect(line(9, 0) == #"reading a\u{1b}.iso: 9 bytes, 4 bytes/s"#)
        #expect(line(20, 10).contains("100%"))
        for columns in 1...60 { #expect(Columns.count(line(1, 2, columns: columns)) < columns) }
    }

    @Test("The transfer shown is the longest one that the bridge receives for the pasteboard")
    func transfers() {
        func transfer(_ direction: WireTransfer.Direction, _ selection: String, _ bytes: Int) -> WireTransfer {
            WireTransfer(
                direction: direction, selection: selection, type: "image/png", program: "GIMP", bytes: bytes, age: 0,
                silence: 0)
        }
        let transfers = [
            transfer(.receiving, "CLIPBOARD", 10), transfer(.receiving, "CLIPBOARD", 30),
            transfer(.sending, "CLIPBOARD", 90), transfer(.receiving, "PRIMARY", 50),
        ]
        #expect(
            TransferProgress(of: "general", in: transfers) == TransferProgress(label: "receiving from GIMP", bytes: 30))
        #expect(TransferProgress(of: "find", in: transfers)?.bytes == 50)
        #expect(TransferProgress(of: "com.example.scratch", in: transfers) == nil)
    }
}
