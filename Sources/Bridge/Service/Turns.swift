import EventLoop

/// Lets one piece of work begin when the one before it has ended, in the order they came.
///
/// A write to a pasteboard takes two threads and an X server. Between its first look at the count and its step no other
/// client's write may come.
final class Turns {
    private var waiting = Backlog<(@escaping () -> Void) -> Void>()
    private var isTaken = false

    /// Runs `work` when it is its turn. It ends the turn by calling what it is given.
    func take(_ work: @escaping (@escaping () -> Void) -> Void) {
        waiting.append(work)
        begin()
    }

    private func begin() {
        guard !isTaken, let work = waiting.next() else { return }
        isTaken = true
        work { [self] in
            isTaken = false
            begin()
        }
    }
}
