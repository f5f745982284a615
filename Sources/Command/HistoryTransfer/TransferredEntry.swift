import LinuxSystem
import PasteboardModel
import UniformTypes

/// An entry on its way into the history, or out of it.
package struct TransferredEntry: Equatable, Sendable {
    /// One representation of an item, with its bytes.
    package struct Representation: Equatable, Sendable {
        /// The identifier of the type.
        package var type: String
        /// The MIME type or X11 target under which a program offered the bytes.
        package var target: String?
        /// True if the representation is offered under its target only.
        package var exact = false
        package var bytes: [UInt8]

        package init(type: String, target: String? = nil, exact: Bool = false, bytes: [UInt8]) {
            self.type = type
            self.target = target
            self.exact = exact
            self.bytes = bytes
        }

        /// Creates a list of files or links.
        init?(urls: [String]) {
            self.init(named: "text/uri-list", bytes: Array(urls.map { $0 + "\r\n" }.joined().utf8))
        }

        /// - Parameter name: A type identifier, a MIME type or an X11 target.
        init?(named name: String, bytes: [UInt8]) {
            if name.utf8.contains(UInt8(ascii: "/")) || UniformType(name) == nil {
                guard !name.isEmpty else { return nil }
                self.init(type: UniformType(target: name).identifier, target: name, bytes: bytes)
            } else {
                self.init(type: name, bytes: bytes)
            }
        }
    }

    package var items: [[Representation]]
    /// The time of the copy, in milliseconds since the Unix epoch; nil if it is not known.
    package var created: Int?
    package var isPinned = false
    package var isLocalOnly = false
    package var program: String?
    package var action: String?
    package var pasteboard: String?

    package init(items: [[Representation]], created: Int? = nil, isPinned: Bool = false) {
        self.items = items
        self.created = created
        self.isPinned = isPinned
    }

    static func text(_ text: String, created: Int? = nil, isPinned: Bool = false) -> Self {
        Self(
            items: [[Representation(type: UniformType.utf8PlainText.identifier, bytes: Array(text.utf8))]],
            created: created, isPinned: isPinned)
    }

    /// True if there are no bytes, as in an entry that is empty in the other history.
    var isEmpty: Bool { items.allSatisfy { $0.allSatisfy(\.bytes.isEmpty) } }

    /// The beginning of the archive with these contents, which their bytes follow.
    ///
    /// - Parameter now: The time of an entry without one.
    func header(now: Int) -> ItemArchive {
        ItemArchive(
            items: items.map { item in
                item.map {
                    ItemArchive.Part(type: $0.type, target: $0.target, exact: $0.exact, length: $0.bytes.count)
                }
            },
            record: ItemArchive.Record(
                id: 0, pasteboard: pasteboard ?? PasteboardName.general.string, count: 0, created: created ?? now,
                action: action, program: program, localOnly: isLocalOnly, pinned: isPinned ? true : nil))
    }
}
