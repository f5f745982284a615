import FoundationEssentials
import Glibc
import Pasteboard
import Undo

/// A list of lines with copy, cut, paste and undo, in a terminal: a program to start from. Its loop waits for the
/// keyboard and for other programs' copies.
@main final class LineEditor {
    private static let help = "add TEXT, copy N, cut N, paste, undo, redo; an empty line ends the program"

    private var lines: [String] = []
    private let undoManager = UndoManager()

    static func main() throws {
        let events = try PasteboardEvents()
        let editor = LineEditor()
        events.observe(.general) { change in
            if change.owner.processID != Int(getpid()) { print("another program has copied \(change.types)") }
        }
        print(help)
        var sources = [
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            pollfd(fd: events.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        var input: [UInt8] = []
        while fflush(nil) == 0, unsafe poll(&sources, 2, -1) >= 0 {
            if sources[1].revents != 0 { events.dispatch() }
            guard sources[0].revents != 0 else { continue }
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = unsafe read(STDIN_FILENO, &bytes, bytes.count)
            guard count > 0 else { return }
            input += bytes.prefix(count)
            while let end = input.firstIndex(of: UInt8(ascii: "\n")) {
                guard end > 0 else { return }
                editor.perform(String(decoding: input[..<end], as: UTF8.self))
                input.removeSubrange(...end)
                // All changes of one command are one step for undo.
                editor.undoManager.endEvent()
                editor.show()
            }
        }
    }

    private func perform(_ command: String) {
        let words = command.split(separator: " ", maxSplits: 1)
        let argument = words.count > 1 ? String(words[1]) : ""
        do {
            switch words.first {
            case "add": insert([argument], at: lines.count, "Add")
            case "copy": try Pasteboard.general.setString(try line(argument).text)
            case "cut":
                let line = try line(argument)
                try Pasteboard.general.setString(line.text)
                remove(line.index..<line.index + 1, "Cut")
            case "paste":
                let pasted = try Pasteboard.general.string ?? ""
                insert(pasted.split(separator: "\n").map(String.init), at: lines.count, "Paste")
            case "undo": undoManager.undo()
            case "redo": undoManager.redo()
            default: print(Self.help)
            }
        } catch {
            print("\(error)")
        }
    }

    private struct NoLine: Error, CustomStringConvertible {
        let description: String
    }

    private func line(_ number: String) throws -> (index: Int, text: String) {
        guard let number = Int(number), lines.indices.contains(number - 1) else {
            throw NoLine(description: "there is no line '\(number)'; name one of 1 to \(lines.count)")
        }
        return (number - 1, lines[number - 1])
    }

    private func insert(_ new: [String], at index: Int, _ name: String) {
        guard !new.isEmpty else { return }
        lines.insert(contentsOf: new, at: index)
        undoManager.registerUndo(withTarget: self) { $0.remove(index..<index + new.count, name) }
        undoManager.setActionName(name)
    }

    private func remove(_ range: Range<Int>, _ name: String) {
        let former = Array(lines[range])
        lines.removeSubrange(range)
        undoManager.registerUndo(withTarget: self) { $0.insert(former, at: range.lowerBound, name) }
        undoManager.setActionName(name)
    }

    private func show() {
        for (index, line) in lines.enumerated() { print("\(index + 1) \(line)") }
        print("-- \(undoManager.undoMenuItemTitle), \(undoManager.redoMenuItemTitle)")
    }
}
