import EventLoop
import PasteboardModel
package import PasteboardWire
package import UniformTypes

/// One call of `Monitor`, with the steps that are yet to be sent, in order.
package final class Monitor {
    private struct Step {
        let name: PasteboardName
        var reply: Methods.Monitor.Reply
        var types: [UniformType]
        /// False if the owner did not list its types, because it was too slow or has been replaced.
        var hasTypes = true
        /// True once the types are known, or are no longer awaited.
        var isComplete: Bool
    }

    package let wantsTypes: Bool
    /// The timeout for an owner to list its types.
    package let timeout: Duration
    /// True if the watcher acts for another machine. Such a watcher is also notified when contents become incomplete.
    package let wantsOrigins: Bool
    /// True if the watcher is on another machine. Such a watcher does not receive the types of withheld contents.
    package let isOnLink: Bool
    private let names: Set<PasteboardName>
    private let mark: WatchMark?
    /// Sends a reply, and returns false if the client no longer watches.
    private let send: (Methods.Monitor.Reply) -> Bool
    /// True once the client is gone, or was too slow and has received an error.
    package private(set) var isEnded = false
    private var steps = Backlog<Step>()
    /// The maximum number of steps that wait for the types of an earlier step. If more steps wait, the earlier step is
    /// sent without its types: an owner may take as long as the call allows.
    private static let maxWaiting = 256
    /// The latest types of each pasteboard, as far as they are known.
    private var types: [PasteboardName: [UniformType]] = [:]

    package init(
        pasteboards: [PasteboardState], wantsTypes: Bool, timeout: Duration, wantsOrigins: Bool = false,
        isOnLink: Bool = false, mark: WatchMark? = nil, send: @escaping (Methods.Monitor.Reply) -> Bool
    ) {
        names = Set(pasteboards.map(\.name))
        self.wantsTypes = wantsTypes
        self.timeout = timeout
        self.wantsOrigins = wantsOrigins
        self.isOnLink = isOnLink
        self.mark = mark
        self.send = send
    }

    /// Returns true if the changes of a pasteboard are sent. Watchers on another machine see no hidden pasteboards.
    package func watches(_ pasteboard: PasteboardState) -> Bool {
        names.contains(pasteboard.name) && !(isOnLink && pasteboard.isHidden)
    }

    /// Adds the next step. A step without types waits for ``resolve(_:count:types:owner:)``. An earlier step of the
    /// same pasteboard is sent without its types, since the owner of that step can no longer be asked.
    package func append(_ reply: Methods.Monitor.Reply, of pasteboard: PasteboardState, types: [UniformType]?) {
        if isEnded { return }
        for index in steps.indices where steps[index].name == pasteboard.name && !steps[index].isComplete {
            steps[index].hasTypes = false
            steps[index].isComplete = true
        }
        steps.append(
            Step(
                name: pasteboard.name, reply: marked(reply), types: types ?? [], isComplete: types != nil))
        let oldest = steps.startIndex
        if steps.count > Self.maxWaiting, !steps[oldest].isComplete {
            steps[oldest].hasTypes = false
            steps[oldest].isComplete = true
        }
        flush()
    }

    /// Completes a step. `types` is nil if the owner did not list them.
    package func resolve(_ pasteboard: PasteboardState, count: Int, types: [UniformType]?, owner: WireOwner? = nil) {
        for index in steps.indices
        where steps[index].name == pasteboard.name && steps[index].reply.count == count && !steps[index].isComplete {
            steps[index].types = types ?? []
            steps[index].hasTypes = types != nil
            if let owner {
                steps[index].reply.owner = owner
                steps[index].reply = marked(steps[index].reply)
            }
            if pasteboard.count == count { steps[index].reply.undo = pasteboard.undoState }
            steps[index].isComplete = true
        }
        flush()
    }

    /// Returns the reply, with a flag if a command of the watcher has made the change.
    private func marked(_ reply: Methods.Monitor.Reply) -> Methods.Monitor.Reply {
        guard let mark, let process = reply.owner.process, mark.isOn(Int32(clamping: process)) else { return reply }
        var reply = reply
        reply.own = true
        return reply
    }

    private func flush() {
        while let first = steps.first, first.isComplete {
            _ = steps.next()
            guard send(wantsTypes ? compared(first) : first.reply) else {
                isEnded = true
                steps = Backlog()
                return
            }
        }
    }

    /// Records the types of a pasteboard before its first step.
    package func learn(_ types: [UniformType], of pasteboard: PasteboardState) {
        guard self.types[pasteboard.name] == nil, !steps.contains(where: { $0.name == pasteboard.name }) else { return }
        // The next step would report these types as removed.
        if isOnLink, pasteboard.isWithheld || types.hasSecretMark { return }
        self.types[pasteboard.name] = types
    }

    /// Returns the reply for a step, with the added and removed types.
    private func compared(_ step: Step) -> Methods.Monitor.Reply {
        var reply = step.reply
        let isSecret = step.types.hasSecretMark
        if isSecret, wantsOrigins { reply.withheld = true }
        if isSecret, isOnLink { return reply }
        reply.types = step.types.map(\.identifier)
        guard step.hasTypes else { return reply }
        let change = TypeChange(from: types.updateValue(step.types, forKey: step.name) ?? [], to: step.types)
        reply.added = change.added.map(\.identifier)
        reply.removed = change.removed.map(\.identifier)
        return reply
    }
}

extension [UniformType] {
    /// True if one of the types marks a secret.
    fileprivate var hasSecretMark: Bool { contains { $0 == .concealed || $0 == .transient } }
}

extension PasteboardState {
    /// The state of undo after the present change.
    package var undoState: WireUndoState {
        WireUndoState(
            undoable: undo.undoable.count, redoable: undo.redoable.count, undoAction: undo.undoAction,
            redoAction: undo.redoAction)
    }
}
