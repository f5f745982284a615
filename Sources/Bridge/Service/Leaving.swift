import Logging
import PasteboardModel

/// What the bridge does before it ends in order, so that contents outlive it.
extension Service {
    /// How long what was promised may take.
    private static let promisePatience = Duration.seconds(2)
    /// How long another clipboard manager may take (freedesktop.org's specification has no figure; programs wait so long).
    private static let managerPatience = Duration.seconds(3)
    /// The longest that ``windUp(afterPromises:_:)`` takes: saving goes on while promises are waited for.
    static let longestWindUp = savingTime + managerPatience + .seconds(1)

    /// Has promises kept, those answered who want their contents saved, and the clipboard handed over where that can be done, then calls `finish`. All goes on being
    /// served meanwhile.
    ///
    /// - Parameter afterPromises: Called in between. Until then programs connect anew, to keep what they promised.
    func windUp(afterPromises: @escaping () -> Void = {}, _ finish: @escaping () -> Void) {
        resolvePromises(within: Self.promisePatience) { [self] in
            afterPromises()
            finishSaving { self.handOver(within: Self.managerPatience, finish) }
        }
    }

    // MARK: Promises

    /// Asks for what was promised on the pasteboards that persist, and calls `finish` when all of it is there or will not
    /// come any more, or the time is over.
    func resolvePromises(within patience: Duration, _ finish: @escaping () -> Void) {
        var awaited: [ObjectIdentifier: Promise] = [:]
        for board in table.all where board.isPersistent {
            // Secrets are held nowhere once the bridge is gone.
            guard let version = board.version, version.contents.mayBeStored(with: version.options) else { continue }
            for promise in version.promises where promise.isOpen { awaited[ObjectIdentifier(promise)] = promise }
        }
        guard !awaited.isEmpty else { return finish() }
        var missing = awaited.count
        let alarm = alarms.set(.now + patience) { [logger] in
            logger.info("\(missing) promised representations did not come in time")
            finish()
        }
        for promise in awaited.values {
            promise.read { [self] _ in
                missing -= 1
                if missing == 0, alarms.cancel(alarm) { finish() }
            }
        }
    }

    // MARK: Hand-over

    /// Has the display's clipboard manager take what is on the clipboard, where that is another program, and calls `finish`
    /// when it has or will not. The selection is owned until then.
    func handOver(within patience: Duration, _ finish: @escaping () -> Void) {
        guard case .other = manager.holder, link.isAttached, !link.isForwarded, let board = table[.general],
            let version = board.version, mayBeHandedOver(version)
        else { return finish() }
        let targets = held(version)
        guard !targets.isEmpty else { return finish() }
        link.handOver(targets, within: patience) { [logger] isTaken in
            if !isTaken { logger.info("the clipboard manager did not take the contents") }
            finish()
        }
    }

    /// Another program would keep what expires for longer than it is to be there.
    private func mayBeHandedOver(_ version: PasteboardState.Version) -> Bool {
        version.contents.mayBeStored(with: version.options) && version.expiry == nil
    }

    /// The targets of which the bytes are there. What would have to be made is left to who gets those.
    private func held(_ version: PasteboardState.Version) -> [String] {
        version.plan.targets.filter { target in
            guard case .source(let index) = version.plan.bodies[target.body].recipe else { return false }
            return !version.supplies[index].isAwaited
        }.map(\.name)
    }
}
