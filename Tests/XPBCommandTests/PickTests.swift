import CommandCore
import FoundationEssentials
import PasteboardWire
import Pick
import Terminal
import TestRandom
import Testing
import XPBCommand

/// Entries of a history, latest first.
private func entries(_ texts: [String], first id: Int = 100, types: [String] = ["public.utf8-plain-text"])
    -> [WireHistoryEntry]
{
    texts.enumerated().map { index, text in
        WireHistoryEntry(
            id: id - index, pasteboard: "general", count: id - index, copies: 1, created: 1_700_000_000_000,
            type: types[0], types: types, items: 1, length: text.utf8.count, preview: text, pinned: false)
    }
}

@Suite struct PickModelTests {
    private func model(_ texts: [String] = ["one", "two", "three"]) -> PickModel {
        var model = PickModel()
        model.setPageLength(10)
        model.show(entries(texts))
        return model
    }

    private func previews(_ model: PickModel) -> [String?] { model.entries.map(\.preview) }

    @Test("The arrows, pages, Home and End move the selection, and stop at the ends")
    func movement() {
        var model = model((0..<40).map { "\($0)" })
        for (key, expected) in [
            (Key.down, 1), (.control("n"), 2), (.up, 1), (.control("p"), 0), (.up, 0), (.pageDown, 10), (.end, 39),
            (.down, 39), (.pageUp, 29), (.home, 0),
        ] {
            #expect(model.handle(key).isEmpty)
            #expect(model.selection == expected, "\(key)")
            #expect((model.top..<model.top + 10).contains(model.selection))
        }
    }

    @Test("Tab marks entries, which Return chooses in the order of their marks, through searches, without deleted ones")
    func marks() {
        var model = model(["one", "two", "three", "four"])
        for key in [Key.end, .tab, .home, .tab, .tab] { #expect(model.handle(key).isEmpty) }
        #expect(model.marked == [97, 100, 99] && model.selection == 2)
        _ = model.handle(.text("x"))
        model.show([])
        #expect(model.handle(.enter) == [.finish(.chosen([97, 100, 99]))])
        _ = model.handle(.control("u"))
        model.show(entries(["one", "two", "three", "four"]))
        // The mark of the first entry is removed, and the second one is deleted.
        for key in [Key.home, .tab, .delete] { #expect(model.handle(key).isEmpty) }
        #expect(model.handle(.enter) == [.finish(.chosen([97]))])
    }

    @Test("A mark follows its contents to the line of another copy, and ends when they are deleted elsewhere")
    func changedMarks() {
        var model = model(["one", "two", "three"])
        for key in [Key.tab, .tab, .tab] { _ = model.handle(key) }
        #expect(model.marked == [100, 99, 98])
        model.show(entries(["two"], first: 101) + entries(["one"]))
        #expect(model.marked == [100, 101])
    }

    @Test("Text is a search, from which keys remove characters, words and all")
    func search() {
        var model = model()
        #expect(model.handle(.text("i")) == [.list])
        #expect(model.handle(.text("nv dra ")) == [.list] && model.search == "inv dra ")
        #expect(model.handle(.control("w")) == [.list] && model.search == "inv ")
        #expect(model.handle(.backspace) == [.list] && model.search == "inv")
        #expect(model.handle(.control("u")) == [.list] && model.search.isEmpty)
        #expect(model.handle(.backspace).isEmpty)
        _ = model.handle(.text(String(repeating: "a", count: 5_000)))
        #expect(model.search.count == 200)
    }

    @Test("The first result of a search is selected")
    func results() {
        var model = model()
        _ = model.handle(.end)
        _ = model.handle(.text("t"))
        model.show(entries(["two", "three"], first: 99))
        #expect(model.selected?.preview == "two")
        #expect(model.handle(.enter) == [.finish(.chosen([99]))])
    }

    @Test("Scattered letters are found among the latest entries too, best first, after the results of the search")
    func scattered() {
        var model = model(["git checkout main", "get coffee", "nothing"])
        _ = model.handle(.text("gco"))
        model.show(entries(["gco"], first: 50))
        #expect(previews(model) == ["gco", "get coffee", "git checkout main"])
        #expect(model.letters == [99: [0, 4, 5], 100: [0, 4, 9]])
        // Two letters are in every line, and a quote or a filter means that the words are to be found as they are.
        for search in ["go", "\"gco", "type:gco"] {
            _ = model.handle(.control("u"))
            model.show(entries(["git checkout main"]))
            _ = model.handle(.text(search))
            model.show([])
            #expect(model.entries.isEmpty, "\(search)")
        }
    }

    @Test("A copy made elsewhere leaves the same entry selected")
    func change() {
        var model = model()
        _ = model.handle(.down)
        var isKept = model.show(entries(["new"], first: 101) + entries(["one", "two", "three"]))
        #expect(isKept && model.selected?.preview == "two" && model.selection == 2)
        isKept = model.show(entries(["two", "new"], first: 102) + entries(["one"]) + entries(["three"], first: 98))
        #expect(isKept)
        #expect(model.selected?.preview == "two" && model.selection == 0, "the copy with a later ID was not selected")
        _ = model.handle(.down)
        isKept = model.show(entries(["two"], first: 102) + entries(["three"], first: 98))
        #expect(!isKept)
        #expect(model.selection == 1, "the entry after the deleted one was not selected")
        model.show([])
        #expect(model.selected == nil && model.handle(.enter).isEmpty && model.handle(.delete).isEmpty)
    }

    @Test("Deleted entries can be brought back to their places, last deleted first, until the user leaves")
    func deletion() {
        var model = model()
        _ = model.handle(.down)
        _ = model.handle(.delete)
        #expect(previews(model) == ["one", "three"] && model.selected?.preview == "three" && model.message != nil)
        _ = model.handle(.control("d"))
        #expect(previews(model) == ["one"] && model.deleted.map(\.preview) == ["two", "three"])
        model.show(entries(["one", "two", "three"]))
        #expect(previews(model) == ["one"], "entries that the bridge still lists were shown")
        _ = model.handle(.control("r"))
        #expect(previews(model) == ["one", "three"] && model.selected?.preview == "three")
        _ = model.handle(.control("r"))
        #expect(
            previews(model) == ["one", "two", "three"] && model.selected?.preview == "two" && model.deleted.isEmpty)
        #expect(model.handle(.control("r")).isEmpty && previews(model).count == 3)
    }

    @Test("Secrets are never listed")
    func secrets() {
        var model = PickModel()
        model.show(entries(["hunter2"], types: ["public.utf8-plain-text", "org.nspasteboard.ConcealedType"]))
        #expect(model.entries.isEmpty)
    }

    @Test("Other keys pin, leave, stop and draw again")
    func others() {
        var model = model()
        #expect(model.handle(.control("t")) == [.pin(100, true)])
        #expect(model.handle(.escape) == [.finish(.left)])
        #expect(model.handle(.control("c")) == [.finish(.interrupted)])
        #expect(model.handle(.control("z")) == [.suspend])
        #expect(model.handle(.control("l")) == [.redraw])
    }
}

@Suite struct PickScreenTests {
    private static let now = Date(timeIntervalSince1970: 1_700_000_090)
    private static let plain = Style(isTerminal: false, environment: [:])

    private func screen(
        _ model: PickModel, _ columns: Int, _ rows: Int, preview: PickPreview? = nil
    ) -> PickScreen {
        PickScreen(
            model, preview: preview, layout: PickLayout(columns: columns, rows: rows), style: Self.plain, now: Self.now)
    }

    /// Returns the text of each row of a screen.
    private func lines(_ screen: PickScreen, _ rows: Int) -> [String] {
        (0..<rows).map { row in screen.parts.filter { $0.row == row }.map(\.text).joined() }
    }

    private func model(_ texts: [String]) -> PickModel {
        var model = PickModel()
        model.setPageLength(8)
        model.show(entries(texts))
        return model
    }

    @Test("A wide screen has the list, the preview beside it, the search and the keys")
    func wide() {
        let lines = lines(screen(model(["first line", "second"]), 80, 10, preview: .text(["first line"])), 10)
        #expect(lines[0].hasPrefix("Search: ") && lines[0].hasSuffix(" 2"))
        #expect(lines[1].hasPrefix("> first line") && lines[1].contains("text     1m"))
        #expect(lines[1].contains("text, 10 bytes, 1m ago"))
        #expect(lines[2].hasPrefix("  second") && lines[2].contains(" first line"))
        #expect(lines[9].hasPrefix("Return copy  Esc leave"))
    }

    @Test("At every size, no text of the screen is wider than its place or outside of it")
    func sizes() {
        let wide = model((0..<30).map { "日本語のテキスト 👩‍👩‍👧 \($0) " + String(repeating: "x", count: 90) })
        for columns in [1, 2, 5, 12, 19, 20, 35, 36, 75, 76, 80, 200] {
            for rows in 1...40 {
                let preview = PickPreview.text(["日本語" + String(repeating: "語y", count: 100), ""])
                for part in screen(wide, columns, rows, preview: preview).parts {
                    #expect((0..<rows).contains(part.row), "\(columns)×\(rows)")
                    #expect(part.column + Columns.count(part.text) <= columns, "\(columns)×\(rows): \(part)")
                }
            }
        }
    }

    @Test("The selected entry is on the screen, whatever its size")
    func selection() {
        var model = model((0..<50).map { "entry \($0)." })
        for _ in 0..<31 { _ = model.handle(.down) }
        for rows in 2...30 {
            model.setPageLength(PickLayout(columns: 40, rows: rows).list.rows)
            let lines = lines(screen(model, 40, rows), rows)
            #expect(lines.contains { $0.hasPrefix("> entry 31.") }, "\(rows) rows")
        }
    }

    @Test("No control character of an entry, a program or a search reaches the terminal")
    func visible() {
        let hostile = "a\u{1B}]52;c;AAAA\u{7}\u{9B}31m\u{202E}\r\nb"
        var entry = entries([hostile])[0]
        entry.program = hostile
        var model = PickModel()
        model.show([entry])
        _ = model.handle(.text("\u{202E}"))
        model.show([entry])
        let screen = screen(model, 100, 20, preview: .text(Preview().linesOfText(entry)))
        for part in screen.parts {
            #expect(
                part.text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control && $0 != "\u{202E}" })
        }
        #expect(screen.parts.contains { $0.text.contains(#"\u{1b}"#) })
    }

    @Test("Only changed parts are drawn again, and a picture on a clear screen")
    func changes() {
        var model = model(["one", "two", "three"])
        let first = screen(model, 80, 10)
        let whole = String(decoding: first.bytes(after: nil, removal: []), as: UTF8.self)
        #expect(whole.contains("\u{1B}[2J") && whole.contains("three"))
        _ = model.handle(.down)
        let second = screen(model, 80, 10)
        let changed = String(decoding: second.bytes(after: first, removal: []), as: UTF8.self)
        #expect(!changed.contains("\u{1B}[2J") && changed.contains("> two") && !changed.contains("three"))
        let picture = PickPreview.picture(TerminalPicture(bytes: Array("PICTURE".utf8), rows: 2))
        let third = screen(model, 80, 10, preview: picture)
        let drawn = String(decoding: third.bytes(after: second, removal: Array("REMOVE".utf8)), as: UTF8.self)
        #expect(drawn.contains("REMOVE") && drawn.contains("\u{1B}[2J") && drawn.contains("\u{1B}[3;42HPICTURE"))
        _ = model.handle(.text("x"))
        let typed = screen(model, 80, 10, preview: picture)
        #expect(!String(decoding: typed.bytes(after: third, removal: []), as: UTF8.self).contains("PICTURE"))
    }

    @Test("Without emphasis the selection is still marked, and there is no color")
    func noColor() {
        let parts = screen(model(["one"]), 80, 10).parts
        #expect(parts.allSatisfy { $0.styled == $0.text } && parts.contains { $0.text.hasPrefix("> one") })
    }
}
