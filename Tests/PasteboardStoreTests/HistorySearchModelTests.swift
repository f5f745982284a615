import Foundation
import PasteboardModel
import PasteboardStore
import TestRandom
import Testing
import TextSearch

/// The search of a history that changes at random, compared with its list.
///
/// A test with a few entries runs many changes. What the list has is the subject of other tests.
@Suite struct HistorySearchModelTests {
    private static let letters = Array("abAÉé-1世界ไท😀")
    private static let limits = Store.Limits(entries: 25, age: nil, bytes: 1 << 30)

    private var random: SeededGenerator
    private var fixture = StoreFixture()
    private var store: Store
    private var lastNumber = 0

    init() throws {
        random = SeededGenerator(seed: 0)
        store = try fixture.open(limits: Self.limits)
    }

    @Test(
        "After any changes, crashes and damage to the index, a search finds the entries of the list that have the word",
        arguments: 1...8)
    mutating func changes(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        for step in 1...150 {
            try change()
            let word = text(ofAtMost: 3)
            let term = SearchTerm(word)
            let listed = try store.lines(HistoryQuery()).filter { entry in
                ([entry.preview ?? ""] + entry.types).contains { term.isContained(in: SearchedText($0)) }
            }
            try #require(
                try store.ids(HistoryQuery(search: "\"\(word)\"")) == listed.map(\.id.number),
                "step \(step): \(word)")
        }
        try store.performAllMaintenance()
        try store.database.run("INSERT INTO search (search) VALUES ('integrity-check')")
    }

    private mutating func change() throws {
        let listed = try store.ids()
        switch Int.random(in: 0..<20, using: &random) {
        case 0: _ = try store.clearHistory(of: Bool.random(using: &random) ? .find : nil)
        case 1, 2: try pick(listed).map { _ = try store.delete([EntryID($0)]) }
        case 3, 4: try pick(listed).map { try store.pin([EntryID($0)], Bool.random(using: &random)) }
        case 5, 6: _ = try store.performMaintenance(now: StoreFixture.now)
        case 7: try store.performAllMaintenance()
        case 8: try crash()
        case 9: try damageIndex()
        default:
            lastNumber += 1
            let pasteboard: PasteboardName = Bool.random(using: &random) ? .general : .find
            try store.copy(NewEntry(lastNumber, text(ofAtMost: 12), on: pasteboard))
        }
    }

    /// Continues with a copy of the store's files, which are those that a process killed at this moment leaves.
    private mutating func crash() throws {
        let copy = StoreFixture()
        try FileManager.default.copyItem(atPath: fixture.folder, toPath: copy.folder)
        store = try copy.open(limits: Self.limits)
        fixture = copy
    }

    /// Damages the index, which the store then rebuilds in several steps. A crash leaves no part of it in memory.
    private mutating func damageIndex() throws {
        try store.database.run("UPDATE search_data SET block = x'00112233445566778899' WHERE id > 1")
        try crash()
    }

    private mutating func pick(_ numbers: [Int]) -> Int? { numbers.randomElement(using: &random) }

    private mutating func text(ofAtMost length: Int) -> String {
        String(
            (0..<Int.random(in: 1...length, using: &random)).compactMap { _ in
                Self.letters.randomElement(using: &random)
            })
    }
}
