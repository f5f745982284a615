public import FoundationEssentials

/// Writing.
extension AsyncPasteboard {
    /// See ``Pasteboard/setItems(_:options:ifChangeCount:formerOwner:)``.
    @discardableResult
    public func setItems(
        _ items: [PasteboardItem], options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil,
        formerOwner: (@Sendable () -> Void)? = nil
    ) async throws -> Int {
        try await Writing(
            pasteboard: board.name, items: items, options: options, ifChangeCount: count, formerOwner: formerOwner
        ).operation.run()
    }

    /// See ``Pasteboard/addItems(_:options:ifChangeCount:formerOwner:)``.
    @discardableResult
    public func addItems(
        _ items: [PasteboardItem], options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil,
        formerOwner: (@Sendable () -> Void)? = nil
    ) async throws -> Int {
        try await Writing(
            pasteboard: board.name, items: items, appends: true, options: options, ifChangeCount: count,
            formerOwner: formerOwner
        ).operation.run()
    }

    /// See ``Pasteboard/setData(_:forType:options:ifChangeCount:)``.
    @discardableResult
    public func setData(
        _ data: Data, forType type: String, options: PasteboardOptions = PasteboardOptions(),
        ifChangeCount count: Int? = nil
    ) async throws -> Int {
        try await board.writing([data], .data(type), options, count).run()
    }

    /// See ``Pasteboard/clear(ifChangeCount:)``.
    @discardableResult
    public func clear(ifChangeCount count: Int? = nil) async throws -> Int {
        try await Pasteboard.clearing(board.name, ifChangeCount: count).run()
    }
}
