import FoundationEssentials

/// The history of Clipboard Indicator, an extension of GNOME Shell: a list in JSON, with the files of pictures next to
/// it.
enum ClipboardIndicatorHistory {
    /// An entry: a string, or an object. The contents of a picture are the path of a file.
    private struct Line: Decodable {
        var contents: String
        var mimetype: String?
        var favorite: Bool?

        private enum CodingKeys: String, CodingKey { case contents, mimetype, favorite }

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                contents = text
                return
            }
            let container = try decoder.container(keyedBy: CodingKeys.self)
            contents = try container.decode(String.self, forKey: .contents)
            mimetype = try container.decodeIfPresent(String.self, forKey: .mimetype)
            favorite = try container.decodeIfPresent(Bool.self, forKey: .favorite)
        }
    }

    static func read(
        _ source: ImportSource, _ body: (TransferredEntry) throws(TransferFault) -> Void
    ) throws(TransferFault) {
        let place = source.place("XDG_CACHE_HOME", or: ".cache", "clipboard-indicator@tudmotu.com/registry.txt")
        let (bytes, path) = try source.bytes(or: [place])
        if bytes.isEmpty { return }
        let lines: [Line]
        do {
            lines = try JSONDecoder().decode([Line].self, from: Data(bytes))
        } catch let error as DecodingError {
            throw TransferFault("\(path) is not a registry of Clipboard Indicator: \(error.reason)")
        } catch {
            throw TransferFault("\(path) is not a registry of Clipboard Indicator")
        }
        var missing = 0
        // The latest entry comes last.
        for line in lines {
            let isPinned = line.favorite ?? false
            guard let type = line.mimetype, !type.hasPrefix("text/"), !["STRING", "UTF8_STRING"].contains(type) else {
                try body(.text(line.contents, isPinned: isPinned))
                continue
            }
            let file = line.contents.hasPrefix("/") ? line.contents : folder(of: path) + line.contents
            guard let picture = ImportSource.bytes(ofFile: file),
                let representation = TransferredEntry.Representation(named: type, bytes: picture)
            else {
                missing += 1
                continue
            }
            try body(TransferredEntry(items: [[representation]], isPinned: isPinned))
        }
        source.noteMissing(missing)
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }
}
