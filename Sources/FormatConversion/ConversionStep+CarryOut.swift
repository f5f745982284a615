import Formats
import LinuxSystem
import PasteboardModel
import RichText

/// What each step does. All of it is a matter of bytes: no step waits for anybody.
extension ConversionStep {
    /// - Throws: ``ConversionFailure/impossible(_:)`` where the materials cannot be brought into that form.
    package func carryOut(on materials: [EncodedBytes]) throws(ConversionFailure) -> EncodedBytes {
        switch self {
        case .constant(let bytes): return try EncodedBytes.of(bytes)
        case .joinedTexts: return try Self.joined(materials)
        case .archive(let parts): return try Self.archive(parts, materials)
        case .fileList: return try EncodedBytes.of(URIList(Self.files(in: materials)).bytes)
        case .copiedFiles: return try Self.copiedFiles(materials)
        case .mozillaLink, .netscapeLink: return try EncodedBytes.of(Self.link(materials, isWide: self == .mozillaLink))
        default: break
        }
        guard let material = materials.first else { throw .impossible("nothing is there to be made of") }
        switch self {
        case .utf8Text: return try TextDecoding.utf8(material)
        case .latin1Text:
            guard let latin = UTF8Text.latin1(from: try material.bytes()) else {
                throw .impossible("the text has characters that Latin-1 has not")
            }
            return try EncodedBytes.of(latin)
        case .utf8HTML: return try Self.utf8HTML(material)
        case .plainTextFromHTML:
            return try EncodedBytes.of(RichText.plainText(fromHTML: Self.known(try material.bytes())))
        case .plainTextFromRTF:
            guard let text = RichText.plainText(fromRTF: try material.bytes()) else {
                throw .impossible("what is called RTF is none")
            }
            return try EncodedBytes.of(text)
        case .urlLines: return try Self.lines(Self.files(in: materials).map(\.string))
        case .pathLines: return try Self.paths(Self.files(in: materials))
        case .listEntry(let index):
            let urls = try Self.files(in: materials)
            guard urls.indices.contains(index) else { throw .noEntry(index, of: urls.count) }
            return try EncodedBytes.of(Array(urls[index].string.utf8))
        case .linkAddress: return try EncodedBytes.of(Array(Self.titled(material).url.utf8))
        case .color: return try EncodedBytes.of(Self.color(material).bytes)
        case .colorText: return try EncodedBytes.of(Array(Self.color(material).css.utf8))
        case .cutMark: return try EncodedBytes.of(Self.verb(of: materials).kdeCutSelection)
        case .compoundText: return try Self.compoundText(material)
        case .constant, .joinedTexts, .archive, .fileList, .copiedFiles, .mozillaLink, .netscapeLink, .filter:
            throw .impossible("nothing here can make that")
        }
    }

    /// Whether a program does it, which takes its time however little there is to do.
    var isProgram: Bool {
        if case .filter = self { true } else { false }
    }

    /// The parts with their bytes behind them, in their order.
    private static func archive(_ parts: [ArchivedPart], _ materials: [EncodedBytes]) throws(ConversionFailure)
        -> EncodedBytes
    {
        var items: [[ItemArchive.Part]] = []
        for (part, material) in zip(parts, materials) {
            if part.item >= items.count { items.append([]) }
            items[items.count - 1].append(
                ItemArchive.Part(
                    type: part.type, target: part.target, exact: part.isExact, length: material.range.count))
        }
        let archive = ItemArchive(items: items)
        guard !archive.isTooLong else { throw .impossible("there are more items than one stream tells of") }
        do {
            let writer = try MemoryFileWriter()
            try writer.append(archive.header)
            for material in materials {
                try material.file().withBytes(in: material.range) { try writer.append($0) }
            }
            return EncodedBytes(try writer.seal())
        } catch {
            throw .broken("the items could not be put into one: \(error)")
        }
    }

    // MARK: Texts

    private static func joined(_ materials: [EncodedBytes]) throws(ConversionFailure) -> EncodedBytes {
        do {
            let writer = try MemoryFileWriter()
            for (index, material) in materials.enumerated() {
                if index > 0 { try writer.append([0x0A]) }
                try material.file().withBytes(in: material.range) { try writer.append($0) }
            }
            return EncodedBytes(try writer.seal())
        } catch {
            throw .broken("the texts could not be joined: \(error)")
        }
    }

    private static func lines(_ lines: [String]) throws(ConversionFailure) -> EncodedBytes {
        try EncodedBytes.of(Array(lines.joined(separator: "\n").utf8))
    }

    /// Whether compound text can hold a text: it has no control characters but tab and newline (section 4), and here
    /// only texts that are valid go into it.
    package static func isCompoundText(_ text: [UInt8]) -> Bool {
        UTF8Text.isValid(text) && !text.contains { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A || $0 == 0x7F }
    }

    /// A text that is too long for the display thread as one segment of UTF-8, ESC % G to ESC % @ (the extension of
    /// XFree86).
    private static func compoundText(_ material: EncodedBytes) throws(ConversionFailure) -> EncodedBytes {
        let text = try material.bytes()
        guard isCompoundText(text) else { throw .impossible("the text has characters that compound text has not") }
        return try EncodedBytes.of([0x1B, 0x25, 0x47] + text + [0x1B, 0x25, 0x40])
    }

    /// HTML in UTF-8, without the `meta` that Firefox puts before what it copies.
    private static func utf8HTML(_ material: EncodedBytes) throws(ConversionFailure) -> EncodedBytes {
        let bytes = try known(material.bytes())
        let encoding = HTMLEncoding(detectedIn: bytes)
        let original = try material.bytes()
        var decoded = encoding.decoded(bytes) ?? bytes
        if encoding != .utf8 || decoded != original { decoded = HTMLEncoding.declaringUTF8(decoded) }
        let text = HTMLEncoding.withoutMetaPrefix(decoded)
        return text.elementsEqual(original) ? material : try EncodedBytes.of(Array(text))
    }

    /// HTML in an encoding that the reader of HTML knows. Of the others the C library knows some.
    private static func known(_ bytes: [UInt8]) -> [UInt8] {
        guard case .other(let charset) = HTMLEncoding(detectedIn: bytes) else { return bytes }
        return (try? CharacterSet.utf8(from: bytes, charset: charset)) ?? bytes
    }

    // MARK: Files

    /// The URLs of lists and single files, whatever format each has.
    private static func files(in materials: [EncodedBytes]) throws(ConversionFailure) -> [ListedURL] {
        var urls: [ListedURL] = []
        for material in materials { urls += try files(in: material) }
        guard !urls.isEmpty || materials.allSatisfy({ $0.range.isEmpty }) else {
            throw .impossible("what is called a list of files names none")
        }
        return urls
    }

    private static func files(in material: EncodedBytes) throws(ConversionFailure) -> [ListedURL] {
        let bytes = try material.bytes()
        switch material.target {
        case "FILE_NAME", "FILE": return FileURL(fileName: bytes).map { [.file($0)] } ?? []
        default: return (CopiedFiles(bytes) ?? CopiedFiles(nautilusText: bytes))?.urls ?? URIList(bytes).urls
        }
    }

    /// Each path as it is, a line each; what is no file of this machine has its URL there.
    private static func paths(_ urls: [ListedURL]) throws(ConversionFailure) -> EncodedBytes {
        let lines = urls.map { url -> [UInt8] in
            if case .file(let file) = url, UTF8Text.isValid(file.path) { return file.path }
            return Array(url.string.utf8)
        }
        return try EncodedBytes.of(Array(lines.joined(separator: [0x0A])))
    }

    private static func copiedFiles(_ materials: [EncodedBytes]) throws(ConversionFailure) -> EncodedBytes {
        guard let list = materials.first else { throw .impossible("there are no files") }
        return try EncodedBytes.of(CopiedFiles(verb(of: materials.dropFirst()), files(in: list)).bytes)
    }

    /// Cut, where a KDE mark or a file manager's list says so.
    private static func verb(of materials: some Sequence<EncodedBytes>) throws(ConversionFailure) -> CopiedFiles.Verb {
        for material in materials {
            let bytes = try material.bytes()
            let verb =
                material.target == FormatCatalog.cutMark ? .init(kdeCutSelection: bytes) : CopiedFiles(bytes)?.verb
            if verb == .cut { return .cut }
        }
        return .copy
    }

    // MARK: Links and colours

    private static func link(_ materials: [EncodedBytes], isWide: Bool) throws(ConversionFailure) -> [UInt8] {
        guard let material = materials.first else { throw .impossible("there is no link") }
        var link = try titled(material)
        if materials.count > 1 {
            let bytes = try materials[1].bytes()
            let isWide = materials[1].target == "text/x-moz-url-desc"
            let title = isWide ? MozURL.title(in: bytes) : String(decoding: bytes, as: UTF8.self)
            link = TitledURL(url: link.url, title: title) ?? link
        }
        return isWide ? MozURL.bytes(of: [link]) : MozURL.netscapeBytes(of: link)
    }

    private static func titled(_ material: EncodedBytes) throws(ConversionFailure) -> TitledURL {
        let bytes = try material.bytes()
        let link: TitledURL? =
            switch material.target {
            case "text/x-moz-url": MozURL.links(in: bytes).first
            case "text/x-moz-url-data": MozURL.url(in: bytes).flatMap { TitledURL(url: $0) }
            case "text/uri-list": URIList(bytes).urls.first.flatMap { TitledURL(url: $0.string) }
            default: MozURL.link(inNetscape: bytes)
            }
        guard let link else { throw .impossible("what is called a link has no address") }
        return link
    }

    private static func color(_ material: EncodedBytes) throws(ConversionFailure) -> X11Color {
        let bytes = try material.bytes()
        let text = material.target == "application/x-color" ? nil : String(validating: bytes, as: UTF8.self)
        // Eight letters are no numbers.
        guard let color = text.map({ X11Color(css: $0) }) ?? X11Color(bytes) else {
            throw .impossible("what is called a color is none: 8 bytes of four CARD16, or CSS like #ff8800")
        }
        return color
    }
}
