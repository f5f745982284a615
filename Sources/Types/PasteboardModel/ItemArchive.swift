/// A stream of all items and all their representations, without loss. `dump` writes the stream, `load` reads it, and a
/// bridge requests it from another bridge on X11, where a selection has only one item.
///
/// The stream consists of the line `xpb-items 1`, one line of JSON (the manifest), and the bytes of all representations
/// in the order of the manifest, without separators and with nothing after them:
///
///     {"items":[{"representations":[{"type":"public.png","target":"image/png","length":1234}]}]}
///
/// `exact` and `target` may be left out, and readers ignore unknown members. This value is only the manifest, without
/// the bytes.
package struct ItemArchive: Equatable, Sendable {
    /// The manifest's entry for one representation.
    package struct Part: Equatable, Sendable {
        /// The identifier of the type. The reader does not check it, so it may be malformed.
        package var type: String
        /// The X11 target or MIME type under which the representation was written or seen.
        package var target: String?
        /// True if the representation is offered under its target only.
        package var exact: Bool
        /// The length of the representation in bytes; not negative.
        package var length: Int

        package init(type: String, target: String? = nil, exact: Bool = false, length: Int) {
            self.type = type
            self.target = target
            self.exact = exact
            self.length = length
        }
    }

    /// The MIME type of the stream, which is also its X11 target.
    package static let mediaType = "application/vnd.xpb.items"
    /// The version of the format.
    static let version = 1
    /// The limit on the length of the header, in bytes. It leaves room for 1,024 representations with the longest types
    /// and targets and every character escaped, and for 65,536 representations whose names have 100 characters.
    package static let maxHeaderLength = 12 << 20

    /// The representations of each item. An item may have none.
    package let items: [[Part]]
    /// The store's notes about the contents.
    package let record: Record?
    /// Both lines of the header, each with its newline.
    package let header: [UInt8]
    /// The length of the whole stream, in bytes.
    package let length: Int

    /// - Parameters:
    ///   - items: The representations. The sum of their lengths is in the range of `Int`.
    ///   - alignment: The bytes of the representations start at a multiple of this number; spaces at the end of the
    ///     manifest's line fill the gap.
    package init(items: [[Part]], record: Record? = nil, alignment: Int = 1) {
        self.items = items
        self.record = record
        let lines = Self.firstLine + Manifest(items, record: record).line
        let excess = (lines.count + 1) % alignment
        header = lines + Array(repeating: Self.space, count: excess == 0 ? 0 : alignment - excess) + [Self.newline]
        length = header.count + items.joined().reduce(0) { $0 + $1.length }
    }

    /// True if the header is longer than readers accept.
    package var isTooLong: Bool { header.count > Self.maxHeaderLength }

    /// The range of each representation's bytes in the stream.
    package var ranges: [[Range<Int>]] {
        var end = header.count
        return items.map { item in
            item.map { part in
                defer { end += part.length }
                return end..<end + part.length
            }
        }
    }

    // MARK: Reading

    /// Reads the manifest of a stream.
    ///
    /// - Parameters:
    ///   - bytes: The beginning of the stream, with the whole header: at most ``maxHeaderLength`` bytes.
    ///   - length: The length of the whole stream, in bytes. If it is nil, as for a pipe, the number of bytes after the
    ///     header is not checked.
    package init(header bytes: [UInt8], length: Int?) throws(ItemArchiveError) {
        guard let headerLength = try Self.headerLength(in: bytes) else { throw .truncated(missing: 1) }
        let manifest = try Manifest(line: bytes[Self.firstLine.count..<headerLength - 1])
        var end = headerLength
        for part in manifest.items.joined() {
            guard part.length >= 0 else { throw .damaged("a length is negative") }
            let (sum, isTooLong) = end.addingReportingOverflow(part.length)
            guard !isTooLong else { throw .damaged("the sum of its lengths is out of range") }
            end = sum
        }
        if let length = length.map({ max($0, bytes.count) }) {
            guard end <= length else { throw .truncated(missing: end - length) }
            guard end == length else { throw .trailing(length - end) }
        }
        items = manifest.items
        record = manifest.record
        header = Array(bytes[..<headerLength])
        self.length = end
    }

    /// Returns the length of the header at the beginning of a stream, including both newlines; nil if the bytes do not
    /// reach the end of the header. Bytes that cannot become a header are refused at once.
    package static func headerLength(in bytes: [UInt8]) throws(ItemArchiveError) -> Int? {
        guard bytes.count >= firstLine.count else {
            guard firstLine.starts(with: bytes), !bytes.isEmpty else { throw .notAnArchive }
            return nil
        }
        guard bytes.starts(with: firstLine) else { throw newerVersion(bytes) ?? .notAnArchive }
        let searched = bytes[firstLine.count..<min(bytes.count, maxHeaderLength)]
        if let end = searched.firstIndex(of: newline) { return end + 1 }
        guard bytes.count < maxHeaderLength else {
            throw .damaged("its manifest is longer than \(maxHeaderLength) bytes")
        }
        return nil
    }

    private static func newerVersion(_ bytes: [UInt8]) -> ItemArchiveError? {
        guard bytes.starts(with: name) else { return nil }
        let digits = bytes[name.count...].prefix { $0 != newline }.prefix(maxVersionDigits + 1)
        guard digits.count <= maxVersionDigits, bytes.dropFirst(name.count + digits.count).first == newline,
            digits.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }),
            let number = Int(String(decoding: digits, as: UTF8.self)), number > version
        else { return nil }
        return .newerVersion(number)
    }

    private static let name = Array("xpb-items ".utf8)
    private static let firstLine = Array("xpb-items \(version)\n".utf8)
    private static let newline = UInt8(ascii: "\n")
    private static let space = UInt8(ascii: " ")
    private static let maxVersionDigits = 9
}

extension ItemArchive {
    /// The store's notes about contents, in the manifest's member `entry`. They let the store rebuild its database from
    /// its files alone. Other readers ignore them.
    package struct Record: Codable, Equatable, Sendable {
        package var id: Int
        /// The pasteboard that had the contents.
        package var pasteboard: String
        /// The pasteboard's change count when the contents were written.
        package var count: Int
        /// The time when the contents were written, in milliseconds since the Unix epoch.
        package var created: Int
        /// The time when the contents expire, in milliseconds since the Unix epoch.
        package var expires: Int?
        package var action: String?
        package var program: String?
        package var localOnly: Bool
        /// True if the contents are in the history.
        package var listed: Bool
        /// The beginning of the text, unless a representation has it.
        package var text: String?
        /// The size of an image, in pixels.
        package var width: Int?
        package var height: Int?
        /// True for an entry that is to be pinned when it is imported. The store's own records do not have it.
        package var pinned: Bool?

        package init(
            id: Int, pasteboard: String, count: Int, created: Int, expires: Int? = nil, action: String? = nil,
            program: String? = nil, localOnly: Bool = false, listed: Bool = true, text: String? = nil,
            width: Int? = nil, height: Int? = nil, pinned: Bool? = nil
        ) {
            self.id = id
            self.pasteboard = pasteboard
            self.count = count
            self.created = created
            self.expires = expires
            self.action = action
            self.program = program
            self.localOnly = localOnly
            self.listed = listed
            self.text = text
            self.width = width
            self.height = height
            self.pinned = pinned
        }
    }
}

/// The reason why bytes cannot be read as an archive of items.
package enum ItemArchiveError: Error, Equatable, Sendable {
    /// The bytes do not begin like an archive.
    case notAnArchive
    /// The archive has a later version of the format, which only a later release can read.
    case newerVersion(Int)
    /// The manifest is invalid. The text completes "the archive is damaged: …".
    case damaged(String)
    /// The stream ends too early, by at least this many bytes.
    case truncated(missing: Int)
    /// This many bytes follow the last representation.
    case trailing(Int)

    /// A sentence without a final period.
    package var message: String {
        switch self {
        case .notAnArchive: "these bytes are not an archive of items"
        case .newerVersion(let version):
            "the archive has version \(version) of the format, and this release reads version \(ItemArchive.version)"
        case .damaged(let reason): "the archive is damaged: \(reason)"
        case .truncated(let missing):
            "the archive ends too early: at least \(missing) byte\(missing == 1 ? " is" : "s are") missing"
        case .trailing(let count): "the archive is damaged: \(count) byte\(count == 1 ? "" : "s") too many"
        }
    }
}
