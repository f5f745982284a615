import Formats
import LinuxSystem
import PasteboardModel
import PasteboardWire
import UniformTypes

/// Contents that are about to be written, with the blobs they are ranges of.
struct Draft {
    /// At most so many representations on one pasteboard: each may cost the X server atoms, which are never freed.
    static let longest = 1_024

    private(set) var contents = Contents()
    private(set) var files: [MemoryFile] = []

    init() {}

    init(_ version: Board.Version?) {
        guard let version else { return }
        contents = version.contents
        files = version.files
    }

    /// One item with what a foreign owner gave.
    init(_ values: [ForeignReader.Value]) {
        files = values.map(\.file)
        let representations = values.enumerated().map { index, value in
            Representation(
                type: value.offered.type, target: value.offered.target, source: index, range: 0..<value.file.length)
        }
        contents = Contents(items: [Item(representations: representations)])
    }

    /// From a call: each descriptor and each upload becomes one blob.
    init(
        _ items: [WireNewItem], uploads: ClientTransfers, descriptors: [Descriptor]
    ) throws(BridgeError) {
        let count = items.reduce(0) { $0 + $1.representations.count }
        guard count > 0 else { throw BridgeError(.invalidBytes, "there is nothing to write; 'xpb clear' empties") }
        guard count <= Self.longest else { throw .tooManyRepresentations(count) }
        var sources: [Source: Int] = [:]
        var parsed: [Item] = []
        for item in items {
            var representations: [Representation] = []
            for representation in item.representations {
                guard let bytes = representation.bytes else {
                    throw BridgeError(.invalidBytes, "a representation has no bytes")
                }
                let source = try Source(bytes)
                if sources[source] == nil {
                    files.append(try source.file(uploads: uploads, descriptors: descriptors))
                    sources[source] = files.count - 1
                }
                let index = sources[source] ?? 0
                representations.append(try Self.parse(representation, bytes, source: index, file: files[index]))
            }
            guard !representations.isEmpty else {
                throw BridgeError(.invalidBytes, "an item has no representation")
            }
            parsed.append(Item(representations: representations))
        }
        contents = Contents(items: parsed)
    }

    func appending(_ other: Draft) throws(BridgeError) -> Draft {
        let count = (contents.items + other.contents.items).reduce(0) { $0 + $1.representations.count }
        guard count <= Self.longest else { throw .tooManyRepresentations(count) }
        var result = self
        result.contents = contents.appending(other.contents, after: files.count)
        result.files += other.files
        return result
    }

    private static func parse(
        _ representation: WireNewRepresentation, _ bytes: WireBytes, source: Int, file: MemoryFile
    ) throws(BridgeError) -> Representation {
        let length = file.length
        guard let (type, target) = SourceType.concrete(named: representation.type) else {
            throw BridgeError(
                .invalidType,
                "'\(representation.type)' is no type that bytes can have; name one as 'image/png' or 'public.png'")
        }
        // Compared so that no sum can overflow.
        guard bytes.offset >= 0, bytes.length >= 0, bytes.offset <= length, bytes.length <= length - bytes.offset
        else {
            throw BridgeError(
                .invalidBytes, "\(bytes.length) bytes from \(bytes.offset) on are not within the \(length) that came")
        }
        let range = bytes.offset..<bytes.offset + bytes.length
        return Representation(
            type: type == .fileURL && Self.isLink(file, range) ? .url : type, target: target,
            exact: representation.exact ?? false, source: source, range: range)
    }

    /// Whether a list of URLs begins with one that is no file: text/uri-list is for links, too.
    private static func isLink(_ file: MemoryFile, _ range: Range<Int>) -> Bool {
        guard range.count <= longestList, let bytes = try? file.bytes(in: range),
            case .other? = URIList(bytes).urls.first
        else { return false }
        return true
    }

    /// Longer lists, in bytes, are not looked at.
    private static let longestList = 1 << 20

    /// Where bytes of a call are.
    private enum Source: Hashable {
        case descriptor(Int)
        case upload(String)

        init(_ bytes: WireBytes) throws(BridgeError) {
            switch (bytes.descriptor, bytes.handle) {
            case (let index?, nil): self = .descriptor(index)
            case (nil, let handle?): self = .upload(handle)
            default:
                throw BridgeError(.invalidBytes, "bytes are named by a descriptor or by a handle, one of the two")
            }
        }

        func file(uploads: ClientTransfers, descriptors: [Descriptor]) throws(BridgeError) -> MemoryFile {
            switch self {
            case .upload(let handle): return try uploads.committed(handle)
            case .descriptor(let index):
                guard descriptors.indices.contains(index) else {
                    throw BridgeError(.invalidBytes, "descriptor \(index) did not come with the message")
                }
                do {
                    return try MemoryFile(adopting: descriptors[index])
                } catch {
                    throw BridgeError(.invalidBytes, "descriptor \(index) cannot be used: \(error)")
                }
            }
        }
    }
}

extension BridgeError {
    fileprivate static func tooManyRepresentations(_ count: Int) -> BridgeError {
        BridgeError(.refused, "\(count) representations are more than the \(Draft.longest) that a pasteboard holds")
    }
}
