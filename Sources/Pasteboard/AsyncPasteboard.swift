public import UniformTypes

/// A pasteboard's calls for tasks: those of ``Pasteboard`` by the same names, which hold no thread up.
///
/// ```swift
/// let text = try await Pasteboard.general.async.string
/// ```
///
/// A task that is cancelled stops waiting at once, by `CancellationError`; what it wanted to be written may then be
/// written or not.
public struct AsyncPasteboard: Hashable, Sendable {
    let board: Pasteboard

    init(_ board: Pasteboard) {
        self.board = board
    }

    /// The pasteboard with the calls that wait.
    public var blocking: Pasteboard { board }

    /// The pasteboard's name.
    public var name: String { board.name }

    /// See ``Pasteboard/init(named:create:)``.
    public static func named(_ name: String, create: Bool) async throws -> AsyncPasteboard? {
        try await Pasteboard.opening(name, create: create).run().map(AsyncPasteboard.init)
    }

    /// See ``Pasteboard/withUniqueName()``.
    public static func withUniqueName() async throws -> AsyncPasteboard {
        AsyncPasteboard(try await Pasteboard.creating(nil).run())
    }

    /// See ``Pasteboard/remove(named:)``.
    public static func remove(named name: String) async throws {
        try await Pasteboard.removing(name).run()
    }

    /// See ``Pasteboard/isPersistent``.
    public var isPersistent: Bool {
        get async throws { try await board.persistence.run() }
    }

    /// See ``Pasteboard/setPersistent(_:)``.
    public func setPersistent(_ isPersistent: Bool) async throws {
        try await board.persisting(isPersistent).run()
    }

    /// See ``Pasteboard/declare(_:)``.
    public static func declare(_ types: [TypeDeclaration]) async throws {
        for type in types { UniformType.declare(type) }
        try await Pasteboard.declaring(types).run()
    }

    /// See ``Pasteboard/keepPromises(within:)``.
    @discardableResult
    public static func keepPromises(within time: Duration = .seconds(3)) async -> Bool {
        await Client.inUse.keepPromises(within: time)
    }

    /// See ``Pasteboard/changes``.
    public var changes: Pasteboard.Changes { board.changes }

    /// See ``Pasteboard/changes(since:)``.
    public func changes(since count: Int) -> Pasteboard.Changes { board.changes(since: count) }
}
