import BridgeState
import EventLoop
import FormatConversion
import Logging
import PasteboardModel
import PasteboardStore
import X11Bridge

/// The number of calls under way that are completed before the bridge ends, even if their clients disconnect.
final class CallsUnderway {
    private var count = 0
    private var waiting: [PendingValue<Void>] = []

    func begin() { count += 1 }

    func end() {
        count -= 1
        guard count == 0 else { return }
        for value in waiting { value.deliver(()) }
        waiting = []
    }

    func awaitEnd() async {
        guard count > 0 else { return }
        let value = PendingValue<Void>()
        waiting.append(value)
        await value.get { value.deliver(()) }
    }
}

/// The shutdown of the bridge, so that contents outlive it.
extension Service {
    private static let promiseTimeout = Duration.seconds(2)
    /// The timeout for another clipboard manager. freedesktop.org's specification has no figure; other programs wait
    /// for this long.
    private static let managerTimeout = Duration.seconds(3)
    /// The maximum time of ``prepareShutdown(toSuccessor:afterPromises:)``: saving continues while promises are
    /// awaited.
    static let maxShutdownTime = writeTimeout + SaveTargetsHandler.timeout + managerTimeout + .seconds(1)
    private static let writeTimeout = Duration.seconds(1)

    /// Completes the writes under way, waits for promises, answers programs that asked to save their contents, and
    /// hands the clipboard over to another clipboard manager if there is one. Clients are still served.
    ///
    /// - Parameters:
    ///   - successor: True if another bridge will restore the stored contents: a manager that owned the clipboard
    ///     in between would look to that bridge like a program that copied.
    ///   - afterPromises: Called after the wait for promises. Until then, programs can connect to fulfill them.
    package func prepareShutdown(toSuccessor successor: Bool = false, afterPromises: () -> Void = {}) async {
        await completeWrites(within: Self.writeTimeout)
        await awaitPromises(within: Self.promiseTimeout)
        afterPromises()
        await saveTargets.finish()
        if !successor || !isClipboardStored { await handOver(within: Self.managerTimeout) }
    }

    /// Waits until the calls that may change something are answered: a client cannot know whether a change without an
    /// answer was made. Later calls that change something are refused.
    private func completeWrites(within timeout: Duration) async {
        await executor.withTimeout(timeout) { [callsUnderway] in await callsUnderway.awaitEnd() }
    }

    // MARK: Promises

    /// Asks for the promises on the persistent pasteboards, and waits until each is fulfilled or broken, or until the
    /// timeout.
    package func awaitPromises(within timeout: Duration) async {
        var open: [ObjectIdentifier: Promise] = [:]
        for pasteboard in registry.all where pasteboard.isPersistent {
            // Nothing holds a secret once the bridge is gone.
            guard let version = pasteboard.version, version.contents.isStorable(with: version.options) else {
                continue
            }
            for promise in version.promises where promise.isOpen { open[ObjectIdentifier(promise)] = promise }
        }
        guard !open.isEmpty else { return }
        let promises = Array(open.values)
        let isDone: Void? = await executor.withTimeout(timeout) { [executor] in
            // All clients are asked at once, since each works on its own.
            let reads = promises.map { promise in executor.start { _ = try? await promise.read() } }
            for read in reads { await read.wait() }
        }
        guard isDone == nil else { return }
        logger.info("\(promises.count(where: \.isOpen)) promised representations did not come in time")
    }

    // MARK: Hand-over

    /// Hands the contents of CLIPBOARD to another clipboard manager, and waits until it has taken or refused them. The
    /// bridge owns the selection until then.
    private func handOver(within timeout: Duration) async {
        guard clipboardManager.isOther, display.isAttached, !display.isGuest,
            let version = registry[.general]?.version, mayHandOver(version)
        else { return }
        let targets = presentTargets(of: version)
        guard !targets.isEmpty else { return }
        if await !display.handOver(targets, within: timeout) {
            logger.info("the clipboard manager did not take the contents")
        }
    }

    /// True if the next bridge finds the contents of CLIPBOARD in the store.
    private var isClipboardStored: Bool {
        guard let pasteboard = registry[.general], let stored = pasteboard.stored.record?.entry else { return false }
        return stored == pasteboard.stored.contents?.entry
    }

    /// Returns false for secrets, and for contents with an expiry, which another program would not observe.
    private func mayHandOver(_ version: PasteboardState.Version) -> Bool {
        version.contents.isStorable(with: version.options) && version.expiry == nil
    }

    /// Returns the targets whose bytes are available. The clipboard manager can derive other formats from these.
    private func presentTargets(of version: PasteboardState.Version) -> [String] {
        version.plan.targets.filter { target in
            guard case .source(let index) = version.plan.bodies[target.body].derivation else { return false }
            return !version.sources[index].isPending
        }.map(\.name)
    }
}
