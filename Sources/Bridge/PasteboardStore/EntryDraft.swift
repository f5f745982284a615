import LinuxSystem
import PasteboardModel
import UniformTypes

/// An entry on its way into the database, after its blob was written.
struct EntryDraft {
    /// The limit on the text that is searched, in bytes.
    static let maxTextLength = 64 << 10

    var record: ItemArchive.Record
    /// True for an entry of an import in progress: see ``Store/stage(_:)``.
    var isStaged = false
    /// The length of the blob in bytes.
    var size = 0
    let fingerprint: Fingerprint
    /// The equal contents in the database.
    let equal: Int?
    let types: [String]
    let items: Int
    /// The text that is searched.
    let text: String?

    init(_ entry: NewEntry, expires: Int?, fingerprint: Fingerprint, equal: Int?) {
        let text = entry.summary.text.map { $0.prefix(utf8: Self.maxTextLength) }
        self.fingerprint = fingerprint
        self.equal = equal
        self.text = text
        types = entry.contents.types.map(\.identifier)
        items = entry.contents.items.count
        record = ItemArchive.Record(
            id: entry.id.number, pasteboard: entry.pasteboard.string, count: entry.count, created: entry.created,
            expires: expires, action: entry.action, program: entry.program, localOnly: entry.isLocalOnly,
            listed: entry.isListed, text: entry.contents.plainText == nil ? text : nil,
            width: entry.summary.width, height: entry.summary.height)
    }

    /// Returns the header of the blob.
    mutating func header(of contents: Contents) throws(StoreFailure) -> [UInt8] {
        var archive = ItemArchive(contents, record: record)
        if archive.isTooLong {
            // The text is only needed for the search after a loss of the database.
            record.text = nil
            archive = ItemArchive(contents, record: record)
        }
        guard !archive.isTooLong else { throw .broken("the manifest of the contents is too long") }
        return archive.header
    }

    /// Creates the draft of an entry that is recovered from its blob.
    init(_ blob: BlobContents, fingerprint: Fingerprint, equal: Int?) {
        self.fingerprint = fingerprint
        self.equal = equal
        record = blob.record
        size = blob.file.length
        types = blob.contents.types.map(\.identifier)
        items = blob.contents.items.count
        text = blob.record.text ?? blob.text
    }
}
