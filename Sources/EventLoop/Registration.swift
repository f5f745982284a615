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

    /// What is waited for. A hang-up is told even if it is empty.
    package var interest: Interest {
        didSet { if interest != oldValue { changed() } }
    }

    /// Ends it: the handler is not called any more, not even in this round. Safe from any handler, its own
    /// included; to be called before the descriptor is closed. A second call does nothing.
    package func cancel() {
        if isCancelled { return }
        isCancelled = true
        changed()
    }
}
