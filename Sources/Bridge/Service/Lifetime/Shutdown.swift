import EventLoop
import FormatConversion
import Logging
import PasteboardModel
import X11Bridge

/// The end of the bridge in order, so that contents outlive it.
extension Service {
    /// The time for promises to be fulfilled.
    private static let promiseTimeout = Duration.seconds(2)
    /// The time for another clipboard manager. freedesktop.org's specification has no figure; programs wait this long.
    private static let managerTimeout = Duration.seconds(3)
    /// The longest that ``prepareShutdown(afterPromises:)`` takes: saving goes on while promises are waited for.
    static let maxShutdownTime = SaveTargetsHandler.timeout + managerTimeout + .seconds(1)

    /// Waits for promises, answers programs that want their contents saved, and hands the clipboard over if another
    /// clipboard manager takes it. Everybody is served meanwhile.
    ///
    /// - Parameter afterPromises: Called in between. Until then programs connect anew, to fulfill their promises.
    func prepareShutdown(afterPromises: () -> Void = {}) async {
        await awaitPromises(within: Self.promiseTimeout)
        afterPromises()
        await saveTargets.finish()
        await handOver(within: Self.managerTimeout)
    }

    // MARK: Promises

    /// Asks for the promises on the persistent pasteboards, and waits until each is fulfilled or broken, or the time is
    /// over.
    func awaitPromises(within timeout: Duration) async {
        var open: [ObjectIdentifier: Promise] = [:]
        for pasteboard in registry.all where pasteboard.isPersistent {
            // Nothing holds a secret once the bridge is gone.
            guard let version = pasteboard.version, version.contents.mayBeStored(with: version.options) else {
                continue
            }
            for promise in version.promises where promise.isOpen { open[ObjectIdentifier(promise)] = promise }
        }
        guard !open.isEmpty else { return }
        let promises = Array(open.values)
        let isDone: Void? = await executor.withTimeout(timeout) { [executor] in
            // All at once: each client works on its own.
            let reads = promises.map { promise in executor.start { _ = try? await promise.read() } }
            for read in reads { await read.wait() }
        }
        guard isDone == nil else { return }
        logger.info("\(promises.count(where: \.isOpen)) promised representations did not come in time")
    }

    // MARK: Hand-over

    /// Has another clipboard manager take the contents of CLIPBOARD, and waits until it has or will not. The selection
    /// is owned until then.
    private func handOver(within timeout: Duration) async {
        guard clipboardManager.isOther, display.isAttached, !display.isForwarded,
            let version = registry[.general]?.version, mayHandOver(version)
        else { return }
        let targets = presentTargets(of: version)
        guard !targets.isEmpty else { return }
        if await !display.handOver(targets, within: timeout) {
            logger.info("the clipboard manager did not take the contents")
        }
    }

    /// False for contents with an expiry: another program would keep them for longer.
    private func mayHandOver(_ version: PasteboardState.Version) -> Bool {
        version.contents.mayBeStored(with: version.options) && version.expiry == nil
    }

    /// The targets whose bytes are there. Other formats can be derived by whoever gets those.
    private func presentTargets(of version: PasteboardState.Version) -> [String] {
        version.plan.targets.filter { target in
            guard case .source(let index) = version.plan.bodies[target.body].derivation else { return false }
            return !version.sources[index].isPending
        }.map(\.name)
    }
}
