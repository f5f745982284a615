import FormatConversion
import Formats
package import LinuxSystem
package import PasteboardModel
package import PasteboardStore
import UniformTypes

/// The summaries of stored contents. They are made on the store's thread, since a mebibyte of HTML may have to be read.
package enum EntrySummaries {
    /// The maximum length of a summary's text, in bytes of UTF-8.
    package static let maxTextLength = 65_536
    /// The maximum number of bytes that are read of a representation.
    private static let maxReadLength = 1 << 20

    /// Returns the beginning of the contents' text and the size of their first image; nothing for a secret. The text is
    /// the plain text, or else the text of HTML or RTF, the paths of files, or the address of a link. Of several items,
    /// each has a line or more.
    ///
    /// - Parameter files: The files that hold the bytes of the representations, by source.
    package static func summary(of contents: Contents, files: [MemoryFile]) -> EntrySummary {
        guard !contents.marks.isConcealed else { return EntrySummary() }
        let size = imageSize(of: contents, files)
        return EntrySummary(text: text(of: contents, files), width: size?.width, height: size?.height)
    }

    // MARK: Text

    private static func text(of contents: Contents, _ files: [MemoryFile]) -> String? {
        var sources: [FormatCatalog.Source] = []
        var candidates: [[EncodedBytes]] = []
        for (number, item) in contents.items.lazy.filter({ !$0.representations.isEmpty }).enumerated() {
            for representation in item.representations {
                let (type, target) = (representation.type, representation.target)
                sources.append(FormatCatalog.Source(item: number, type: type, target: target))
                candidates.append(beginnings(of: representation, files))
            }
        }
        // Contents of another program may not be what their types say.
        let formats = FormatCatalog(sources, rules: FormatCatalog.Rules(), isForeign: true)
            .without(Set(candidates.indices.filter { candidates[$0].isEmpty }))
        var text: [UInt8] = []
        for item in 0..<formats.itemCount where text.count < maxTextLength {
            guard let more = self.text(of: item, formats, candidates), !more.isEmpty else { continue }
            if !text.isEmpty { text.append(0x0A) }
            text += more.prefix(maxTextLength)
        }
        return text.isEmpty ? nil : beginning(of: text)
    }

    /// Returns the text of the first representation that has text. For files, returns their paths, whatever text a file
    /// manager offers with them.
    private static func text(of item: Int, _ formats: FormatCatalog, _ candidates: [[EncodedBytes]]) -> [UInt8]? {
        var formats = formats
        while true {
            let isFile = formats.range(of: item).contains { formats.sources[$0].type.conforms(to: .fileURL) }
            let derived = formats.derivedText(of: item)
            guard let derivation = isFile ? derived : formats.plainText(of: item) ?? derived else { return nil }
            let attempts = derivation.sources.map { candidates[$0].count }.max() ?? 0
            for attempt in 0..<attempts {
                if let text = try? make(derivation, of: candidates, attempt).bytes() { return text }
            }
            formats = formats.without(formats.absent.union(derivation.sources))
        }
    }

    private static func make(
        _ derivation: Derivation, of candidates: [[EncodedBytes]], _ attempt: Int
    ) throws(ConversionFailure) -> EncodedBytes {
        switch derivation {
        case .source(let index): return candidates[index][min(attempt, candidates[index].count - 1)]
        case .made(let step, let parts):
            var made: [EncodedBytes] = []
            for part in parts { made.append(try make(part, of: candidates, attempt)) }
            return try step.carryOut(on: made)
        }
    }

    /// Returns the beginning of text, with invalid UTF-8 replaced.
    private static func beginning(of text: [UInt8]) -> String {
        let repaired = String(decoding: truncated(text), as: UTF8.self)
        return repaired.utf8.count <= maxTextLength
            ? repaired : String(decoding: truncated(Array(repaired.utf8)), as: UTF8.self)
    }

    private static func truncated(_ text: [UInt8]) -> [UInt8] {
        guard text.count > maxTextLength else { return text }
        let first = Array(text.prefix(maxTextLength))
        return Array(first.prefix(UTF8Text.completePrefixLength(of: first) ?? maxTextLength))
    }

    // MARK: Bytes

    /// Returns the bytes of a representation, or the beginning of a long one up to the end of a character. If that end
    /// is unknown, returns several beginnings, most likely first. Returns no beginnings if the bytes are not available.
    private static func beginnings(of representation: Representation, _ files: [MemoryFile]) -> [EncodedBytes] {
        guard let (file, range) = place(of: representation, files) else { return [] }
        func beginning(_ length: Int) -> EncodedBytes {
            EncodedBytes(
                file, range.lowerBound..<range.lowerBound + length,
                target: representation.target ?? representation.type.wideTextName)
        }
        guard range.count > maxReadLength else { return [beginning(range.count)] }
        // Other types cannot be cut.
        guard representation.type.conforms(to: .text) || representation.type.conforms(to: .url),
            let bytes = try? file.bytes(in: range.lowerBound..<range.lowerBound + maxReadLength)
        else { return [] }
        if let length = UTF8Text.completePrefixLength(of: bytes) { return [beginning(length)] }
        // A cut through a character of UTF-16 or UTF-32 is at most 3 bytes from the character's beginning. In older
        // encodings, the cut may be anywhere.
        return [0, 2, 1, 3].map { beginning(maxReadLength - $0) }
    }

    private static func place(of representation: Representation, _ files: [MemoryFile]) -> (MemoryFile, Range<Int>)? {
        guard files.indices.contains(representation.source) else { return nil }
        let file = files[representation.source]
        let range = representation.range ?? 0..<file.length
        return range.upperBound <= file.length ? (file, range) : nil
    }

    // MARK: Images

    private static func imageSize(of contents: Contents, _ files: [MemoryFile]) -> ImageSize? {
        for representation in contents.items.lazy.flatMap(\.representations)
        where representation.type.conforms(to: .image) {
            guard let (file, range) = place(of: representation, files) else { continue }
            let size = ImageSize(length: range.count) { part in
                try? file.bytes(in: range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound)
            }
            if let size { return size }
        }
        return nil
    }
}
