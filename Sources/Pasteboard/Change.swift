import PasteboardWire

extension Pasteboard {
    /// One step of a pasteboard: its contents or its owner changed.
    public struct Change: Hashable, Sendable {
        /// The pasteboard.
        public let pasteboard: Pasteboard
        /// Its change count after the step.
        public let count: Int
        /// Who owns it since.
        public let owner: PasteboardOwner
        /// The identifiers of the types on offer since, the best first; none where it is empty, where its owner did not
        /// tell them in time, or where there was another step before it did.
        public let types: [String]
        /// Those of the types that were not on offer before. Empty where only the contents changed.
        public let typesAdded: [String]
        /// The types that were on offer before and are not any more.
        public let typesRemoved: [String]
        /// The pasteboard was removed, with all that was on it.
        public let isRemoval: Bool
        /// It is no step, but the present state after steps were missed: the bridge was started anew, or the program did
        /// not ask for changes for so long that the bridge kept no more of them. What happened meanwhile is not known.
        public let afterRestart: Bool

        init(_ reply: Methods.Monitor.Reply, of pasteboard: Pasteboard, afterRestart: Bool) {
            self.pasteboard = pasteboard
            count = reply.count
            owner = PasteboardOwner(reply.owner)
            types = reply.types
            typesAdded = reply.added ?? []
            typesRemoved = reply.removed ?? []
            isRemoval = reply.gone ?? false
            self.afterRestart = afterRestart
        }
    }
}
