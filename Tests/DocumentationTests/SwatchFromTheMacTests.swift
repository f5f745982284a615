import ApplePasteboards
import TestSupport
import Testing

// snippet: Mac swatch
final class Swatch: NSObject, NSPasteboardWriting, NSPasteboardReading {
    static let type = NSPasteboard.PasteboardType("com.example.swatch")
    var color: String

    init(color: String) { self.color = color }

    func writableTypes(for pasteboard: NSPasteboard) -> [NSPasteboard.PasteboardType] { [Self.type, .string] }

    func pasteboardPropertyList(forType type: NSPasteboard.PasteboardType) -> Any? {
        type == .string ? color : ["color": color]
    }

    static func readableTypes(for pasteboard: NSPasteboard) -> [NSPasteboard.PasteboardType] { [type, .string] }

    static func readingOptions(
        forType type: NSPasteboard.PasteboardType, pasteboard: NSPasteboard
    ) -> NSPasteboard.ReadingOptions { type == .string ? .asString : .asPropertyList }

    required init?(pasteboardPropertyList propertyList: Any, ofType type: NSPasteboard.PasteboardType) {
        guard let color = propertyList as? String ?? (propertyList as? [String: String])?["color"] else { return nil }
        self.color = color
    }
}
// end

// snippet: Mac board
final class SwatchBoard: NSObject {
    private(set) var swatches: [Swatch] = []
    let undoManager = UndoManager()

    func insert(_ new: [Swatch], at index: Int) {
        swatches.insert(contentsOf: new, at: index)
        undoManager.registerUndo(withTarget: self) { $0.remove(at: index, count: new.count) }
    }

    func remove(at index: Int, count: Int) {
        let former = Array(swatches[index..<index + count])
        swatches.removeSubrange(index..<index + count)
        undoManager.registerUndo(withTarget: self) { $0.insert(former, at: index) }
    }

    func setColor(_ color: String, at index: Int) {
        let former = swatches[index].color
        swatches[index].color = color
        undoManager.registerUndo(withTarget: self) { $0.setColor(former, at: index) }
        undoManager.setActionName("Change Color")
    }
}
// end

// snippet: Mac commands
extension SwatchBoard {
    func copySwatch(at index: Int) {
        NSPasteboard.general.clearContents()
        NSPasteboard.general.writeObjects([swatches[index]])
    }

    func cutSwatch(at index: Int) {
        copySwatch(at: index)
        remove(at: index, count: 1)
        undoManager.setActionName("Cut")
    }

    var canPaste: Bool { NSPasteboard.general.canReadObject(forClasses: [Swatch.self]) }

    func paste() {
        guard let pasted = NSPasteboard.general.readObjects(forClasses: [Swatch.self]) as? [Swatch] else { return }
        insert(pasted, at: swatches.count)
        undoManager.setActionName("Paste")
    }
}
// end

extension Documentation {
    @Suite("A swatch from the Mac") struct SwatchFromTheMacTests {
        @Test("Swatches are copied, cut, pasted and changed, and each event is undone as one step")
        func commands() async throws {
            try await withPasteboards { sandbox in
                try await waiting {
                    let board = SwatchBoard()
                    func event(_ body: () -> Void) {
                        body()
                        // The tests have no run loop.
                        board.undoManager.endEvent()
                    }
                    event { board.insert([Swatch(color: "blue"), Swatch(color: "red")], at: 0) }
                    event { board.cutSwatch(at: 0) }
                    #expect(board.canPaste)
                    event { board.paste() }
                    #expect(board.swatches.map(\.color) == ["red", "blue"])
                    event { board.setColor("green", at: 1) }
                    #expect(board.undoManager.undoMenuItemTitle == "Undo Change Color")
                    event { board.undoManager.undo() }
                    event { board.undoManager.undo() }
                    #expect(board.swatches.map(\.color) == ["red"] && board.undoManager.undoActionName == "Cut")
                    event { board.undoManager.undo() }
                    #expect(board.swatches.map(\.color) == ["blue", "red"])
                    event { board.copySwatch(at: 1) }
                    // A call that reads writes first.
                    #expect(board.canPaste)
                }
                #expect(try await sandbox.xclipPastes() == "red")
            }
        }
    }
}
