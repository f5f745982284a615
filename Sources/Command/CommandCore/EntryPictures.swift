package import BridgeClient
import LinuxSystem
package import PasteboardWire
package import Terminal
import UniformTypes

/// The pictures of the history's entries, for a terminal that shows them.
///
/// Only PNG is read, the format of screenshots and of most copied images; other formats have only a description.
package struct EntryPictures {
    private let client: BridgeClient
    private let support: PictureSupport

    package init(_ support: PictureSupport, by client: BridgeClient) {
        self.support = support
        self.client = client
    }

    /// Returns true for an entry whose picture is within the limits.
    static func canShow(_ entry: WireHistoryEntry) -> Bool {
        let pixels = (entry.width ?? 0).multipliedReportingOverflow(by: entry.height ?? 0)
        return entry.types.contains("public.png") && Preview().kind(entry) == TypeClass.image.rawValue
            && !pixels.overflow && (1...PNGReader.maxPixels).contains(pixels.partialValue)
            && entry.length <= PNGReader.maxBytes
    }

    /// Returns the picture of an entry, scaled down to fit; nil if there is no picture that can be shown.
    package func picture(of entry: WireHistoryEntry, columns: Int, rows: Int) -> TerminalPicture? {
        guard Self.canShow(entry), columns > 0, rows > 0,
            let found = try? client.get(
                pasteboard: entry.pasteboard, types: ["public.png"], exact: true, entry: entry.id),
            found.range.count <= PNGReader.maxBytes, let file = try? found.bytes.bytes(in: found.range)
        else { return nil }
        return support.picture(ofPNG: file, columns: columns, rows: rows)
    }
}

/// The pictures below the lines of `xpb history` on a terminal.
package struct HistoryPictures {
    /// The maximum rows of a picture.
    private static let rows = 4
    /// The maximum columns of a picture.
    private static let columns = 32
    /// The maximum total pixels of all pictures in a listing. Pictures beyond this limit have only a description.
    private static let maxPixels = 64_000_000

    private let pictures: EntryPictures
    private let columns: Int

    /// - Returns: nil if there is no picture among the entries, or the terminal shows no pictures.
    package init?(of entries: [WireHistoryEntry], in session: Session, by client: BridgeClient) {
        guard let size = session.output.terminalSize, size.rows > Self.rows + 1,
            // Standard output may be a different terminal from the one that can be asked.
            session.output.isControllingTerminal, entries.contains(where: EntryPictures.canShow),
            let terminal = try? TerminalDevice.controlling(),
            let support = TerminalProbe.support(of: terminal, environment: session.environment)
        else { return nil }
        pictures = EntryPictures(support, by: client)
        columns = size.columns
    }

    /// Returns the first entries that fit a number of rows with their pictures; at least one entry.
    package static func prefix(of entries: [WireHistoryEntry], fitting rows: Int) -> ArraySlice<WireHistoryEntry> {
        var left = rows
        let end = entries.firstIndex { entry in
            left -= 1 + (EntryPictures.canShow(entry) ? Self.rows : 0)
            return left < 0
        }
        return entries[..<max(end ?? entries.count, min(1, entries.count))]
    }

    /// Writes each line unchanged, followed by the picture of its entry, if any.
    ///
    /// - Parameter indent: The columns before a picture.
    package func write(_ entries: [WireHistoryEntry], lines: [String], indent: Int, to output: StandardOutput)
        throws(Failure)
    {
        var left = Self.maxPixels
        for (entry, line) in zip(entries, lines) {
            try output.write(line + "\n")
            left -= EntryPictures.canShow(entry) ? (entry.width ?? 0) * (entry.height ?? 0) : 0
            guard left >= 0,
                let picture = pictures.picture(
                    of: entry, columns: min(columns - indent, Self.columns), rows: Self.rows)
            else { continue }
            try output.write(Self.bytes(of: picture, indent: indent))
        }
    }

    /// Returns the bytes that draw a picture at the cursor's line, and leave the cursor below the picture.
    private static func bytes(of picture: TerminalPicture, indent: Int) -> [UInt8] {
        // Blank lines come first, so that the picture does not scroll the screen while it is drawn.
        let lines = String(repeating: "\n", count: picture.rows)
        let right = indent > 0 ? "\u{1B}[\(indent)C" : ""
        let before = "\(lines)\u{1B}[\(picture.rows)A\u{1B}7\(right)"
        return Array(before.utf8) + picture.bytes + Array("\u{1B}8\u{1B}[\(picture.rows)B".utf8)
    }
}
