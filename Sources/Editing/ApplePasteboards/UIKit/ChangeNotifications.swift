#if !canImport(Darwin)

public import Foundation
import Pasteboard

extension UIPasteboard {
    /// Posted on the main thread after the contents of a pasteboard have changed, by this program or another one, with
    /// the ``UIPasteboard`` as the object. The keys of its information are ``changedTypesAddedUserInfoKey`` and
    /// ``changedTypesRemovedUserInfoKey``.
    ///
    /// Changes are observed from the first use of a pasteboard on.
    public class var changedNotification: Notification.Name { Notification.Name("UIPasteboardChangedNotification") }

    /// Posted on the main thread after a pasteboard was removed, with the ``UIPasteboard`` as the object.
    public class var removedNotification: Notification.Name { Notification.Name("UIPasteboardRemovedNotification") }

    /// The key of the types that were added, an array of strings.
    public class var changedTypesAddedUserInfoKey: String { "UIPasteboardChangedTypesAddedUserInfoKey" }
    /// The key of the types that were removed, an array of strings.
    public class var changedTypesRemovedUserInfoKey: String { "UIPasteboardChangedTypesRemovedUserInfoKey" }
}

/// The notifications of a pasteboard that the program uses.
enum ChangeNotifications {
    /// Posts notifications for the changes of a pasteboard from now on, until the task is cancelled.
    static func observe(_ pasteboard: UIPasteboard) -> Task<Void, Never> {
        let observed = Observed(pasteboard)
        let library = pasteboard.library
        let count = try? MainThread.serving { try library.changeCount }
        return Task { [changes = count.map(library.changes(since:)) ?? library.changes] in
            // The calls that use the pasteboard report errors.
            _ = try? await post(changes, for: observed)
        }
    }

    /// A pasteboard that its observation does not keep alive.
    private final class Observed: @unchecked Sendable {
        // Set once, before the task begins.
        private(set) weak var pasteboard: UIPasteboard?

        init(_ pasteboard: UIPasteboard) { self.pasteboard = pasteboard }
    }

    private static func post(_ changes: Pasteboard.Changes, for observed: Observed) async throws {
        for try await change in changes {
            MainThread.perform { if let pasteboard = observed.pasteboard { post(change, for: pasteboard) } }
        }
    }

    private static func post(_ change: Pasteboard.Change, for pasteboard: UIPasteboard) {
        guard !change.isRemoval else {
            return NotificationCenter.default.post(name: UIPasteboard.removedNotification, object: pasteboard)
        }
        let types: [AnyHashable: Any] = [
            UIPasteboard.changedTypesAddedUserInfoKey: change.typesAdded,
            UIPasteboard.changedTypesRemovedUserInfoKey: change.typesRemoved,
        ]
        NotificationCenter.default.post(name: UIPasteboard.changedNotification, object: pasteboard, userInfo: types)
    }
}

#endif
