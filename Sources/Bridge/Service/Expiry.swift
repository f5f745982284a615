import LinuxSystem
import PasteboardModel
import SelectionProtocol
import SystemPackage

/// Contents that go at a time of their own, in suspend too.
extension Service {
    /// Has what is on a pasteboard since a change cleared when its time is over, and forgets the time of what was there.
    func expire(_ board: PasteboardState) {
        let key = ObjectIdentifier(board)
        let former = expiries.removeValue(forKey: key)
        if let former { alarms.cancel(former.alarm) }
        if let version = board.version, let expiry = version.expiry {
            let id = version.id
            let alarm = alarms.set(expiry) { [unowned self] in
                expiries[key] = nil
                wakeForExpiry()
                end(id, on: board)
            }
            expiries[key] = (expiry, alarm)
        } else if former == nil {
            return
        }
        wakeForExpiry()
    }

    /// Has a version go, if it is still what is on the pasteboard.
    func end(_ id: OfferID, on board: PasteboardState) {
        board.turns.take { [self] done in
            if board.version?.id == id {
                // Gone here at once, and there when the X server answers: one that stands still keeps nothing.
                link.retract(id)
                change(board, to: .nobody)
            }
            done()
        }
    }

    /// Sets the timer that ends a sleep over a suspend: the alarm itself counts in poll(2), whose time stands still then.
    private func wakeForExpiry() {
        expiryTimer?.set(expiries.values.lazy.map(\.time).min())
    }
}
