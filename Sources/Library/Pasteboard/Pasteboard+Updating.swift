extension Pasteboard {
    /// Changes the contents by several steps that other programs see as one change: they never see the pasteboard empty
    /// or half changed.
    ///
    /// ```swift
    /// try Pasteboard.general.update { items in
    ///     items.removeAll { $0.types.contains("com.example.draft") }
    ///     items.append(PasteboardItem(Data("done".utf8), type: .plainText))
    /// }
    /// ```
    ///
    /// If another program copies between the read and the write, the body is called again with the new contents, and
    /// after ``maxUpdateAttempts`` attempts the call fails. A body that throws changes nothing. Contents that begin
    /// with nothing need no such call: ``setItems(_:options:ifChangeCount:formerOwner:)`` writes any number of items at
    /// once.
    ///
    /// - Parameters:
    ///   - options: Options for the new contents.
    ///   - body: Changes the items, which are all items in all representations as they were written.
    /// - Returns: The new change count.
    /// - Throws: The error of the body, and ``PasteboardError``, as ``items`` and
    ///   ``setItems(_:options:ifChangeCount:formerOwner:)`` do; code ``PasteboardError/Code/transferBroken`` if a
    ///   representation cannot be read.
    @discardableResult
    public func update(
        options: PasteboardOptions = PasteboardOptions(), _ body: (inout [PasteboardItem]) throws -> Void
    ) throws -> Int {
        for _ in 1..<Self.maxUpdateAttempts {
            do {
                return try attemptUpdate(options, body)
            } catch let error as PasteboardError where error.code == .countMismatch {
                continue
            }
        }
        return try attemptUpdate(options, body)
    }

    /// The number of times that ``update(options:_:)`` calls its body at most.
    public static let maxUpdateAttempts = 8

    /// Throws if representations could not be read, which writing the items again would lose.
    fileprivate static func requireWhole(_ items: [PasteboardItem]) throws(PasteboardError) {
        let missing = items.flatMap(\.missingTypes)
        guard let first = missing.first else { return }
        throw PasteboardError(
            code: .transferBroken,
            message: "\(first) cannot be read from the owner of the contents, so an update would lose it")
    }

    private func attemptUpdate(
        _ options: PasteboardOptions, _ body: (inout [PasteboardItem]) throws -> Void
    ) throws -> Int {
        let count = try changeCount
        var items = try items
        try Self.requireWhole(items)
        try body(&items)
        return try setItems(items, options: options, ifChangeCount: count)
    }
}

extension AsyncPasteboard {
    /// See ``Pasteboard/update(options:_:)``.
    @discardableResult
    public func update(
        options: PasteboardOptions = PasteboardOptions(), _ body: (inout [PasteboardItem]) async throws -> Void
    ) async throws -> Int {
        for _ in 1..<Pasteboard.maxUpdateAttempts {
            do {
                return try await attemptUpdate(options, body)
            } catch let error as PasteboardError where error.code == .countMismatch {
                continue
            }
        }
        return try await attemptUpdate(options, body)
    }

    private func attemptUpdate(
        _ options: PasteboardOptions, _ body: (inout [PasteboardItem]) async throws -> Void
    ) async throws -> Int {
        let count = try await changeCount
        var items = try await items
        try Pasteboard.requireWhole(items)
        try await body(&items)
        return try await setItems(items, options: options, ifChangeCount: count)
    }
}
