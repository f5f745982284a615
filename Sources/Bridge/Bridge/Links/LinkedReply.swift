import BridgeState
package import PasteboardWire

extension LinkRule {
    /// Returns the fields of a method's reply, each with the permission that it needs in addition to the method's; nil
    /// for a method that is never possible over a link. A field inside another field is named by a path.
    package static func fields(of method: MethodName) -> [String: LinkPermission?]? {
        func passing(_ names: String...) -> [String: LinkPermission?] {
            Dictionary(uniqueKeysWithValues: names.map { ($0, LinkPermission?.none) })
        }
        switch method {
        case .get:
            return [
                "count": .count, "item": nil, "type": nil, "target": nil, "bytes": nil, "stale": nil, "stream": nil,
            ]
        case .fetch: return ["count": .count, "found": nil]
        case .set: return ["counts": .count, "wanted": nil, "ended": nil]
        // A program that may clear, describe or match may also count.
        case .clear: return passing("counts")
        case .count: return passing("count")
        case .describe:
            return ["count": nil, "owner": .owner, "items": nil, "options": nil, "shortened": nil]
        case .match: return passing("count", "items")
        case .getOwner: return passing("owner")
        case .list: return ["boards": nil, "boards.owner": .owner]
        // The state of undo has the names of changes, which have the names of programs.
        case .monitor:
            return [
                "pasteboard": nil, "count": nil, "owner": .owner, "types": nil, "added": nil, "removed": nil,
                "gone": nil, "cause": nil, "undo": .undo, "origin": nil, "withheld": nil, "incomplete": nil, "own": nil,
            ]
        case .undo, .redo: return passing("count", "steps", "action", "passed")
        case .getUndoState: return passing("count", "undo")
        // An entry names its program. The user has allowed the whole history.
        case .history: return passing("entries", "next")
        case .restore: return passing("pasteboard", "count")
        case .begin, .upload: return passing("handle")
        case .append, .commit, .download: return passing("length")
        case .read: return passing("data")
        case .release: return [:]
        case .keep, .break, .progress, .create, .persist, .remove, .listUndo, .deleteEntries, .pin, .clearHistory,
            .importHistory, .pauseHistory, .settings, .status, .attach, .openLink, .joinLink, .reportLink, .closeLink,
            .declare, .stop:
            return nil
        }
    }
}

/// A reply with fields that need their own permissions over a link.
private protocol LinkedReply {
    static var method: MethodName { get }
    /// Removes the value of a field.
    mutating func withhold(_ field: String)
}

extension Link {
    /// Returns a reply without the fields for which the link has no permission.
    func permitted<Reply>(_ reply: Reply) -> Reply {
        guard var linked = reply as? any LinkedReply else { return reply }
        for (field, permission) in LinkRule.fields(of: type(of: linked).method) ?? [:] {
            if let permission, !permissions.contains(permission) { linked.withhold(field) }
        }
        return linked as? Reply ?? reply
    }
}

extension Methods.Get.Reply: LinkedReply {
    fileprivate static var method: MethodName { .get }
    fileprivate mutating func withhold(_ field: String) {
        if field == "count" { count = 0 }
    }
}

extension Methods.Fetch.Reply: LinkedReply {
    fileprivate static var method: MethodName { .fetch }
    fileprivate mutating func withhold(_ field: String) {
        if field == "count" { count = 0 }
    }
}

extension Methods.Set.Reply: LinkedReply {
    fileprivate static var method: MethodName { .set }
    fileprivate mutating func withhold(_ field: String) {
        if field == "counts" { counts = counts.map { _ in 0 } }
    }
}

extension Methods.Describe.Reply: LinkedReply {
    fileprivate static var method: MethodName { .describe }
    fileprivate mutating func withhold(_ field: String) {
        if field == "owner" { owner = owner.anonymous }
    }
}

extension Methods.List.Reply: LinkedReply {
    fileprivate static var method: MethodName { .list }
    fileprivate mutating func withhold(_ field: String) {
        guard field == "boards.owner" else { return }
        for index in boards.indices { boards[index].owner = boards[index].owner.anonymous }
    }
}

extension Methods.Monitor.Reply: LinkedReply {
    fileprivate static var method: MethodName { .monitor }
    fileprivate mutating func withhold(_ field: String) {
        switch field {
        case "owner": owner = owner.anonymous
        case "undo": undo = nil
        default: break
        }
    }
}

extension WireOwner {
    /// The owner without its program.
    fileprivate var anonymous: WireOwner { WireOwner(kind: kind) }
}
