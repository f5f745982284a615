package import BridgeState
import EventLoop
import PasteboardModel
import PasteboardWire
import UniformTypes
import X11Bridge

/// The watchers of pasteboards: each receives every step once, in order.
package final class ChangeNotifier {
    /// A step, the state after it, and its watchers.
    private struct Announcement {
        let pasteboard: PasteboardState
        let count: Int
        let owner: WireOwner
        /// The types on offer; nil if the owner has to be asked.
        let types: [UniformType]?
        let isGone: Bool
        let cause: Methods.Monitor.Reply.Cause
        let undo: WireUndoState
        let origin: WireOrigin
        let isWithheld: Bool
        let isIncomplete: Bool
        let monitors: [Monitor]
    }

    private let display: DisplayProxy
    private let foreign: ForeignSelections
    private let executor: EventLoopExecutor
    package private(set) var monitors: [Monitor] = [] { didSet { display.activity.hasWatchers = !monitors.isEmpty } }
    private var announcements = Backlog<Announcement>()
    private var isAnnouncing = false
    /// The last step of each pasteboard whose owner is to be asked for its types, and the watchers that want them.
    private var unasked: [PasteboardName: (step: Announcement, monitors: [Monitor])] = [:]
    /// The time from which the owner of each pasteboard may be asked again.
    private var nextQuestions: [PasteboardName: ContinuousClock.Instant] = [:]

    init(display: DisplayProxy, foreign: ForeignSelections, executor: EventLoopExecutor) {
        self.display = display
        self.foreign = foreign
        self.executor = executor
    }

    // MARK: Watchers

    /// Adds a watcher.
    ///
    /// - Parameters:
    ///   - since: The count of the last step that the watcher knows: a later step is sent at once.
    ///   - isInitial: True to send the present state at once.
    func add(_ monitor: Monitor, of pasteboards: [PasteboardState], since: Int?, isInitial: Bool) {
        monitors.append(monitor)
        for pasteboard in pasteboards {
            if isInitial || since.map({ pasteboard.count > $0 }) ?? false {
                announce(pasteboard, to: [monitor])
            } else if monitor.wantsTypes {
                learnTypes(of: pasteboard, for: monitor)
            }
        }
    }

    func remove(_ monitor: Monitor) { monitors.removeAll { $0 === monitor } }

    /// Reads the types when a watch begins, so that the first step can report added and removed types.
    private func learnTypes(of pasteboard: PasteboardState, for monitor: Monitor) {
        if let known = pasteboard.knownTypes { return monitor.learn(known, of: pasteboard) }
        let count = pasteboard.count
        executor.start { [self] in
            let types = await types(of: pasteboard, within: monitor.timeout)
            if let types, pasteboard.count == count { monitor.learn(types, of: pasteboard) }
        }
    }

    // MARK: Steps

    /// Sends a step to the watchers of a pasteboard.
    func changed(_ pasteboard: PasteboardState) {
        announce(pasteboard, to: monitors.filter { $0.watches(pasteboard) })
    }

    /// Sends the present state to the watchers on behalf of other machines: the origin has changed without a step, or
    /// promises of the contents were broken.
    func sharedStateChanged(_ pasteboard: PasteboardState) {
        announce(pasteboard, to: monitors.filter { $0.wantsOrigins && $0.watches(pasteboard) })
    }

    /// Sends the removal of a pasteboard to its watchers.
    func removed(_ pasteboard: PasteboardState) {
        nextQuestions[pasteboard.name] = nil
        announce(pasteboard, to: monitors.filter { $0.watches(pasteboard) }, isGone: true)
    }

    /// Sends a step after the steps before it. Sending may show that a client is gone, and its pasteboard with it: the
    /// pasteboard's removal is a step that follows this one.
    private func announce(_ pasteboard: PasteboardState, to monitors: [Monitor], isGone: Bool = false) {
        guard !monitors.isEmpty else { return }
        announcements.append(
            Announcement(
                pasteboard: pasteboard, count: pasteboard.count, owner: pasteboard.owner,
                types: isGone ? [] : pasteboard.knownTypes, isGone: isGone, cause: pasteboard.lastCause,
                undo: pasteboard.undoState, origin: WireOrigin(pasteboard.origin), isWithheld: pasteboard.isWithheld,
                isIncomplete: pasteboard.isIncomplete, monitors: monitors))
        guard !isAnnouncing else { return }
        isAnnouncing = true
        while let announcement = announcements.next() { send(announcement) }
        isAnnouncing = false
    }

    private func send(_ step: Announcement) {
        for monitor in step.monitors {
            var reply = Methods.Monitor.Reply(
                pasteboard: step.pasteboard.name.string, count: step.count, owner: step.owner, types: [],
                gone: step.isGone ? true : nil, cause: step.cause, undo: step.undo)
            if step.isGone { (reply.cause, reply.undo) = (nil, nil) }
            if monitor.wantsOrigins {
                reply.origin = step.origin
                reply.withheld = step.isWithheld ? true : nil
                reply.incomplete = step.isIncomplete ? true : nil
            }
            let hasTypes = monitor.wantsTypes && !(monitor.isOnLink && step.isWithheld)
            monitor.append(reply, of: step.pasteboard, types: hasTypes ? step.types : [])
        }
        if step.monitors.contains(where: \.isEnded) { monitors.removeAll(where: \.isEnded) }
        let asking = step.monitors.filter(\.wantsTypes)
        if step.types == nil, !asking.isEmpty { askForTypes(of: step, for: asking) }
    }

    /// Asks a foreign owner for its types, unless another owner follows. In a burst of changes, only the last owner of
    /// each interval is asked: the other owners' answers would come too late.
    private func askForTypes(of step: Announcement, for monitors: [Monitor]) {
        let name = step.pasteboard.name
        var monitors = monitors
        // The watchers of a step with an earlier count have been sent this step too.
        if let earlier = unasked[name], earlier.step.count == step.count {
            monitors += earlier.monitors.filter { one in !monitors.contains { $0 === one } }
        }
        guard unasked.updateValue((step, monitors), forKey: name) == nil else { return }
        executor.start { [self] in
            if let next = nextQuestions[name], .now < next { await executor.sleep(until: next) }
            nextQuestions[name] = .now + ReportPace.interval
            guard let (step, monitors) = unasked.removeValue(forKey: name) else { return }
            await complete(step, for: monitors)
        }
    }

    /// Completes a step with the types of a foreign owner, which is asked once for all watchers.
    private func complete(_ step: Announcement, for monitors: [Monitor]) async {
        let (pasteboard, count) = (step.pasteboard, step.count)
        let timeout = monitors.map(\.timeout).min() ?? CallTimeout.default
        // The X server identifies the owner while the owner makes its list.
        let owner = PendingValue<WireOwner>()
        executor.start { [display] in owner.deliver(await display.identified(step.owner, within: .seconds(1))) }
        let types = await types(of: pasteboard, within: timeout)
        let identified = await owner.get()
        // After a newer change, the answer comes from the next owner.
        guard let types, pasteboard.count == count else {
            for monitor in monitors { monitor.resolve(pasteboard, count: count, types: nil, owner: identified) }
            return
        }
        pasteboard.nameLastChange(by: identified)
        for monitor in monitors { monitor.resolve(pasteboard, count: count, types: types, owner: identified) }
    }

    /// Returns the types that a foreign owner offers; nil if it does not list them. Unknown targets that mark a secret
    /// count as the type of secrets.
    private func types(of pasteboard: PasteboardState, within timeout: Duration) async -> [UniformType]? {
        let reader = ForeignReader(foreign.selection(of: pasteboard), idleTimeout: timeout)
        return try? await reader.types().map {
            $0.type.isDynamic && SecretMark.isMark($0.target) ? .concealed : $0.type
        }
    }
}
