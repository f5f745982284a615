import PasteboardWire

/// The traits of a call that the dispatch and the links need.
package struct CallTraits {
    /// The rule for the call over a link.
    package let link: LinkRule
    /// False for a call that does not depend on the owners of selections, and so need not wait for the display.
    let needsOwners: Bool
    /// True for a call that is cancelled when its client's connection ends. Other calls are completed.
    let isCancellable: Bool
    /// True for a call that a leaving bridge refuses: the client makes the call to the next bridge.
    let isNewWrite: Bool

    /// True for a call that may change something, and is completed before the bridge ends.
    var isCompleted: Bool { needsOwners && !isCancellable }

    private init(
        _ link: LinkRule, needsOwners: Bool = true, isCancellable: Bool = false, isNewWrite: Bool = false
    ) {
        self.link = link
        self.needsOwners = needsOwners
        self.isCancellable = isCancellable
        self.isNewWrite = isNewWrite
    }

    package static func of(_ method: MethodName) -> CallTraits {
        switch method {
        case .get, .fetch: CallTraits(.reads, isCancellable: true)
        case .describe, .match: CallTraits(.needs(.types), isCancellable: true)
        case .set: CallTraits(.needs(.set), isNewWrite: true)
        case .clear: CallTraits(.needs(.clear), isNewWrite: true)
        case .count: CallTraits(.needs(.count))
        case .getOwner: CallTraits(.needs(.owner))
        case .list: CallTraits(.needs(.list))
        case .monitor: CallTraits(.needs(.watch), isCancellable: true)
        case .undo, .redo: CallTraits(.needs(.undo), isNewWrite: true)
        case .getUndoState: CallTraits(.needs(.undo), isCancellable: true)
        // The reply shows the beginning of all contents, including local-only contents.
        case .listUndo: CallTraits(.never, isCancellable: true)
        case .history: CallTraits(.needs(.history), isCancellable: true)
        case .restore: CallTraits(.needs(.history), isNewWrite: true)
        case .deleteEntries, .pin, .clearHistory, .pauseHistory: CallTraits(.never)
        // A client that disconnects withdraws its import.
        case .importHistory: CallTraits(.never, needsOwners: false, isCancellable: true)
        case .create: CallTraits(.never, isNewWrite: true)
        case .persist, .remove: CallTraits(.never)
        case .begin, .append, .commit, .read, .release, .upload, .download: CallTraits(.always, needsOwners: false)
        // Promises are refused over a link, so a link has no promises to keep.
        case .keep, .break, .progress: CallTraits(.never, needsOwners: false)
        case .status, .settings, .attach, .declare, .stop: CallTraits(.never, needsOwners: false)
        case .openLink: CallTraits(.never, needsOwners: false, isCancellable: true)
        case .joinLink, .reportLink, .closeLink: CallTraits(.never, needsOwners: false)
        }
    }
}

extension MethodName {
    /// Creates the name of a call's method; nil for another interface or an unknown method.
    init?(_ call: IncomingCall) {
        let prefix = ServiceInterface.name + "."
        guard call.method.hasPrefix(prefix) else { return nil }
        self.init(rawValue: String(call.method.dropFirst(prefix.count)))
    }
}
