import Formats
import UniformTypes

/// The history of GPaste: an XML file with the latest item first, and the files of pictures.
enum GPasteHistory {
    static func read(
        _ source: ImportSource, _ body: (TransferredEntry) throws(TransferFault) -> Void
    ) throws(TransferFault) {
        let places = ["GPaste", "gpaste"].map { source.place("XDG_DATA_HOME", or: ".local/share", "\($0)/history.xml") }
        let (bytes, path) = try source.bytes(or: places)
        // GPaste makes an empty file for an empty history.
        if bytes.isEmpty { return }
        var parser = GPasteParser(bytes)
        let items = try parser.items(named: path)
        var missing = 0
        for item in items.reversed() {
            guard let parts = representations(of: item) else {
                missing += item.kind == "Image" ? 1 : 0
                continue
            }
            let created = item.seconds.map { $0 * 1_000 }
            try body(TransferredEntry(items: [parts], created: created, isPinned: item.isFavourite))
        }
        source.noteMissing(missing)
        let passwords = items.count { $0.kind == "Password" }
        if passwords > 0 { source.note("\(passwords) password\(passwords == 1 ? "" : "s") left out") }
    }

    /// Returns the contents of an item; nil for a password, and for a picture whose file is missing.
    private static func representations(of item: GPasteParser.Item) -> [TransferredEntry.Representation]? {
        switch item.kind {
        case "Password": return nil
        case "Image":
            return ImportSource.bytes(ofFile: item.value).map { [TransferredEntry.Representation(of: $0)] }
        case "Uris":
            // Until version 45 a line is a path, and later a URL.
            let urls = item.value.split(separator: "\n").map { Self.url(of: $0) }
            return TransferredEntry.Representation(urls: urls).map { [$0] }
        default:
            let others = item.others.compactMap { other in
                types[other.type].flatMap { TransferredEntry.Representation(named: $0, bytes: other.bytes) }
            }
            let text = TransferredEntry.Representation(
                type: UniformType.utf8PlainText.identifier, bytes: Array(item.value.utf8))
            return others + [text]
        }
    }

    private static func url(of line: Substring) -> String {
        let path = line.hasPrefix("/") ? FileURL(path: Array(line.utf8)) : nil
        return path.map { String(decoding: $0.bytes, as: UTF8.self) } ?? String(line)
    }

    /// The types of further values, by GPaste's names for them.
    private static let types = [
        "text-html": "text/html", "text-html-utf8": "text/html;charset=utf-8", "text-xml": "text/xml",
        "text-xml-utf8": "text/xml;charset=utf-8",
    ]
}
