import BridgeClient
import PasteboardModel

/// A pasteboard of the user's desktop, as every program on it sees it.
///
/// What one program copies, another pastes: ``general`` is the selection that X11 programs know as CLIPBOARD. All work
/// is done by a bridge, a program of the user's own, which is started when none runs.
///
/// ```swift
/// try Pasteboard.general.setString("Hello")
/// let text = try Pasteboard.general.string
/// ```
///
/// A pasteboard holds items in order; an item is one thing in several forms, each with a type. Calls that name no items
/// mean the first one, those with an item set of nil mean all.
///
/// These calls wait for the answer; ``async`` has the same ones for tasks, which are not to be held up. The owner of
/// the contents may be any program of the desktop; when it is silent, a call throws ``PasteboardError`` with code
/// ``PasteboardError/Code/silent`` after five seconds. Large contents may take longer, as long as they are on their
/// way.
///
/// A TYPE is a type identifier (`public.html`), a MIME type (`text/html`), an X11 target name (`UTF8_STRING`), a
/// filename extension (`.png`) or a class (`text`, `image`, `html`, `files`, `url`, `color`, `audio`, `video`). A form
/// of exactly the type asked for goes before one that conforms to it. Types that only the user or another program has
/// declared are known to the bridge; what fetches no data (``contains(types:)``, ``itemSet(withTypes:)``) knows those
/// this program declared.
///
/// It can be used from all threads and tasks at once, which share one thread and a few connections (16 at most). When
/// the bridge ends, the next call finds or starts another. A child of fork(2) must not use it before exec(3).
///
/// Source: the vocabulary and the rules of UIPasteboard, and of NSPasteboard where that says more.
public struct Pasteboard: Hashable, Sendable {
    /// What is copied and pasted.
    public static let general = Pasteboard(.general)

    /// The search string, which programs share; X11 programs know it as PRIMARY.
    public static let find = Pasteboard(.find)

    private let checkedName: PasteboardName

    private init(_ name: PasteboardName) {
        checkedName = name
    }

    /// The pasteboard of that name, whether there is one at present or not: `general`, `find`, `secondary`, or an app's
    /// own by a reverse-DNS name such as `com.example.scratch`.
    ///
    /// Nobody is asked. What is written to an app's pasteboard that is not there makes one that stays until the bridge
    /// ends.
    ///
    /// - Parameter name: At most 255 bytes.
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

    /// Whether it belongs to the system, and so can be neither made nor removed.
    var isSystem: Bool { checkedName.isSystem }

    /// The same pasteboard with the calls for tasks.
    public var async: AsyncPasteboard { AsyncPasteboard(self) }
}

extension Pasteboard: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}
