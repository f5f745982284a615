public import UniformTypes

/// Making and removing pasteboards.
extension Pasteboard {
    /// An app's pasteboard, or one of the system's.
    ///
    /// A pasteboard that is made lives until this program ends, unless it ``isPersistent`` or another program made it,
    /// too; where the bridge is started anew meanwhile, it is made again, empty.
    ///
    /// - Parameters:
    ///   - name: `general`, `find`, `secondary`, or a reverse-DNS name such as `com.example.scratch` of at most 255
    ///     bytes.
    ///   - create: Whether it is made where there is none. If not, the value is nil.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/invalidName``, or
    ///   ``PasteboardError/Code/refused`` for a name that a program of the desktop depends on and where there are as
    ///   many as there can be, 1,024.
    ///
    /// Source: `UIPasteboard.init(name:create:)`. The names that are refused: ICCCM, section 2.8.
    public init?(named name: String, create: Bool) throws {
        guard let pasteboard = try Self.opening(name, create: create).run() else { return nil }
        self = pasteboard
    }

    /// Makes a pasteboard of a new name that nobody has. It lives until this program ends.
    ///
    /// - Throws: ``PasteboardError``.
    ///
    /// Source: `UIPasteboard.withUniqueName()`.
    public static func withUniqueName() throws -> Pasteboard {
        try creating(nil).run()
    }

    /// Removes an app's pasteboard, for all programs, and what is on it. Its change count goes on where it was when one
    /// of that name is made again.
    ///
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/refused`` for the system's,
    ///   ``PasteboardError/Code/noSuchPasteboard``, ``PasteboardError/Code/invalidName``.
    ///
    /// Source: `UIPasteboard.remove(withName:)`.
    public static func remove(named name: String) throws {
        try removing(name).run()
    }

    /// Whether it outlives the program that made it, and the bridge. The system's do.
    ///
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/noSuchPasteboard``.
    public var isPersistent: Bool {
        get throws { try persistence.run() }
    }

    /// Says whether it outlives the program that made it, and the bridge.
    ///
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/noSuchPasteboard``, and
    ///   ``PasteboardError/Code/refused`` for the system's, which do.
    public func setPersistent(_ isPersistent: Bool) throws {
        try persisting(isPersistent).run()
    }

    /// Declares types of this program's own, here and at the bridge, so that other programs can ask for them by MIME
    /// type, extension or what they conform to. They hold until the bridge ends, and the next bridge is told them again
    /// as long as this program runs; a program declares them when it starts.
    ///
    /// What the user or xpb declares goes before, so no program can take a type from another one that is built in.
    ///
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/invalidType`` where some cannot be taken; its
    ///   message tells which, and the others are declared. There can be 1,024.
    public static func declare(_ types: [TypeDeclaration]) throws {
        for type in types { UniformType.declare(type) }
        try declaring(types).run()
    }

    /// Keeps, at an orderly exit, the promises of this program that nobody has asked for yet: every provider is called,
    /// and what it gives outlives the program.
    ///
    /// It waits for providers, which run in tasks: one that needs the thread that waits here is not kept.
    ///
    /// - Parameter time: After this much what is not given yet is left, and is broken when the program ends.
    /// - Returns: Whether all were kept that newer contents did not make void.
    ///
    /// Source: the lazily provided data of NSPasteboard, which asks for it when an application terminates.
    @discardableResult
    public static func keepPromises(within time: Duration = .seconds(3)) -> Bool {
        let completion = Completion<Bool>()
        let client = Client.inUse
        Task.detached {
            completion.complete(.success(await client.keepPromises(within: time)))
        }
        return (try? completion.wait()) ?? false
    }
}
