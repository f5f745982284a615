#if !canImport(Darwin)

public import Foundation
import Pasteboard

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

    /// Creates a pasteboard with a given name, or refers to the pasteboard that has it.
    ///
    /// - Parameter name: The name. A name that is not in reverse-DNS form, such as `MyBoard`, stands for a pasteboard
    ///   that programs with this module share.
    public init(name: Name) {
        board = Board.shared(named: name)
        super.init()
        MainThread.attach()
    }

    init(_ board: Board) {
        self.board = board
        super.init()
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
