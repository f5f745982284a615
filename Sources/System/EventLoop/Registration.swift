import SystemPackage

/// A descriptor in an ``EventLoop``.
package final class Registration {
    let fileDescriptor: FileDescriptor
    let handler: (Readiness) -> Void
    private let changed: () -> Void
    private(set) var isCancelled = false

    init(
        _ fileDescriptor: FileDescriptor, _ interest: Interest, _ handler: @escaping (Readiness) -> Void,
        changed: @escaping () -> Void
    ) {
        self.fileDescriptor = fileDescriptor
        self.interest = interest
        self.handler = handler
        self.changed = changed
    }

    /// The events to wait for. A hang-up is reported even if this set is empty.
    package var interest: Interest {
        didSet { if interest != oldValue { changed() } }
    }

    /// Ends the registration: the handler is no longer called, not even in this round. Any handler may call this,
    /// including its own. Call it before the descriptor is closed. A second call has no effect.
    package func cancel() {
        if isCancelled { return }
        isCancelled = true
        changed()
    }
}
