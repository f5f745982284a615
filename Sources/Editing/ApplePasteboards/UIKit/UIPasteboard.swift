#if !canImport(Darwin)

public import Foundation
import Pasteboard

/// A pasteboard of the user's desktop, under the name and by the rules of UIKit's class.
///
/// ```swift
/// UIPasteboard.general.string = "Hello"
/// if UIPasteboard.general.hasStrings { print(UIPasteboard.general.string ?? "") }
/// ```
///
/// Each write is one change, which is made before the call returns. The calls have no errors: if no bridge can be
/// reached, they return nil, false, 0 or an empty array, and a message is written to standard error. An owner of the
/// contents that does not answer is waited for at most five seconds.
///
/// Images are bytes, since there is no `UIImage` here: `data(forPasteboardType:)` with a type such as `public.png`.
///
/// Any thread can use a pasteboard.
///
/// Source: `UIPasteboard`. The page of this module lists the members without a counterpart.
public class UIPasteboard: NSObject, @unchecked Sendable {
    private static let sharedGeneral = UIPasteboard(.general)

    /// The pasteboard of copy and paste.
    public class var general: UIPasteboard { sharedGeneral }

    let library: Pasteboard
    /// Posts notifications for as long as the object exists.
    private var observation: Task<Void, Never>?

    init(_ library: Pasteboard) {
        self.library = library
        super.init()
        observation = ChangeNotifications.observe(self)
    }

    deinit { observation?.cancel() }

    /// Creates or finds a pasteboard that this program shares with others.
    ///
    /// - Parameters:
    ///   - pasteboardName: A reverse-DNS name.
    ///   - create: True to create the pasteboard if it does not exist; if false, the result is nil in that case.
    /// - Returns: nil also for a name that cannot be one, or if no bridge can be reached.
    public convenience init?(name pasteboardName: Name, create: Bool) {
        let made = Diagnostics.value { try Pasteboard(named: pasteboardName.libraryName, create: create) }
        guard let pasteboard = made ?? nil else { return nil }
        self.init(pasteboard)
    }

    /// Returns a pasteboard with a new name, which lasts until this program exits.
    public class func withUniqueName() -> UIPasteboard {
        let made = Diagnostics.value { try Pasteboard.withUniqueName(visibility: .library) }
        return UIPasteboard(made ?? .unreachable)
    }

    /// Removes a pasteboard with its contents, for all programs.
    public class func remove(withName pasteboardName: Name) {
        _ = Diagnostics.value { try Pasteboard.remove(named: pasteboardName.libraryName) }
    }

    /// The name of the pasteboard.
    public var name: Name { library == .general ? .general : Name(library.name) }

    /// Returns true for a pasteboard of the same name.
    public override func isEqual(_ object: Any?) -> Bool { (object as? UIPasteboard)?.library == library }

    /// A number that pasteboards of the same name share.
    public override var hash: Int { library.hashValue }

    /// True if the pasteboard outlives the program.
    public var isPersistent: Bool { read { try $0.isPersistent } ?? false }

    /// Sets whether the pasteboard outlives the program.
    public func setPersistent(_ persistent: Bool) { write { try $0.setPersistent(persistent) } }

    /// The number of changes so far. It never decreases.
    public var changeCount: Int { read { try $0.changeCount } ?? 0 }

    /// The number of items.
    public var numberOfItems: Int { read { try $0.numberOfItems } ?? 0 }

    /// Performs a call of the library that reads, after this program's collected changes by `NSPasteboard`.
    func read<Value>(_ body: (Pasteboard) throws -> Value) -> Value? {
        Board.send(to: library)
        return Diagnostics.value { try body(library) }
    }

    /// Performs a call of the library that writes.
    func write(_ body: (Pasteboard) throws -> Void) { _ = read(body) }
}

extension Pasteboard {
    /// A pasteboard that stands for those that could not be made, since no bridge was reached.
    static let unreachable = (try? Pasteboard(name: "org.xpb.unreachable")) ?? .general
}

extension UIPasteboard {
    /// The name of a pasteboard.
    ///
    /// Source: `UIPasteboard.Name`.
    public struct Name: RawRepresentable, Hashable, Sendable {
        /// The string of the name.
        public let rawValue: String

        /// Creates a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Creates a name.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// The pasteboard of copy and paste.
        public static let general = Name("com.apple.UIKit.pboard.general")

        var libraryName: String { self == .general ? "general" : rawValue }
    }

    /// The key of an option for items that are written.
    ///
    /// Source: `UIPasteboard.OptionsKey`.
    public struct OptionsKey: RawRepresentable, Hashable, Sendable {
        /// The string of the key.
        public let rawValue: String

        /// Creates a key.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The `Date` at which the contents are removed.
        public static let expirationDate = OptionsKey(rawValue: "UIPasteboardOptionExpirationDate")
        /// True if the contents stay on this machine.
        public static let localOnly = OptionsKey(rawValue: "UIPasteboardOptionLocalOnly")
    }

    /// The type that lets the setters choose the types of a value. Here it stands for text.
    public static let typeAutomatic = "com.apple.uikit.type-automatic"
    /// The types of text.
    public class var typeListString: NSArray { ["public.utf8-plain-text", "public.text"] as NSArray }
    /// The types of addresses.
    public class var typeListURL: NSArray { ["public.url", "public.file-url"] as NSArray }
    /// The types of images.
    public class var typeListImage: NSArray { ["public.png", "public.tiff", "public.jpeg"] as NSArray }
    /// The types of colors.
    public class var typeListColor: NSArray { ["com.apple.uikit.color"] as NSArray }
}

#endif
