#if !canImport(Darwin)

extension UndoManager {
    /// Writes to standard error, once for each undo manager, that several changes have become one undo step since
    /// nothing ends events. Such a program works, but undoes too much, without any other sign.
    func warnWithoutEventHost() {
        guard !hasEventHost, onEventGroupOpened == nil, let group = history.open.groups.first else { return }
        guard group.actions.count > 1 else { return }
        hasEventHost = true
        StandardError.report(
            """
            Undo: \(group.actions.count) actions have become one undo step, since nothing ends events; set \
            onEventGroupOpened, call endEvent() after each event, or set groupsByEvent to false and group actions \
            yourself
            """)
    }
}

#endif
