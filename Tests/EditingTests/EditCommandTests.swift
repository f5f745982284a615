import Editing
import Testing
import Undo

@Suite struct EditCommandTests {
    @Test("Standard commands have the usual desktop keys")
    func keys() {
        let expected: [(EditCommand, [String])] = [
            (.cut, ["Ctrl+X", "Shift+Delete"]), (.copy, ["Ctrl+C", "Ctrl+Insert"]),
            (.paste, ["Ctrl+V", "Shift+Insert"]), (.pasteSelection, ["Button2"]), (.selectAll, ["Ctrl+A"]),
            (.undo, ["Ctrl+Z"]), (.redo, ["Ctrl+Shift+Z", "Ctrl+Y"]), (.findNext, ["Ctrl+G", "F3"]), (.select, []),
        ]
        for (command, keys) in expected { #expect(command.keys.map(\.description) == keys, "\(command)") }
        #expect(EditCommand.pasteSelection.keys[0].isMouseButton && !EditCommand.cut.keys[0].isMouseButton)
        #expect(KeyEquivalent("F4", [.alt, .control]).description == "Ctrl+Alt+F4")
    }

    @Test("No two standard commands share an identifier, a key, or a title in any language")
    func distinct() {
        let commands = EditCommand.standardCommands
        #expect(Set(commands).count == commands.count && commands.count == 14)
        let keys = commands.flatMap(\.keys)
        #expect(Set(keys).count == keys.count)
        for language in UndoManager.MenuLanguage.allCases {
            let titles = commands.map { $0.title(in: language) }
            #expect(Set(titles).count == titles.count, "\(language): \(titles)")
            #expect(!titles.contains(""))
        }
    }

    @Test("Standard commands have titles in all languages")
    func titles() {
        for command in EditCommand.standardCommands {
            #expect(command.title(in: .english) == command.title)
            let others = UndoManager.MenuLanguage.allCases.filter { $0 != .english }
            #expect(others.allSatisfy { command.title(in: $0) != command.title }, "\(command)")
        }
        #expect(EditCommand.paste.title(in: .german) == "Einfügen")
        #expect(EditCommand.undo.title(in: .japanese) == "元に戻す")
    }

    @Test("Commands are equal if their identifiers are")
    func equality() {
        let other = EditCommand("cut", title: "Cut Tile", keys: [KeyEquivalent("F2")])
        #expect(other == .cut && Set([other, .cut]).count == 1)
        #expect(EditCommand.rotate != .cut && EditCommand.rotate.description == "org.example.rotate")
        #expect(EditCommand.rotate.title(in: .german) == "Drehen")
        #expect(EditCommand.rotate.title(in: .japanese) == "Rotate")
    }
}
