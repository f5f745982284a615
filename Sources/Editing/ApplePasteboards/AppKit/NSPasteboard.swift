#if !canImport(Darwin)

public import Foundation
import Pasteboard
import Synchronization

/// A pasteboard of the user's desktop, under the name and by the rules of AppKit's class.
///
/// Code for the Mac compiles unchanged:
///
/// ```swift
/// let pasteboard = NSPasteboard.general
/// pasteboard.clearContents()
/// pasteboard.setString("Hello", forType: .string)
/// let text = pasteboard.string(forType: .string)
/// ```
///
/// The calls that write are collected and reach other programs as one change: before the next call that reads, 20 ms
/// after the first of them, or when the program exits. A program that is killed before then has written nothing.
///
/// The calls have no errors. If no bridge can be reached, they return nil, false or 0, and a message is written to
/// standard error. An owner of the contents that does not answer is waited for at most five seconds.
///
/// Any thread can use a pasteboard.
///
/// Source: `NSPasteboard`. The page of this module lists the members without a counterpart.
public class NSPasteboard: NSObject, @unchecked Sendable {
    private static let sharedGeneral = NSPasteboard(name: .general)

    /// The pasteboard of copy and paste.
    public class var general: NSPasteboard { sharedGeneral }

    let board: Board
    /// The item whose owner is being asked for data, if this is the pasteboard that the owner got; nil after the owner
    /// has begun other contents.
    private let provided: Mutex<NSPasteboardItem?>

    /// Creates a pasteboard with a given name, or refers to the pasteboard that has it.
    ///
    /// - Parameter name: The name. A name that is not in reverse-DNS form, such as `MyBoard`, stands for a pasteboard
    ///   that programs with this module share.
    public init(name: Name) {
        board = Board.shared(named: name)
        provided = Mutex(nil)
        super.init()
    }

    init(_ board: Board, providing item: NSPasteboardItem? = nil) {
        self.board = board
        provided = Mutex(item)
        super.init()
    }

    /// Changes the item whose owner is being asked for data, or else the first item of this program's contents.
    ///
    /// - Returns: False if the contents are not this program's, or if the body returns false.
    func change(_ body: (NSPasteboardItem) -> Bool) -> Bool {
        provided.withLock(\.self).map(body) ?? board.changeFirst(body)
    }

    /// Replaces the present contents; see ``Board/begin(options:owner:)``.
    func begin(options: PasteboardOptions = PasteboardOptions(), owner: (any NSPasteboardTypeOwner)? = nil) -> Int {
        provided.withLock { $0 = nil }
        return board.begin(options: options, owner: owner)
    }

    /// Returns a pasteboard with a new name. It lasts until this program exits or calls ``releaseGlobally()``. The
    /// program can write it without clearing it.
    public class func withUniqueName() -> NSPasteboard {
        let made = Diagnostics.value { try Pasteboard.withUniqueName(visibility: .library) }
        let pasteboard = NSPasteboard(name: Name(made?.name ?? "org.xpb.unreachable"))
        if made != nil { pasteboard.board.adopt() }
        return pasteboard
    }

    /// The name of the pasteboard.
    public var name: Name { board.name }

    /// Returns true for a pasteboard of the same name.
    public override func isEqual(_ object: Any?) -> Bool { (object as? NSPasteboard)?.name == name }

    /// A number that pasteboards of the same name share.
    public override var hash: Int { name.hashValue }

    /// Removes a pasteboard that the program has created, with its contents, for all programs.
    public func releaseGlobally() { board.remove() }

    /// The number of changes of ownership so far. It never decreases.
    public var changeCount: Int { board.changeCount }

    /// The behavior of the system when a program reads contents that the user has not pasted: always
    /// ``AccessBehavior/alwaysAllow``.
    public var accessBehavior: AccessBehavior { .alwaysAllow }
}

#endif
