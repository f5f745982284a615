import FoundationEssentials
import Pasteboard
import TestSupport
import Testing

extension Library {
    /// Tests of the undo state, of representations added later, of files that are cut, and of hidden pasteboards.
    @Suite("Undo and more", .requiresXvfb) struct UndoTests {
        private static let general = Pasteboard.general

        @Test("Undo and redo are changes, and each change has the undo state")
        func state() async throws {
            try await withLibrary { _ in
                #expect(try Self.general.undoState.canUndo == false)
                var options = PasteboardOptions()
                options.actionName = "Copy Tile"
                try Self.general.setString("a")
                let start = try Self.general.setString("b", options: options)
                let state = try Self.general.undoState
                #expect(state.canUndo && !state.canRedo && state.undoActionName == "Copy Tile")
                var changes = Self.general.changes(since: start - 1).makeAsyncIterator()
                let copied = try #require(try await changes.next())
                #expect(!copied.isUndo && !copied.isRedo && copied.undoState == state)
                try Self.general.undo()
                let undone = try #require(try await changes.next())
                #expect(undone.isUndo && undone.undoState.redoActionName == "Copy Tile" && undone.undoState.canRedo)
                try await Self.general.async.redo()
                let redone = try #require(try await changes.next())
                #expect(redone.isRedo && redone.undoState == state)
                #expect(try await Self.general.async.undoState == state)
            }
        }

        @Test("An app's own persistent pasteboard has undo")
        func persistent() async throws {
            try await withLibrary { sandbox in
                let board = try #require(try Pasteboard(named: "com.example.board", create: true))
                try board.setPersistent(true)
                for text in ["a", "b"] { try board.setString(text) }
                #expect(try board.undoState.canUndo)
                #expect(try await sandbox.require("undo", "-p", board.name, "--list").text.contains("\ta\t"))
                try board.undo()
                #expect(try board.string == "a")
            }
        }

        @Test("Representations can be added to a present item, even another program's")
        func adding() async throws {
            try await withLibrary { sandbox in
                try await sandbox.xclipCopies("<b>x</b>", as: "text/html")
                let count = try await Self.general.async.changeCount
                let added = PasteboardItem(Data("x".utf8), type: .plainText)
                #expect(try Self.general.addRepresentations(of: added, toItem: 0) == count + 1)
                #expect(try Self.general.string == "x")
                #expect(try Self.general.data(forType: .html) == Data("<b>x</b>".utf8))
                let error = #expect(throws: PasteboardError.self) {
                    try Self.general.addRepresentations(of: added, toItem: 1)
                }
                #expect(error?.code == .noSuchItem)
            }
        }

        @Test("Files are marked as cut for file managers, and a file manager's mark is read")
        func cut() async throws {
            try await withLibrary { sandbox in
                let files = ["/tmp/a", "/tmp/b"].map { URL(filePath: $0) }
                try Self.general.setURLs(files, isCut: true)
                #expect(try Self.general.isCut)
                #expect(try await sandbox.xclipPastes("x-special/gnome-copied-files").text.hasPrefix("cut\n"))
                #expect(try await sandbox.xclipPastes("application/x-kde-cutselection").text == "1")
                try await Self.general.async.setURLs(files)
                #expect(try await Self.general.async.isCut == false)
                try await sandbox.xclipCopies("cut\nfile:///tmp/a", as: "x-special/gnome-copied-files")
                #expect(try Self.general.isCut)
                try Self.general.setString("text")
                #expect(try Self.general.isCut == false)
                let web = try #require(URL(string: "https://example.org"))
                let error = #expect(throws: PasteboardError.self) { try Self.general.setURLs([web], isCut: true) }
                #expect(error?.code == .invalidValue)
            }
        }

        @Test("X11 programs do not see a hidden pasteboard, but programs with the library do, even after a restart")
        func hidden() async throws {
            try await withLibrary { sandbox in
                let name = "com.example.hidden"
                let board = try #require(try Pasteboard(named: name, create: true, visibility: .library))
                try board.setString("secret plans")
                #expect(try await sandbox.require("get", "-p", name).text == "secret plans")
                let reply = try await sandbox.ask("--selection", name, "--target", "UTF8_STRING")
                #expect(reply.event == "refused")
                let listed = try await sandbox.require("list").lines.first { $0.hasPrefix(name) }
                #expect(listed?.hasPrefix("\(name)\t-\t") == true, "\(listed ?? "")")
                try await sandbox.require("bridge", "restart")
                try board.setString("again")
                #expect(try await sandbox.require("list").lines.contains { $0.hasPrefix("\(name)\t-\t") })
                let error = #expect(throws: PasteboardError.self) { try board.setPersistent(true) }
                #expect(error?.code == .refused)
                #expect(try Pasteboard.withUniqueName(visibility: .library).types.isEmpty)
            }
        }
    }
}
