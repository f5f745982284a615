import CommandCore
import Commands
import PasteboardWire
import Testing
import XPBCommand

@Suite struct OutputTests {
    @Test("A line shows no control characters of other programs, but fields that end with NUL keep them")
    func lines() {
        #expect(Line.text(["a", "b\nc\u{1B}[2J\u{85}"]) == "a\tb\u{FFFD}c\u{FFFD}[2J\u{FFFD}\n")
        #expect(Line.text(["a", "b\nc"], endingWithNUL: true) == "a\tb\nc\0")
        #expect(Line.visible("Ünïcode £") == "Ünïcode £")
    }

    @Test(
        "Seconds have decimals and are rounded up to milliseconds",
        arguments: [
            ("5", 5000), ("0", 0), ("0.25", 250), ("0.0001", 1), ("1e3", 1_000_000),
        ])
    func seconds(text: String, milliseconds: Int) {
        #expect(Seconds(argument: text)?.milliseconds == milliseconds)
    }

    @Test("Invalid seconds are rejected", arguments: ["", "x", "-1", "nan", "inf", "1e9", "5s"])
    func noSeconds(text: String) {
        #expect(Seconds(argument: text) == nil)
    }

    @Test(
        "A representation is listed under its own target, else the usual one of its type",
        arguments: [
            ("public.rtf", "application/rtf", "application/rtf", "application/rtf"),
            ("public.rtf", nil, "text/rtf", "text/rtf"),
            ("public.utf8-plain-text", "UTF8_STRING", "UTF8_STRING", "text/plain;charset=utf-8"),
            ("public.url", nil, "text/x-moz-url", "text/x-moz-url"), ("com.example.x", nil, "com.example.x", nil),
        ] as [(String, String?, String, String?)])
    func types(type: String, given: String?, target: String, mime: String?) {
        let entry = TypesJSON.Entry(WireRepresentation(type: type, target: given, length: 5), withLength: false)
        #expect(entry.target == target && entry.mime == mime && entry.length == nil)
    }

    @Test("A pasteboard is listed with six fields")
    func board() {
        let board = WireBoard(
            name: "general", selection: "CLIPBOARD", count: 7, items: 2, owner: WireOwner(kind: .window, window: 0x2A),
            persistent: true)
        #expect(board.row == ["general", "CLIPBOARD", "7", "2", "0x2a", "persistent"])
    }

    @Test("A change is a line with its types joined by spaces")
    func change() {
        let change = Methods.Monitor.Reply(
            pasteboard: "find", count: 3, owner: WireOwner(kind: .client), types: ["public.html", "public.png"])
        #expect(change.line == "find\t3\tpublic.html public.png\n")
    }

    @Test("Moments are written in UTC, to the second")
    func moments() {
        #expect(Moment.text(1_700_000_000_999) == "2023-11-14T22:13:20Z")
    }
}
