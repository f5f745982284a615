import Glibc
import LinuxSystem
import PasteboardModel
import PasteboardStore

/// What happens to a store whose disk becomes full.
struct Filling {
    let folder: String
    /// The longest file that may be written, in bytes; with nil, the disk is what fills up.
    let limit: UInt?

    func run() throws {
        if let limit {
            signal(SIGXFSZ, SIG_IGN)
            var resource = rlimit(rlim_cur: limit, rlim_max: limit)
            guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &resource) == 0 else { exit(3) }
        }
        var store = try StoreWriter.open(folder)
        while try store.tidy(now: 0) {}
        let written = try fill(store, from: 1)
        StoreWriter.tell("full after \(written)")
        try check(written > 10, "there was room for some")
        try check(Self.isFull(store, written + 1), "it says so again")
        try checkAll(store, 1...written)
        // What cannot be written leaves nothing behind.
        store = try reopened(store)
        try checkAll(store, 1...written)

        // A log that may not grow cannot take a deletion either, whatever room there is.
        guard limit == nil else { return }
        let half = written / 2
        try check(try store.delete((1...half).map(EntryID.init)) > 0, "it can be deleted from")
        while try store.tidy(now: 0) {}
        let more = try fill(store, from: written + 2)
        StoreWriter.tell("full again after \(more)")
        try check(more > written + 2, "there is room again")
        try checkAll(store, (half + 1)...written)
        try checkAll(try reopened(store), (half + 1)...written)
    }

    /// All are different.
    private static func text(of number: Int) -> String { StoreWriter.text(of: number * 10 + 1) }

    private func reopened(_ store: Store) throws -> Store {
        store.close(counts: [:])
        let other = try StoreWriter.open(folder)
        try check(other.opening.notices.isEmpty, "nothing is damaged: \(other.opening.notices)")
        return other
    }

    /// - Returns: The last entry that was written.
    private func fill(_ store: Store, from first: Int) throws -> Int {
        var number = first
        while try !Self.isFull(store, number) { number += 1 }
        return number - 1
    }

    private static func isFull(_ store: Store, _ number: Int) throws -> Bool {
        do {
            let entry = try StoreWriter.entry(number, Self.text(of: number), count: number)
            let board = StoredBoard(name: .general, count: number, entry: entry.id)
            try store.apply(StoreChange(entries: [entry], boards: [board]), now: 0)
            while try store.tidy(now: 0) {}
            return false
        } catch StoreFailure.noRoom {
            return true
        }
    }

    private func checkAll(_ store: Store, _ numbers: ClosedRange<Int>) throws {
        for number in numbers {
            guard let stored = try store.contents(of: EntryID(number)) else {
                try check(false, "entry \(number) is there")
                return
            }
            let part = stored.contents.items[0].representations[0]
            let bytes = try stored.files[0].bytes(in: part.range ?? 0..<0)
            try check(bytes == Array(Self.text(of: number).utf8), "entry \(number) is whole")
        }
    }

    private func check(_ condition: Bool, _ what: String) throws {
        guard !condition else { return }
        StoreWriter.tell("not true: \(what)")
        exit(1)
    }
}
