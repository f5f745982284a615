import BridgeClient
import PasteboardModel
public import UniformTypes

/// A pasteboard of the user's desktop, shared by all programs on the desktop.
///
/// Contents that one program copies can be pasted into any other: ``general`` is the selection that X11 programs know
/// as CLIPBOARD. A bridge, a process of the same user, does all the work; a bridge is started if none is running.
///
/// ```swift
/// try Pasteboard.general.setString("Hello")
/// let text = try Pasteboard.general.string
/// ```
///
/// A pasteboard holds items in order. An item is one thing in several representations, each with a type. Calls that
/// name no items refer to the first item; an item set of nil stands for all items.
///
/// These calls block until the reply arrives. ``async`` has the same calls for tasks, whose threads must not be
/// blocked. The owner of the contents may be any program of the desktop; if it does not answer within five seconds, a
/// call throws ``PasteboardError`` with code ``PasteboardError/Code/silent``. A large transfer may take longer if it
/// makes progress.
///
/// A TYPE is a type identifier (`public.html`), a MIME type (`text/html`), an X11 target name (`UTF8_STRING`), a
/// filename extension (`.png`) or a class (`text`, `image`, `html`, `files`, `url`, `color`, `audio`, `video`). A
/// representation of exactly that type is preferred to a representation of a conforming type. The bridge resolves types
/// for all calls, and knows the types that the user or any program has declared. ``PasteboardType`` has names for
/// well-known types, such as `.png` and `.text`.
///
/// Any number of threads and tasks can use a pasteboard. Their calls share one thread and at most 16 connections. When
/// the bridge ends, the next call finds or starts another bridge. A child of fork(2) must not use pasteboards before
/// exec(3).
///
/// Source: the vocabulary and the rules of UIPasteboard, and of NSPasteboard where that specifies more.
public struct Pasteboard: Hashable, Sendable {
    /// The clipboard, which holds what the user copies and pastes.
    public static let general = Pasteboard(.general)

    /// The search string that programs share. X11 programs know this pasteboard as PRIMARY.
    public static let find = Pasteboard(.find)

    private let checkedName: PasteboardName

    private init(_ name: PasteboardName) {
        checkedName = name
    }

    /// Creates a reference to the pasteboard with a given name, whether or not that pasteboard exists.
    ///
    /// The bridge is not asked. Writing to an app's pasteboard that does not exist creates the pasteboard, which lasts
    /// until the bridge exits.
    ///
    /// - Parameter name: `general`, `find`, `secondary`, or a reverse-DNS name for an app's own pasteboard, such as
    ///   `com.example.scratch`, of at most 255 bytes.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/invalidName``, or
    ///   ``PasteboardError/Code/refused`` for a name that a program of the desktop depends on.
    public init(name: String) throws {
        do {
            checkedName = try PasteboardName(validating: name)
        } catch {
            throw PasteboardError(BridgeClientError(error))
        }
    }

    /// The pasteboard's name.
    public var name: String { checkedName.string }

    /// True for a pasteboard of the system, which can be neither created nor removed.
    var isSystem: Bool { checkedName.isSystem }

    /// The same pasteboard with async calls.
    public var async: AsyncPasteboard { AsyncPasteboard(board: self) }
}

extension Pasteboard: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}

/// Creating and removing pasteboards, declaring types and fulfilling promises.
extension Pasteboard {
    /// The programs that see an app's pasteboard.
    public enum Visibility: Hashable, Sendable {
        /// All programs of the desktop. X11 programs know the pasteboard as a selection of the same name.
        case desktop
        /// The user's programs that use this library, `xpb` or the socket. X11 programs do not see the pasteboard, and
        /// it cannot be persistent.
        case library
    }

    /// Creates or finds an app's pasteboard, or finds a pasteboard of the system.
    ///
    /// A pasteboard that this call creates lasts until this program exits, unless ``isPersistent`` is true or another
    /// program has also created it. If the bridge restarts before then, the pasteboard is created again, empty.
    ///
    /// - Parameters:
    ///   - name: `general`, `find`, `secondary`, or a reverse-DNS name such as `com.example.scratch`, of at most 255
    ///     bytes.
    ///   - create: True to create the pasteboard if it does not exist; if false, the result is nil in that case.
    ///   - visibility: The programs that see a pasteboard created by this call. An existing pasteboard stays as it is.
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/invalidName``, or
    ///   ``PasteboardError/Code/refused`` for a name that a program of the desktop depends on, beyond the limit of
    ///   1,024 pasteboards, and for ``Visibility/library`` if the desktop already sees the pasteboard.
    ///
    /// Source: `UIPasteboard.init(name:create:)`. The names that are refused: ICCCM, section 2.8.
    public init?(named name: String, create: Bool, visibility: Visibility = .desktop) throws {
        guard let pasteboard = try Self.opening(name, create: create, visibility).run() else { return nil }
        self = pasteboard
    }

    /// Creates a pasteboard with a new, unique name. It lasts until this program exits.
    ///
    /// - Parameter visibility: The programs that see the pasteboard.
    /// - Throws: ``PasteboardError``.
    ///
    /// Source: `UIPasteboard.withUniqueName()`.
    public static func withUniqueName(visibility: Visibility = .desktop) throws -> Pasteboard {
        try creating(nil, visibility).run()
    }

    /// Removes an app's pasteboard with its contents, for all programs.
    ///
    /// If a pasteboard of the same name is created again, its change count continues from the old one.
    ///
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/refused`` for a pasteboard of the system,
    ///   ``PasteboardError/Code/noSuchPasteboard``, ``PasteboardError/Code/invalidName``.
    ///
    /// Source: `UIPasteboard.remove(withName:)`.
    public static func remove(named name: String) throws {
        try removing(name).run()
    }

    /// True if the pasteboard outlives the bridge and the program that created it. Pasteboards of the system always do.
    ///
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/noSuchPasteboard``.
    public var isPersistent: Bool {
        get throws { try persistence.run() }
    }

    /// Sets whether the pasteboard outlives the bridge and the program that created it.
    ///
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/noSuchPasteboard``, and
    ///   ``PasteboardError/Code/refused`` for a pasteboard of the system, which is always persistent.
    public func setPersistent(_ isPersistent: Bool) throws {
        try persisting(isPersistent).run()
    }

    /// Declares this program's own types, in this program and at the bridge.
    ///
    /// Other programs can then request these types by MIME type, filename extension or a type they conform to. A
    /// program declares its types when it starts. Declarations are valid until the bridge exits; while this program
    /// runs, they are repeated to the next bridge.
    ///
    /// The user's declarations and the built-in declarations take precedence, so a program cannot redefine their types.
    ///
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/invalidType`` if some types cannot be declared.
    ///   The message names these types; all other types are declared. The limit is 1,024 types.
    public static func declare(_ types: [TypeDeclaration]) throws {
        for type in types { UniformType.declare(type) }
        try declaring(types).run()
    }

    /// Fulfills the outstanding promises of this program, for an orderly exit.
    ///
    /// Every provider that was not yet called is called, and its bytes outlive the program. The call blocks until all
    /// providers have finished or the time is up. Providers run in tasks, and those of
    /// ``PasteboardEvents/provider(_:)`` on their thread, even if it is the blocked one. Any other provider that needs
    /// the blocked thread cannot finish.
    ///
    /// - Parameter time: The time limit. Promises that are not fulfilled in time are broken when the program ends.
    /// - Returns: True if all promises were fulfilled, apart from promises that newer contents have made void.
    ///
    /// Source: NSPasteboard's lazily provided data, which AppKit asks for when an application terminates.
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
