import Glibc
import LinuxSystem
import PasteboardModel
import PasteboardStore
import UniformTypes

/// A program that writes to a store, for the tests that kill the writer or let its disk fill up.
///
///     StoreWriter write FOLDER SEED       writes until it is killed, with a line for each acknowledged entry
///     StoreWriter fill FOLDER [BYTES]     writes until the disk is full, or a file has that size; checks that nothing
///                                         is lost and that reading and deleting work, and exits with 0 if so
@main
enum StoreWriter {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 2 else { exit(2) }
        switch arguments[1] {
        case "write": try write(folder: arguments[2], seed: Int(arguments[3]) ?? 0)
        case "fill":
            let limit = arguments.count > 3 ? UInt(arguments[3]) : nil
            try FullDiskScenario(folder: arguments[2], fileSizeLimit: limit).run()
        default: exit(2)
        }
    }

    private static let limits = Store.Limits(entries: 1_000_000, age: nil, bytes: 1 << 40)

    static func open(_ folder: String) throws -> Store { try Store(at: folder, limits: limits, now: 0) }

    /// Returns the text of an entry, which depends only on the entry's number. Every tenth text equals the text nine
    /// entries before.
    static func text(of number: Int) -> String {
        let source = number % 10 == 0 ? number - 9 : number
        return "entry \(source) " + String(repeating: "abcdefg ", count: source * 7_919 % 4_001)
    }

    static func entry(_ number: Int, _ text: String, count: Int, isListed: Bool = true) throws -> NewEntry {
        let file = try MemoryFile.containing(Array(text.utf8))
        let part = Representation(type: .utf8PlainText, target: "UTF8_STRING", range: 0..<file.length)
        return NewEntry(
            id: EntryID(number), contents: Contents(items: [Item(representations: [part])]), files: [file],
            pasteboard: .general, count: count, created: number, isListed: isListed,
            summary: EntrySummary(text: text))
    }

    /// Writes a line to standard output.
    static func report(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(1, $0.baseAddress, $0.count) }
    }

    private static func write(folder: String, seed: Int) throws {
        let store = try open(folder)
        let floor = try CountFloor(at: folder)
        var pasteboard = store.opening.pasteboards.first ?? StoredPasteboard(name: .general, count: floor.floor)
        // No count may be reported twice, not even after a crash.
        var count = max(pasteboard.count, floor.floor)
        for number in store.opening.nextEntry.number... {
            count += 1
            floor.reserve(count)
            let isListed = number % 3 != 0
            let entry = try entry(number, text(of: number), count: count, isListed: isListed)
            if let present = pasteboard.entry { pasteboard.undo.append(.init(present)) }
            pasteboard.undo.removeFirst(max(pasteboard.undo.count - 3, 0))
            pasteboard.entry = entry.id
            pasteboard.count = count
            try store.apply(StoreChange(entries: [entry], pasteboards: [pasteboard]))
            report("\(number) \(count) \(isListed)")
            if (number + seed) % 4 == 0 { _ = try store.performMaintenance(now: 0) }
        }
    }
}
