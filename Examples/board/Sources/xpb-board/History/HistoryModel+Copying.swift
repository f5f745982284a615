import BoardModel
import EditingGTK
import FoundationEssentials
import Pasteboard

/// The copying of entries to the clipboard.
extension HistoryModel {
    /// Copies an entry.
    func copy(_ identifier: Int, _ completion: @escaping () -> Void) {
        events.perform({ try await Pasteboard.general.async.restore(identifier) }) { [weak self] result in
            guard case .failure(let error) = result else { return completion() }
            self?.reload()
            self?.onFailure?(error)
        }
    }

    /// Returns true if entries can be copied as one: if all of them are files, or all have text.
    static func canJoin(_ entries: [PasteboardHistoryEntry]) -> Bool {
        entries.allSatisfy { EntryKind($0) == .files } || entries.allSatisfy { $0.preview != nil }
    }

    /// Copies entries as one: files as one list, or else the texts with newlines between them. Calls a closure with the
    /// number of the new entry; nil if the history has no entry of the copy, such as while it is paused.
    func copyAsOne(_ entries: [PasteboardHistoryEntry], _ completion: @escaping (Int?) -> Void) {
        let identifiers = entries.map(\.id)
        guard entries.allSatisfy({ EntryKind($0) == .files }) else { return copyPlainText(of: identifiers, completion) }
        copy(completion) { history in
            var items: [PasteboardItem] = []
            for identifier in identifiers { items += try await history.items(ofHistoryEntry: identifier) }
            return try await history.setItems(items)
        }
    }

    /// Copies the texts of entries, without their style and with newlines between them. Calls a closure with the number
    /// of the new entry; nil if the history has no entry of the copy.
    func copyPlainText(of identifiers: [Int], _ completion: @escaping (Int?) -> Void) {
        copy(completion) { history in
            var text = Data()
            for (index, identifier) in identifiers.enumerated() {
                guard let data = try await history.data(forType: .plainText, ofHistoryEntry: identifier) else {
                    throw EntryWithoutText()
                }
                let newline = UInt8(ascii: "\n")
                if index > 0, text.last != newline { text.append(newline) }
                text += data
            }
            return try await history.setData(text, forType: .plainText)
        }
    }

    /// - Parameter write: Writes to the clipboard, and returns its change count.
    private func copy(
        _ completion: @escaping (Int?) -> Void, _ write: @escaping @Sendable (AsyncPasteboard) async throws -> Int
    ) {
        events.perform({
            let history = Pasteboard.general.async
            let count = try await write(history)
            let latest = try await history.history(limit: 1).first
            return latest.flatMap { $0.changeCount == count ? $0.id : nil }
        }) { [weak self] result in
            switch result {
            case .success(let copied): completion(copied)
            case .failure(let error): self?.onFailure?(error)
            }
        }
    }
}

/// The error of an entry that is no longer in the history.
struct EntryIsGone: Error, CustomStringConvertible {
    var description: String { Words.entryIsGone.text }
}

/// The error of an entry that cannot be joined with others.
struct EntryWithoutText: Error, CustomStringConvertible {
    var description: String { Words.entryWithoutText.text }
}
