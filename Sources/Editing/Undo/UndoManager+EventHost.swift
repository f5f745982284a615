#if !canImport(Darwin)

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension UndoManager {
    /// Writes to standard error, once for each undo manager, that several changes have become one undo step since
    /// nothing ends events. Such a program works, but undoes too much, without any other sign.
    func warnWithoutEventHost() {
        guard !hasEventHost, onEventGroupOpened == nil, let group = history.open.groups.first else { return }
        guard group.actions.count > 1 else { return }
        hasEventHost = true
        let message = """
            Undo: \(group.actions.count) actions have become one undo step, since nothing ends events; set \
            onEventGroupOpened, call endEvent() after each event, or set groupsByEvent to false and group actions \
            yourself

            """
        // A program without standard error, or with a full pipe, has nobody to tell.
        var bytes = Array(message.utf8)
        unsafe _ = write(STDERR_FILENO, &bytes, bytes.count)
    }
}

#endif
