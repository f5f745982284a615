/// Every item and every representation in one stream, without a loss: what `dump` writes and `load` reads, and what
/// another bridge asks for on X11, where a selection has one item only.
///
/// The stream is the line `xpb-items 1`, one line of JSON, the manifest, and the bytes of all representations in the
/// manifest's order, with nothing between them and nothing behind:
///
///     {"items":[{"representations":[{"type":"public.png","target":"image/png","length":1234}]}]}
///
/// `exact` and `target` may be left out, and unknown members are ignored. This value is the manifest; the bytes stay where
/// they are.
package struct ItemArchive: Equatable, Sendable {
    /// One representation.
    package struct Part: Equatable, Sendable {
        /// The type's identifier. One that was read is as the stream has it, and may be no identifier at all.
        package var type: String
        /// The X11 target or MIME type it was written or seen under.
        package var target: String?
        /// Offered under its target alone.
        package var exact: Bool
        /// Of its bytes; not negative.
        package var length: Int

        package init(type: String, target: String? = nil, exact: Bool = false, length: Int) {
            self.type = type
            self.target = target
            self.exact = exact
            self.length = length
        }
    }

    /// The type of the whole stream, and its X11 target.
    package static let mediaType = "application/vnd.xpb.items"
    /// The version of the format.
    static let version = 1
    /// The longest header, in bytes. There are shorter ones for 1,024 representations with the longest types and
    /// targets, every character of which is escaped, and for 65,536 with names of 100 characters.
    package static let longestHeader = 12 << 20

    /// The representations of each item. An item may have none.
    package let items: [[Part]]
    /// What a store notes of the contents.
    package let record: Record?
    /// Both lines, with the newlines behind them.
    package let header: [UInt8]
    /// Of the whole stream, in bytes.
    package let length: Int

    /// - Parameters:
    ///   - items: With lengths whose sum is a possible length.
    ///   - alignment: The bytes begin at a multiple of it: the line of JSON has so many spaces at its end.
    package init(items: [[Part]], record: Record? = nil, alignment: Int = 1) {
        self.items = items
        self.record = record
        let lines = Self.firstLine + Manifest(items, record: record).line
        let excess = (lines.count + 1) % alignment
        header = lines + Array(repeating: Self.space, count: excess == 0 ? 0 : alignment - excess) + [Self.newline]
        length = header.count + items.joined().reduce(0) { $0 + $1.length }
    }

    /// Whether its header is longer than any reader takes.
    package var isTooLong: Bool { header.count > Self.longestHeader }

    /// Where in the stream the bytes of each representation are.
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
    ///   - bytes: What the stream begins with: all of it, or so many bytes that the header is among them,
    ///     ``longestHeader`` at most being needed.
    ///   - length: The length of the whole stream, in bytes. With nil, as for a pipe, nobody looks whether bytes are
    ///     missing or too many behind the header.
    package init(header bytes: [UInt8], length: Int?) throws(ItemArchiveError) {
        guard let headerLength = try Self.headerLength(in: bytes) else { throw .truncated(missing: 1) }
        let manifest = try Manifest(line: bytes[Self.firstLine.count..<headerLength - 1])
        var end = headerLength
        for part in manifest.items.joined() {
            guard part.length >= 0 else { throw .damaged("a length is negative") }
            let (sum, isTooLong) = end.addingReportingOverflow(part.length)
            guard !isTooLong else { throw .damaged("its lengths have no sum") }
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

    /// The length of the header that a stream begins with, both newlines included; nil as long as its end is not among
    /// the bytes. Bytes that no header begins with are refused at once.
    package static func headerLength(in bytes: [UInt8]) throws(ItemArchiveError) -> Int? {
        guard bytes.count >= firstLine.count else {
            guard firstLine.starts(with: bytes), !bytes.isEmpty else { throw .notAnArchive }
            return nil
        }
        guard bytes.starts(with: firstLine) else { throw newerVersion(bytes) ?? .notAnArchive }
        let searched = bytes[firstLine.count..<min(bytes.count, longestHeader)]
        if let end = searched.firstIndex(of: newline) { return end + 1 }
        guard bytes.count < longestHeader else {
            throw .damaged("its manifest is longer than \(longestHeader) bytes")
        }
        return nil
    }

    private static func newerVersion(_ bytes: [UInt8]) -> ItemArchiveError? {
        guard bytes.starts(with: name) else { return nil }
        let digits = bytes[name.count...].prefix { $0 != newline }.prefix(longestVersion + 1)
        guard digits.count <= longestVersion, bytes.dropFirst(name.count + digits.count).first == newline,
            digits.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }),
            let number = Int(String(decoding: digits, as: UTF8.self)), number > version
        else { return nil }
        return .newerVersion(number)
    }

    private static let name = Array("xpb-items ".utf8)
    private static let firstLine = Array("xpb-items \(version)\n".utf8)
    private static let newline = UInt8(ascii: "\n")
    private static let space = UInt8(ascii: " ")
    /// More digits than a version's number ever has.
    private static let longestVersion = 9
}
