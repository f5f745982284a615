public import FoundationEssentials

/// Writing.
extension Pasteboard {
    /// Replaces the contents, in one step. Without items the pasteboard is emptied.
    ///
    /// - Parameters:
    ///   - items: What is written: each item with at least one form, at most 65,536 forms in all with 1,024 different
    ///     names, and as many as 4 MiB have room for without their contents (some 30,000 items).
    ///   - options: What holds for the contents.
    ///   - count: Only if this is the change count. So nobody's contents are replaced unseen.
    ///   - formerOwner: Called once, when newer contents, or the end of the bridge, make promises of these void that
    ///     were not asked for; on no particular thread.
    /// - Returns: The change count.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/countMismatch`` where the count is another,
    ///   ``PasteboardError/Code/invalidType`` for a TYPE that bytes cannot have, ``PasteboardError/Code/invalidValue``
    ///   for an item without a form, ``PasteboardError/Code/invalidOptions``, ``PasteboardError/Code/refused``,
    ///   ``PasteboardError/Code/uncertain``.
    ///
    /// Source: `UIPasteboard.setItems(_:options:)`, NSPasteboard's `pasteboardChangedOwner`.
    @discardableResult
    public func setItems(
        _ items: [PasteboardItem], options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil,
        formerOwner: (@Sendable () -> Void)? = nil
    ) throws -> Int {
        try Writing(
            pasteboard: name, items: items, options: options, ifChangeCount: count, formerOwner: formerOwner
        ).operation.run()
    }

    /// Adds items behind those that are there, in one step. Contents of another program are taken over first, as they
    /// are at that moment.
    ///
    /// The parameters are those of ``setItems(_:options:ifChangeCount:formerOwner:)``. The earlier of two expiration
    /// dates holds for all, and if either is local, all are.
    ///
    /// - Returns: The change count.
    /// - Throws: As ``setItems(_:options:ifChangeCount:formerOwner:)``.
    @discardableResult
    public func addItems(
        _ items: [PasteboardItem], options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil,
        formerOwner: (@Sendable () -> Void)? = nil
    ) throws -> Int {
        try Writing(
            pasteboard: name, items: items, appends: true, options: options, ifChangeCount: count,
            formerOwner: formerOwner
        ).operation.run()
    }

    /// Replaces the contents by one item with one form.
    ///
    /// - Parameters:
    ///   - data: Its bytes; none is a form, too.
    ///   - type: A TYPE that names one concrete type.
    ///   - options: What holds for the contents.
    ///   - count: Only if this is the change count.
    /// - Returns: The change count.
    /// - Throws: As ``setItems(_:options:ifChangeCount:formerOwner:)``.
    @discardableResult
    public func setData(
        _ data: Data, forType type: String, options: PasteboardOptions = PasteboardOptions(),
        ifChangeCount count: Int? = nil
    ) throws -> Int {
        try writing([data], .data(type), options, count).run()
    }

    /// Empties the pasteboard.
    ///
    /// - Parameter count: Only if this is the change count.
    /// - Returns: The change count.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/countMismatch`` where the count is another,
    ///   ``PasteboardError/Code/refused``, ``PasteboardError/Code/uncertain``.
    @discardableResult
    public func clear(ifChangeCount count: Int? = nil) throws -> Int {
        try Pasteboard.clearing(name, ifChangeCount: count).run()
    }
}
