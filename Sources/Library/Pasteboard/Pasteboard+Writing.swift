public import FoundationEssentials

extension Pasteboard {
    /// Replaces the contents in one step. Without items, the pasteboard is cleared.
    ///
    /// - Parameters:
    ///   - items: The items to write. Each item must have at least one representation. The limits are 65,536
    ///     representations in all, 1,024 different type names, and 4 MiB for the description of the items without their
    ///     bytes (some 30,000 items).
    ///   - options: Options for the contents.
    ///   - count: The expected change count. If the count differs, nothing is written, so no unseen contents are
    ///     replaced; nil to write in any case.
    ///   - formerOwner: A closure that is called once, on an arbitrary thread, if promises not yet requested become
    ///     void because of newer contents or because the bridge exits.
    /// - Returns: The new change count.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/countMismatch`` if the change count differs,
    ///   ``PasteboardError/Code/invalidType`` for a TYPE that bytes cannot have, ``PasteboardError/Code/invalidValue``
    ///   for an item without a representation, ``PasteboardError/Code/invalidOptions``,
    ///   ``PasteboardError/Code/refused``, ``PasteboardError/Code/uncertain``.
    ///
    /// Source: `UIPasteboard.setItems(_:options:)`, NSPasteboard's `pasteboardChangedOwner`.
    @discardableResult
    public func setItems(
        _ items: [PasteboardItem], options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil,
        formerOwner: (@Sendable () -> Void)? = nil
    ) throws -> Int {
        try SetCall(
            pasteboard: name, items: items, options: options, ifChangeCount: count, formerOwner: formerOwner
        ).operation.run()
    }

    /// Adds items after the present items, in one step.
    ///
    /// If the contents belong to another program, the bridge first reads them, and owns them from then on. The
    /// parameters are those of ``setItems(_:options:ifChangeCount:formerOwner:)``. The earlier of the two expiration
    /// dates applies to all items, and if either the present or the new contents are local, all of them become local.
    ///
    /// - Returns: The new change count.
    /// - Throws: ``PasteboardError``, as ``setItems(_:options:ifChangeCount:formerOwner:)`` does.
    @discardableResult
    public func addItems(
        _ items: [PasteboardItem], options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil,
        formerOwner: (@Sendable () -> Void)? = nil
    ) throws -> Int {
        try SetCall(
            pasteboard: name, items: items, appends: true, options: options, ifChangeCount: count,
            formerOwner: formerOwner
        ).operation.run()
    }

    /// Adds representations to a present item, in one step, and replaces representations of the same types.
    ///
    /// If the contents belong to another program, the bridge first reads them, as for
    /// ``addItems(_:options:ifChangeCount:formerOwner:)``.
    ///
    /// - Parameters:
    ///   - item: The representations to add, which may be promised.
    ///   - number: The number of the present item, from 0.
    ///   - count: The expected change count; nil to write in any case.
    /// - Returns: The new change count.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/noSuchItem`` if the pasteboard has no such item,
    ///   and as ``setItems(_:options:ifChangeCount:formerOwner:)`` does.
    ///
    /// Source: `NSPasteboard.addTypes(_:owner:)`.
    @discardableResult
    public func addRepresentations(
        of item: PasteboardItem, toItem number: Int, ifChangeCount count: Int? = nil
    ) throws -> Int {
        try SetCall(pasteboard: name, items: [item], into: number, ifChangeCount: count).operation.run()
    }

    /// Replaces the contents with one item that has one representation.
    ///
    /// - Parameters:
    ///   - data: The bytes of the representation, which may be empty.
    ///   - type: A TYPE that names one concrete type.
    ///   - options: Options for the contents.
    ///   - count: The expected change count; nil to write in any case.
    /// - Returns: The new change count.
    /// - Throws: ``PasteboardError``, as ``setItems(_:options:ifChangeCount:formerOwner:)`` does.
    @discardableResult
    public func setData(
        _ data: Data, forType type: some PasteboardTypeName, options: PasteboardOptions = PasteboardOptions(),
        ifChangeCount count: Int? = nil
    ) throws -> Int {
        try writing([data], .data(type.typeName), options, count).run()
    }

    /// Clears the pasteboard. If it is empty already, nothing changes, unless the call is to count.
    ///
    /// - Parameters:
    ///   - count: The expected change count; nil to clear in any case.
    ///   - alwaysCounts: True to increase the change count even if the pasteboard is empty, as NSPasteboard's
    ///     `clearContents()` does.
    /// - Returns: The new change count.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/countMismatch`` if the change count differs,
    ///   ``PasteboardError/Code/refused``, ``PasteboardError/Code/uncertain``.
    @discardableResult
    public func clear(ifChangeCount count: Int? = nil, alwaysCounts: Bool = false) throws -> Int {
        try Pasteboard.clearing(name, ifChangeCount: count, alwaysCounts: alwaysCounts).run()
    }
}
