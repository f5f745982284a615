import LinuxSystem
import PasteboardModel
import SystemPackage

/// Contents that go at a time of their own, in suspend too.
extension Service {
    /// Has a version cleared when its time is over, if it is the pasteboard's then.
    func expire(_ version: Board.Version, on board: Board) {
        guard let expiry = version.expiry else { return }
        let id = version.id
        _ = alarms.set(expiry) { [unowned self] in
            wakeForExpiry()
            board.turns.take { [self] done in
                guard board.version?.id == id else { return done() }
                empty(board, within: Patience.usual) { [self] result in
                    // An X server that stands still keeps nothing on the pasteboard.
                    if case .failure = result, board.version?.id == id {
                        link.retract(id)
                        change(board, to: .nobody)
                    }
                    done()
                }
            }
        }
        expiries.append(expiry)
        wakeForExpiry()
    }

    /// Sets the timer that ends a sleep over a suspend: the alarm itself counts in poll(2), whose time stands still then.
    private func wakeForExpiry() {
        let now = ContinuousClock.now
        expiries.removeAll { $0 <= now }
        expiryTimer?.set(expiries.min())
    }
}
