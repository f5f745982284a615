import Formats
import LinuxSystem
import PasteboardModel
import RichText
import UniformTypes

/// The work of each step, which is all computation: no step waits for anything.
extension ConversionStep {
    /// Carries out the step.
    ///
    /// - Throws: ``ConversionFailure/impossible(_:)`` if the parts cannot be converted,
    ///   ``ConversionFailure/noEntry(_:of:)`` if the list has no such entry, and ``ConversionFailure/broken(_:)`` if
    ///   there is no memory or the bytes cannot be read.
    package func carryOut(on parts: [EncodedBytes]) throws(ConversionFailure) -> EncodedBytes {
        func part() throws(ConversionFailure) -> EncodedBytes {
            guard let part = parts.first else { throw .impossible("the conversion has no input") }
            return part
        }
        switch self {
        case .constant(let bytes): return try EncodedBytes.of(bytes)
        case .joinedTexts: return try Self.joined(parts, separator: [0x0A], orThrow: "the text could not be joined")
        case .archive(let entries): return try Self.archive(entries, parts)
        case .fileList: return try EncodedBytes.of(Self.list(parts).bytes)
        case .copiedFiles: return try Self.copiedFiles(parts)
        case .mozillaLink, .netscapeLink: return try EncodedBytes.of(Self.link(parts, asMozilla: self == .mozillaLink))
        case .utf8Text: return try TextDecoding.utf8(part())
        case .latin1Text:
            guard let latin = UTF8Text.latin1(from: try part().bytes()) else {
                throw .impossible("the text has characters that Latin-1 lacks")
            }
            return try EncodedBytes.of(latin)
        case .replacingLatin1Text: return try EncodedBytes.of(UTF8Text.latin1(replacing: part().bytes()))
        case .utf8HTML: return try Self.utf8HTML(part())
        case .plainTextFromHTML:
            return try Self.nonEmpty(RichText.plainText(fromHTML: Self.decodable(try part().bytes())))
        case .plainTextFromRTF:
            guard let text = RichText.plainText(fromRTF: try part().bytes()) else {
                throw .impossible("the bytes are not RTF")
            }
            return try Self.nonEmpty(text)
        case .urlLines: return try Self.lines(Self.files(in: parts).map(\.string))
        case .pathLines: return try Self.paths(Self.files(in: parts))
        case .listEntry(let index):
            let urls = try Self.files(in: parts)
            guard urls.indices.contains(index) else { throw .noEntry(index, of: urls.count) }
            return try EncodedBytes.of(Array(urls[index].string.utf8))
        case .linkAddress: return try EncodedBytes.of(Array(Self.titled(part()).url.utf8))
        case .color: return try EncodedBytes.of(Self.color(part()).bytes)
        case .colorText: return try EncodedBytes.of(Array(Self.color(part()).css.utf8))
        case .cutMark: return try EncodedBytes.of(Self.verb(of: parts).kdeCutSelection)
        case .compoundText: return try Self.compoundText(part())
        case .filter, .transferKey: throw .impossible("only a program can make this conversion")
        }
    }

    /// Puts the parts into one stream: a header, then the bytes of all parts in order.
    private static func archive(
        _ entries: [ArchivedPart], _ parts: [EncodedBytes]
    ) throws(ConversionFailure) -> EncodedBytes {
        var items: [[ItemArchive.Part]] = []
        for (entry, part) in zip(entries, parts) {
            if entry.item >= items.count { items.append([]) }
            items[items.count - 1].append(
                ItemArchive.Part(
                    type: entry.type, target: entry.target, exact: entry.isExact, length: part.range.count))
        }
        let archive = ItemArchive(items: items)
        guard !archive.isTooLong else { throw .impossible("there are more items than one stream can describe") }
        return try joined(parts, after: archive.header, orThrow: "the items could not be combined")
    }

    private static func joined(
        _ parts: [EncodedBytes], after header: [UInt8] = [], separator: [UInt8] = [], orThrow message: String
    ) throws(ConversionFailure) -> EncodedBytes {
        do {
            let writer = try MemoryFileWriter()
            try writer.append(header)
            for (index, part) in parts.enumerated() {
                if index > 0 { try writer.append(separator) }
                try part.file().withBytes(in: part.range) { try writer.append($0) }
            }
            return EncodedBytes(try writer.seal())
        } catch {
            throw .broken("\(message): \(error)")
        }
    }

    // MARK: Secrets

    /// Returns the only part if the step would leave its bytes as they are, and nil otherwise. The bytes are checked in
    /// place.
    ///
    /// A secret is offered only under the names and types that have exactly its bytes, since a conversion would be
    /// another copy of the secret.
    package func unchanged(_ parts: [EncodedBytes]) -> EncodedBytes? {
        guard parts.count == 1, let part = parts.first else { return nil }
        let isUnchanged: Bool? =
            switch self {
            case .utf8Text:
                part.mayBeUTF8 ? try? part.held.isUTF8Text(in: part.range) : false
            case .replacingLatin1Text, .compoundText:
                try? part.held.allSatisfy(in: part.range, Self.isSameInAllEncodings)
            default: false
            }
        return isUnchanged == true ? part : nil
    }

    /// Returns true if a byte stands for the same character in the encodings of all text targets.
    private static func isSameInAllEncodings(_ byte: UInt8) -> Bool {
        0x20..<0x7F ~= byte || byte == 0x09 || byte == 0x0A
    }

    // MARK: Text

    /// Returns the text of markup if it has any. The markup of a single image has no text, and empty text would be
    /// pasted instead of the image.
    private static func nonEmpty(_ text: [UInt8]) throws(ConversionFailure) -> EncodedBytes {
        if text.isEmpty { throw .impossible("the markup has no text") }
        return try EncodedBytes.of(text)
    }

    private static func lines(_ lines: [String]) throws(ConversionFailure) -> EncodedBytes {
        try EncodedBytes.of(Array(lines.joined(separator: "\n").utf8))
    }

    /// Returns text without the C0 control characters other than tab and newline, and without DEL, which compound text
    /// lacks (Compound Text Encoding, sections 3 and 4). Bytes that are not UTF-8 become U+FFFD.
    package static func compoundTextCharacters(_ text: [UInt8]) -> [UInt8] {
        let text = UTF8Text.isValid(text) ? text : Array(String(decoding: text, as: UTF8.self).utf8)
        return text.filter { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x0A }
    }

    /// Encodes text that is too long for the X thread. Latin-1 is compound text as it is; all other text becomes one
    /// segment of UTF-8, ESC % G to ESC % @ (an extension of XFree86).
    private static func compoundText(_ part: EncodedBytes) throws(ConversionFailure) -> EncodedBytes {
        let text = compoundTextCharacters(try part.bytes())
        // 80 to 9F are control characters of compound text.
        if let latin = UTF8Text.latin1(from: text), !latin.contains(where: { 0x80..<0xA0 ~= $0 }) {
            return try EncodedBytes.of(latin)
        }
        return try EncodedBytes.of([0x1B, 0x25, 0x47] + text + [0x1B, 0x25, 0x40])
    }

    /// Converts HTML to UTF-8, without the `meta` that Firefox puts before copied HTML.
    private static func utf8HTML(_ part: EncodedBytes) throws(ConversionFailure) -> EncodedBytes {
        let bytes = try decodable(part.bytes())
        let encoding = HTMLEncoding(detectedIn: bytes)
        let original = try part.bytes()
        var decoded = encoding.decoded(bytes) ?? bytes
        if encoding != .utf8 || decoded != original { decoded = HTMLEncoding.declaringUTF8(decoded) }
        let text = HTMLEncoding.withoutMetaPrefix(decoded)
        return text.elementsEqual(original) ? part : try EncodedBytes.of(Array(text))
    }

    /// Returns HTML in an encoding that the HTML reader supports. The C library decodes some of the other encodings.
    private static func decodable(_ bytes: [UInt8]) -> [UInt8] {
        guard case .other(let charset) = HTMLEncoding(detectedIn: bytes) else { return bytes }
        return (try? CharacterSet.utf8(from: bytes, charset: charset)) ?? bytes
    }

    // MARK: Files

    /// Returns the URLs of lists and single files in any of the supported formats.
    /// Returns all files of all parts as one list.
    static func list(_ parts: [EncodedBytes]) throws(ConversionFailure) -> URIList { URIList(try files(in: parts)) }

    private static func files(in parts: [EncodedBytes]) throws(ConversionFailure) -> [ListedURL] {
        var urls: [ListedURL] = []
        for part in parts { urls += try files(in: part) }
        guard !urls.isEmpty || parts.allSatisfy({ $0.range.isEmpty }) else {
            throw .impossible("the list of files has no entries")
        }
        return urls
    }

    private static func files(in part: EncodedBytes) throws(ConversionFailure) -> [ListedURL] {
        let bytes = try part.bytes()
        switch part.target {
        case "FILE_NAME", "FILE": return FileURL.list(fileName: bytes, host: host).map(ListedURL.file)
        default:
            let copied = CopiedFiles(bytes, host: host) ?? CopiedFiles(nautilusText: bytes, host: host)
            return copied?.urls ?? URIList(bytes, host: host).urls
        }
    }

    /// The host name of this machine, as other programs may write it in file URLs.
    private static let host = ThisProcess.hostName

    /// Writes each path unquoted on its own line. URLs that are not files of this machine stay URLs, and so do the URLs
    /// of paths with a line break or another control character, which a terminal might execute.
    private static func paths(_ urls: [ListedURL]) throws(ConversionFailure) -> EncodedBytes {
        let lines = urls.map { url -> [UInt8] in
            if case .file(let file) = url, UTF8Text.isValid(file.path),
                !file.path.contains(where: { $0 < 0x20 || $0 == 0x7F })
            {
                return file.path
            }
            return Array(url.string.utf8)
        }
        return try EncodedBytes.of(Array(lines.joined(separator: [0x0A])))
    }

    private static func copiedFiles(_ parts: [EncodedBytes]) throws(ConversionFailure) -> EncodedBytes {
        guard let list = parts.first else { throw .impossible("there are no files") }
        return try EncodedBytes.of(CopiedFiles(verb(of: parts.dropFirst()), files(in: list)).bytes)
    }

    /// Returns `cut` if a KDE mark or a file manager's list says so.
    private static func verb(of parts: some Sequence<EncodedBytes>) throws(ConversionFailure) -> CopiedFiles.Verb {
        for part in parts {
            let bytes = try part.bytes()
            let verb = part.target == FormatCatalog.cutMark ? .init(kdeCutSelection: bytes) : CopiedFiles(bytes)?.verb
            if verb == .cut { return .cut }
        }
        return .copy
    }

    // MARK: Links and colors

    private static func link(_ parts: [EncodedBytes], asMozilla: Bool) throws(ConversionFailure) -> [UInt8] {
        guard let part = parts.first else { throw .impossible("there is no link") }
        var link = try titled(part)
        if parts.count > 1 {
            let bytes = try parts[1].bytes()
            let isUTF16 = parts[1].target == "text/x-moz-url-desc"
            let title = isUTF16 ? MozURL.title(in: bytes) : String(decoding: bytes, as: UTF8.self)
            link = TitledURL(url: link.url, title: title) ?? link
        }
        return asMozilla ? MozURL.bytes(of: [link]) : MozURL.netscapeBytes(of: link)
    }

    private static func titled(_ part: EncodedBytes) throws(ConversionFailure) -> TitledURL {
        let bytes = try part.bytes()
        let link: TitledURL? =
            switch part.target {
            case "text/x-moz-url": MozURL.links(in: bytes).first
            case "text/x-moz-url-data": MozURL.url(in: bytes).flatMap { TitledURL(url: $0) }
            case "text/uri-list": URIList(bytes).urls.first.flatMap { TitledURL(url: $0.string) }
            default: MozURL.link(inNetscape: bytes)
            }
        guard let link else { throw .impossible("the link has no address") }
        return link
    }

    private static func color(_ part: EncodedBytes) throws(ConversionFailure) -> X11Color {
        let bytes = try part.bytes()
        let text = part.target == "application/x-color" ? nil : String(validating: bytes, as: UTF8.self)
        // Valid text is read only as CSS: eight letters are not four numbers.
        guard let color = text.map({ X11Color(css: $0) }) ?? X11Color(bytes) else {
            throw .impossible("the bytes are not a color: 8 bytes of four CARD16, or CSS like #ff8800")
        }
        return color
    }
}

extension EncodedBytes {
    /// True if no encoding other than UTF-8 is declared.
    package var mayBeUTF8: Bool {
        let charset = target.flatMap { UniformType.charset(ofMIMEType: $0) }
        return !isCompoundText && [nil, "utf-8", "utf8", "us-ascii"].contains(charset)
    }
}
