import FormatConversion
import Formats
import LinuxSystem
import PasteboardModel
import PasteboardStore
import UniformTypes

/// Sums up contents that are kept. Pure, and so fit for any thread: it may have a mebibyte of HTML to read.
enum EntrySummaries {
    /// Of the text so many bytes of UTF-8 are kept, at most.
    static let longestText = 65_536
    /// Of each representation so many bytes are looked at, at most.
    private static let longestRead = 1 << 20

    /// The beginning of the text that the contents have or tell of: the plain text, else that of HTML or RTF, the paths
    /// of files, the address of a link; of several items a line or more each. And the size of the first image.
    ///
    /// Nothing is said of a secret.
    ///
    /// - Parameter files: What the representations are ranges of, by their sources.
    static func summary(of contents: Contents, files: [MemoryFile]) -> EntrySummary {
        guard !contents.marks.isConcealed else { return EntrySummary() }
        let size = imageSize(of: contents, files)
        return EntrySummary(text: text(of: contents, files), width: size?.width, height: size?.height)
    }

    // MARK: Text

    private static func text(of contents: Contents, _ files: [MemoryFile]) -> String? {
        var sources: [FormatCatalog.Source] = []
        var materials: [[EncodedBytes]] = []
        for (number, item) in contents.items.lazy.filter({ !$0.representations.isEmpty }).enumerated() {
            for representation in item.representations {
                sources.append(
                    FormatCatalog.Source(item: number, type: representation.type, target: representation.target))
                materials.append(beginnings(of: representation, files))
            }
        }
        // What came from another program may be anything, whatever its name says.
        let forms = FormatCatalog(sources, rules: FormatCatalog.Rules(), isForeign: true)
            .without(Set(materials.indices.filter { materials[$0].isEmpty }))
        var text: [UInt8] = []
        for item in 0..<forms.itemCount where text.count < longestText {
            guard let more = self.text(of: item, forms, materials), !more.isEmpty else { continue }
            if !text.isEmpty { text.append(0x0A) }
            text += more.prefix(longestText)
        }
        return text.isEmpty ? nil : beginning(of: text)
    }

    /// The text of the first representation that turns out to have one. Of files it is their paths, whatever a file
    /// manager puts beside them as text.
    private static func text(of item: Int, _ forms: FormatCatalog, _ materials: [[EncodedBytes]]) -> [UInt8]? {
        var forms = forms
        while true {
            let isFile = forms.range(of: item).contains { forms.sources[$0].type.conforms(to: .fileURL) }
            let derived = forms.derivedText(of: item)
            guard let derivation = isFile ? derived : forms.plainText(of: item) ?? derived else { return nil }
            let tries = derivation.sources.map { materials[$0].count }.max() ?? 0
            for attempt in 0..<tries {
                if let text = try? make(derivation, of: materials, attempt).bytes() { return text }
            }
            forms = forms.without(forms.absent.union(derivation.sources))
        }
    }

    private static func make(
        _ derivation: Derivation, of materials: [[EncodedBytes]], _ attempt: Int
    ) throws(ConversionFailure) -> EncodedBytes {
        switch derivation {
        case .source(let index): return materials[index][min(attempt, materials[index].count - 1)]
        case .made(let step, let parts):
            var made: [EncodedBytes] = []
            for part in parts { made.append(try make(part, of: materials, attempt)) }
            return try step.carryOut(on: made)
        }
    }

    /// What is not UTF-8 is replaced.
    private static func beginning(of text: [UInt8]) -> String {
        let repaired = String(decoding: cut(text), as: UTF8.self)
        return repaired.utf8.count <= longestText
            ? repaired : String(decoding: cut(Array(repaired.utf8)), as: UTF8.self)
    }

    private static func cut(_ text: [UInt8]) -> [UInt8] {
        guard text.count > longestText else { return text }
        let first = Array(text.prefix(longestText))
        return Array(first.prefix(UTF8Text.wholeLength(of: first) ?? longestText))
    }

    // MARK: Bytes

    /// The bytes of a representation; of a long one those that it begins with, up to the end of a character. Where that
    /// end is not known these are several, the likeliest first. None where the bytes are not there.
    private static func beginnings(of representation: Representation, _ files: [MemoryFile]) -> [EncodedBytes] {
        guard let (file, range) = place(of: representation, files) else { return [] }
        func beginning(_ length: Int) -> EncodedBytes {
            EncodedBytes(
                file, range.lowerBound..<range.lowerBound + length,
                target: representation.target ?? representation.type.wideTextName)
        }
        guard range.count > longestRead else { return [beginning(range.count)] }
        // Nothing is made of the others.
        guard representation.type.conforms(to: .text) || representation.type.conforms(to: .url),
            let bytes = try? file.bytes(in: range.lowerBound..<range.lowerBound + longestRead)
        else { return [] }
        if let length = UTF8Text.wholeLength(of: bytes) { return [beginning(length)] }
        // Characters of UTF-16 and UTF-32 are cut in the middle at most, those of older encodings anywhere.
        return [0, 2, 1, 3].map { beginning(longestRead - $0) }
    }

    private static func place(
        of representation: Representation, _ files: [MemoryFile]
    ) -> (MemoryFile, Range<Int>)? {
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
