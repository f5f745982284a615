import Glibc
import LinuxSystem
import PasteboardModel
import PasteboardStore

/// A store whose disk fills up. Ends the process with status 1 if something is lost or does not work.
struct FullDiskScenario {
    let folder: String
    /// The limit on the size of files, in bytes; nil if the disk fills up.
    let fileSizeLimit: UInt?

    func run() throws {
        if let fileSizeLimit {
            signal(SIGXFSZ, SIG_IGN)
            var resource = rlimit(rlim_cur: fileSizeLimit, rlim_max: fileSizeLimit)
            guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &resource) == 0 else { exit(3) }
        }
        var store = try StoreWriter.open(folder)
        while try store.performMaintenance(now: 0) {}
        let written = try fill(store, from: 1)
        StoreWriter.report("full after \(written)")
        try check(written > 10, "some entries fit")
        try check(Self.isFull(store, written + 1), "a further write is refused too")
        try checkAll(store, 1...written)
        // A refused write leaves nothing behind.
        store = try reopened(store)
        try checkAll(store, 1...written)

        // Under a limit on the size of files the log cannot grow, so nothing can be deleted.
        guard fileSizeLimit == nil else { return }
        let half = written / 2
        try check(try store.delete((1...half).map(EntryID.init)) > 0, "deleting works")
        while try store.performMaintenance(now: 0) {}
        let more = try fill(store, from: written + 2)
        StoreWriter.report("full again after \(more)")
        try check(more > written + 2, "deleting made room")
        try checkAll(store, (half + 1)...written)
        try checkAll(try reopened(store), (half + 1)...written)
    }

    /// Returns text that no other number has.
    private static func text(of number: Int) -> String { StoreWriter.text(of: number * 10 + 1) }

    private func reopened(_ store: Store) throws -> Store {
        store.close(counts: [:])
        let other = try StoreWriter.open(folder)
        try check(other.opening.notices.isEmpty, "nothing is damaged, but: \(other.opening.notices)")
        return other
    }

    /// Writes entries until there is no room.
    ///
    /// - Returns: The last entry that was written.
    private func fill(_ store: Store, from first: Int) throws -> Int {
        var number = first
        while try !Self.isFull(store, number) { number += 1 }
        return number - 1
    }

    /// Tries to write an entry. Returns true if there is no room for the entry.
    private static func isFull(_ store: Store, _ number: Int) throws -> Bool {
        do {
            let entry = try StoreWriter.entry(number, Self.text(of: number), count: number)
            let pasteboard = StoredPasteboard(name: .general, count: number, entry: entry.id)
            try store.apply(StoreChange(entries: [entry], pasteboards: [pasteboard]))
            while try store.performMaintenance(now: 0) {}
            return false
        } catch StoreFailure.noRoom {
            return true
        }
    }

    private func checkAll(_ store: Store, _ numbers: ClosedRange<Int>) throws {
        for number in numbers {
            guard let stored = try store.contents(of: EntryID(number)) else {
                try check(false, "entry \(number) exists")
                return
            }
            let part = stored.contents.items[0].representations[0]
            let bytes = try stored.files[0].bytes(in: part.range ?? 0..<0)
            try check(bytes == Array(Self.text(of: number).utf8), "entry \(number) is intact")
        }
    }

    private func check(_ condition: Bool, _ expectation: String) throws {
        guard !condition else { return }
        StoreWriter.report("not true: \(expectation)")
        exit(1)
    }
}
