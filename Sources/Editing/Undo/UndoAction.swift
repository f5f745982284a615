#if !canImport(Darwin)

/// A registered action: a handler and a weak reference to its target.
final class UndoAction {
    /// The target; nil after its release.
    private(set) weak var target: AnyObject?
    /// The bytes that the handler keeps, as stated by the program.
    let cost: Int
    /// The key for merging the action with others; nil if it is not merged.
    let merging: UndoManager.Merging?
    /// True if the action may be lost together with the document.
    var isDiscardable = false

    private let handler: () throws -> Bool

    init<Target: AnyObject>(
        target: Target, cost: Int, merging: UndoManager.Merging?, handler: @escaping (Target) throws -> Void
    ) {
        self.target = target
        self.cost = max(cost, 0)
        self.merging = merging
        self.handler = { [weak target] in
            guard let target else { return false }
            try handler(target)
            return true
        }
    }

    /// Calls the handler, and returns true; returns false if the target no longer exists.
    func perform() throws -> Bool { try handler() }
}

/// The name of a group and the values that the program attached to it.
struct UndoLabel {
    var name = ""
    var userInfo: [UndoManager.UserInfoKey: Any] = [:]

    /// Takes over the parts that a newer label sets.
    mutating func update(with newer: UndoLabel) {
        if !newer.name.isEmpty { name = newer.name }
        userInfo.merge(newer.userInfo) { $1 }
    }
}

extension Int {
    /// Returns the sum, capped at `Int.max`.
    func addingCapped(_ other: Int) -> Int {
        let (sum, isTooMuch) = addingReportingOverflow(other)
        return isTooMuch ? .max : sum
    }
}

#endif
