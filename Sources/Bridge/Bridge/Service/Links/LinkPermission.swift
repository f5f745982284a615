package import PasteboardWire

/// The permission of programs on the other machine of a link to make certain calls.
package enum LinkPermission: String, CaseIterable, Sendable {
    case set, clear, count, types
    /// Reading contents that did not come over the link.
    case get
    /// The pasteboards `find` and `secondary`, for all calls that are allowed.
    case find
    case history, undo, watch, owner, list

    private static let usual: Set<LinkPermission> = [.set, .clear, .count, .types]

    /// Returns the permissions that a user chose: `set` alone allows nothing else, and any others are added to the
    /// usual ones.
    package static func chosen(_ names: [String]) throws(BridgeError) -> Set<LinkPermission> {
        var chosen: Set<LinkPermission> = []
        for name in names {
            guard let permission = LinkPermission(rawValue: name) else {
                let all = allCases.map(\.rawValue).joined(separator: ", ")
                throw BridgeError(.refused, "'\(name)' is not a permission of a link; those are \(all)")
            }
            chosen.insert(permission)
        }
        return chosen == [.set] ? chosen : chosen.union(usual)
    }
}

/// The decision on a method over a link.
package enum LinkRule: Equatable, Sendable {
    /// The method concerns only what the connection itself has done before.
    case always
    /// The method could harm the user or other programs, or none of its results is meant for another machine.
    case never
    case needs(LinkPermission)
    /// The method reads contents: those that came over the link, or with the permission `get` any.
    case reads

    /// Returns the rule for a method by its name without the interface; nil for an unknown one, which is refused.
    package static func rule(for method: String) -> LinkRule? {
        switch method {
        case Methods.Begin.name, Methods.Append.name, Methods.Commit.name, Methods.Read.name, Methods.Release.name,
            Methods.Upload.name, Methods.Download.name:
            .always
        case Methods.Set.name: .needs(.set)
        case Methods.Clear.name: .needs(.clear)
        case Methods.Count.name: .needs(.count)
        case Methods.Describe.name, Methods.Match.name: .needs(.types)
        case Methods.Get.name, Methods.Fetch.name: .reads
        case Methods.GetOwner.name: .needs(.owner)
        case Methods.List.name: .needs(.list)
        case Methods.Monitor.name: .needs(.watch)
        case Methods.Undo.name, Methods.Redo.name, Methods.GetUndoState.name: .needs(.undo)
        case Methods.History.name, Methods.Restore.name: .needs(.history)
        // It shows the beginning of all contents, also of those that are for their own machine only.
        case Methods.ListUndo.name: .never
        // Promises are refused over a link, so there is none to keep.
        case Methods.Keep.name, Methods.Break.name, Methods.Progress.name: .never
        case Methods.Create.name, Methods.Persist.name, Methods.Remove.name: .never
        case Methods.DeleteEntries.name, Methods.Pin.name, Methods.ClearHistory.name, Methods.PauseHistory.name: .never
        case Methods.Status.name, Methods.Settings.name, Methods.Attach.name, Methods.Declare.name, Methods.Stop.name:
            .never
        case Methods.OpenLink.name, Methods.JoinLink.name, Methods.ReportLink.name, Methods.CloseLink.name: .never
        default: nil
        }
    }
}
