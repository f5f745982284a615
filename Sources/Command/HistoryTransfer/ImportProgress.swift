import CommandCore
import PasteboardWire
import Synchronization

/// The number of entries that an import has handled, for the progress on a terminal.
final class ImportProgress: Sendable {
    private let total: Int
    private let done = Atomic(0)

    init(total: Int) { self.total = total }

    func note(_ reply: Methods.ImportHistory.Reply) {
        done.store(reply.added + reply.known + reply.old + reply.secret, ordering: .relaxed)
    }

    var shown: TransferProgress? {
        TransferProgress(label: "importing entry \(done.load(ordering: .relaxed)) of \(total)")
    }
}
