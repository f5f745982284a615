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

    /// Returns the permissions that a user chose: `set` alone allows nothing else, and any other choice is added to the
    /// usual permissions.
    package static func chosen(_ names: [String]) throws(BridgeError) -> Set<LinkPermission> {
        var chosen: Set<LinkPermission> = []
        for name in names {
            guard let permission = LinkPermission(rawValue: name) else {
                let all = allCases.map(\.rawValue).joined(separator: ", ")
                throw BridgeError(.refused, "'\(name)' is not a permission of a link; the permissions are \(all)")
            }
            chosen.insert(permission)
        }
        return chosen == [.set] ? chosen : chosen.union(usual)
    }
}

/// The rule for a method over a link.
package enum LinkRule: Equatable, Sendable {
    /// The method concerns only what the connection itself has done before.
    case always
    /// The method could harm the user or other programs, or its results are not meant for another machine.
    case never
    case needs(LinkPermission)
    /// The method reads contents: any contents with the permission `get`, and otherwise only contents that came over
    /// the link.
    case reads
}
