package import BridgeServer
package import BridgeState
import Formats
package import LinuxSystem
package import PasteboardModel
package import PasteboardWire
import UniformTypes

extension Draft {
    /// Creates the draft of a call: each descriptor, each upload and each promise becomes one backing.
    ///
    /// - Parameter fileSystem: The file system whose files are borrowed; nil for none.
    package init(
        _ items: [WireNewItem], options: WireOptions? = nil, uploads: ClientTransfers, descriptors: [Descriptor],
        borrowing fileSystem: UInt64? = nil, promise: (String) -> Promise
    ) throws(BridgeError) {
        var options = try ContentsOptions(options)
        let expiry = options.expires.map { ContinuousClock.now + $0 }
        options.expires = nil
        let count = items.reduce(0) { $0 + $1.representations.count }
        guard count > 0 else { throw BridgeError(.invalidBytes, "there is nothing to write") }
        guard count <= Contents.maxRepresentations else { throw .tooManyRepresentations(count) }
        let ends = try options.concealed ? BytesSource.ends(in: items) : [:]
        var parser = DraftParser()
        let contents = try parser.parse(items) { source throws(BridgeError) in
            options.concealed
                ? try source.secret(ends[source] ?? 0, descriptors: descriptors)
                : try source.backing(
                    uploads: uploads, descriptors: descriptors, borrowing: fileSystem, promise: promise)
        }
        self.init(contents, backings: parser.backings, expiry: expiry, options: options)
        try finish()
    }

    /// Returns the bytes of a call that fulfills a promise.
    package static func bytes(
        _ bytes: WireBytes, uploads: ClientTransfers, descriptors: [Descriptor]
    ) throws(BridgeError) -> Promise.Bytes {
        let file = try BytesSource(bytes).file(uploads: uploads, descriptors: descriptors)
        return (file, try bytes.range(in: .file(file)))
    }

    /// Returns true for a list of URLs whose first URL is not a file's: text/uri-list is also used for links. Secrets
    /// are not read.
    static func isLink(_ held: ImmutableBytes, _ range: Range<Int>) -> Bool {
        guard range.count <= maxListLength, let bytes = try? held.file?.bytes(in: range),
            case .other? = URIList(bytes).urls.first
        else { return false }
        return true
    }

    /// The maximum length of a list that is read, in bytes.
    package static let maxListLength = 1 << 20
}

/// The parser of a call's representations. A call may have tens of thousands of them, so the parser does expensive work
/// once for each type name, and stops at the limits of a pasteboard.
package struct DraftParser {
    private(set) var backings: [Backing] = []
    private var sources: [BytesSource: Int] = [:]
    private var types: [String: (type: UniformType, target: String?)] = [:]
    /// The different names of the types, counted as ``Contents/nameCount`` counts them.
    private var names: Set<[UInt8]> = []
    /// The number of bytes of URL lists that may still be read.
    private var listBytes = Draft.maxListLength
    /// The minimum cost of a list, in bytes.
    private static let minListCost = 256

    package init() {}

    /// Returns the items of a call as contents. `makeBacking` is called once for each source.
    mutating func parse(
        _ items: [WireNewItem], _ makeBacking: (BytesSource) throws(BridgeError) -> Backing
    ) throws(BridgeError) -> Contents {
        var parsed: [Item] = []
        for item in items {
            guard !item.representations.isEmpty else {
                throw BridgeError(.invalidBytes, "an item has no representation")
            }
            var representations: [Representation] = []
            for representation in item.representations {
                let index = try index(of: try BytesSource(representation), makeBacking)
                representations.append(try parse(representation, source: index, backing: backings[index]))
            }
            parsed.append(Item(representations: representations))
        }
        return Contents(items: parsed)
    }

    private mutating func index(
        of source: BytesSource, _ makeBacking: (BytesSource) throws(BridgeError) -> Backing
    ) throws(BridgeError) -> Int {
        if let index = sources[source] { return index }
        backings.append(try makeBacking(source))
        sources[source] = backings.count - 1
        return backings.count - 1
    }

    package mutating func parse(
        _ representation: WireNewRepresentation, source: Int, backing: Backing
    ) throws(BridgeError) -> Representation {
        let (type, target) = try type(named: representation.type)
        guard let bytes = representation.bytes, let held = backing.held else {
            return Representation(type: type, target: target, exact: representation.exact ?? false, source: source)
        }
        let range = try bytes.range(in: held)
        var isLink = false
        if type == .fileURL {
            let cost = max(range.count, Self.minListCost)
            isLink = cost <= listBytes && Draft.isLink(held, range)
            listBytes -= min(cost, listBytes)
        }
        return Representation(
            type: isLink ? .url : type, target: target, exact: representation.exact ?? false, source: source,
            range: range)
    }

    private mutating func type(named name: String) throws(BridgeError) -> (type: UniformType, target: String?) {
        if let known = types[name] { return known }
        guard name != ItemArchive.mediaType else {
            throw BridgeError(.invalidType, "'\(name)' is reserved for the archive in which several items are offered")
        }
        guard let found = SourceType.concrete(named: name) else {
            let shown = name.utf8.count > 200 ? String(decoding: name.utf8.prefix(200), as: UTF8.self) + "…" : name
            throw BridgeError(
                .invalidType, "'\(shown)' is not a concrete type; use a name such as 'image/png' or 'public.png'")
        }
        types[name] = found
        names.insert(Array((found.target ?? found.type.identifier).utf8))
        if names.count > Contents.maxNames { throw .tooManyNames }
        return found
    }
}

/// The source of the bytes that a call names: a descriptor, an upload or a promise.
enum BytesSource: Hashable {
    case descriptor(Int)
    case upload(String)
    case promise(String)

    init(_ representation: WireNewRepresentation) throws(BridgeError) {
        switch (representation.bytes, representation.promise) {
        case (let bytes?, nil): try self.init(bytes)
        case (nil, let name?): self = .promise(name)
        default:
            throw BridgeError(
                .invalidBytes, "'\(representation.type)' needs either bytes or a promise to give them")
        }
    }

    init(_ bytes: WireBytes) throws(BridgeError) {
        switch (bytes.descriptor, bytes.handle) {
        case (let index?, nil): self = .descriptor(index)
        case (nil, let handle?): self = .upload(handle)
        default: throw BridgeError(.invalidBytes, "bytes are named either by a descriptor or by a handle")
        }
    }

    func backing(
        uploads: ClientTransfers, descriptors: [Descriptor], borrowing fileSystem: UInt64?,
        promise: (String) -> Promise
    ) throws(BridgeError) -> Backing {
        switch self {
        case .promise(let name): .promise(promise(name))
        case .upload, .descriptor:
            .file(try file(uploads: uploads, descriptors: descriptors, borrowing: fileSystem))
        }
    }

    func file(
        uploads: ClientTransfers, descriptors: [Descriptor], borrowing fileSystem: UInt64? = nil
    ) throws(BridgeError) -> MemoryFile {
        switch self {
        case .promise(let name): throw BridgeError(.invalidBytes, "'\(name)' is a promise and has no bytes")
        case .upload(let handle): return try uploads.committed(handle)
        case .descriptor(let index):
            guard descriptors.indices.contains(index) else { throw .noDescriptor(index) }
            do throws(MemoryFileError) {
                return try MemoryFile(adopting: descriptors[index])
            } catch {
                if let fileSystem, let file = MemoryFile(borrowing: descriptors[index], of: fileSystem) {
                    return file
                }
                throw BridgeError(.invalidBytes, "descriptor \(index) cannot be used: \(error)")
            }
        }
    }
}

extension MemoryFile {
    /// Creates a backing from a borrowed file of a file system; nil for a file of another file system. A file on the
    /// store's own disk is not slower than the store, and depends on no other program or machine.
    fileprivate convenience init?(borrowing descriptor: Descriptor, of fileSystem: UInt64) {
        guard let status = try? FileStatus(of: descriptor.fileDescriptor), status.fileSystem == fileSystem else {
            return nil
        }
        try? self.init(.borrowed, onDisk: descriptor)
    }
}

extension WireBytes {
    /// Returns the range of the bytes, or throws if it is not within the received bytes.
    fileprivate func range(in held: ImmutableBytes) throws(BridgeError) -> Range<Int> {
        let present = held.length
        // This comparison avoids a sum, which could overflow.
        guard offset >= 0, length >= 0, offset <= present, length <= present - offset else {
            throw BridgeError(
                .invalidBytes, "\(length) bytes from \(offset) on exceed the \(present) received")
        }
        return offset..<offset + length
    }
}

extension ContentsOptions {
    fileprivate init(_ options: WireOptions?) throws(BridgeError) {
        do throws(InvalidExpiry) {
            self = try ContentsOptions(
                milliseconds: options?.expires, localOnly: options?.localOnly, once: options?.once,
                concealed: options?.concealed, memoryOnly: options?.memory)
        } catch {
            throw BridgeError(.refused, error.message)
        }
    }
}

extension BytesSource {
    /// Returns the number of bytes to read from each source: up to the end of its last range.
    static func ends(in items: [WireNewItem]) throws(BridgeError) -> [Self: Int] {
        var ends: [Self: Int] = [:]
        for representation in items.flatMap(\.representations) {
            guard let bytes = representation.bytes else { continue }
            let (offset, length) = (bytes.offset, bytes.length)
            let limit = SecretMemory.maxBytes
            guard offset >= 0, length >= 0 else {
                throw BridgeError(.invalidBytes, "an offset or a length is negative")
            }
            guard offset <= limit, length <= limit - offset else { throw .secretTooLong }
            let source = try Self(representation)
            ends[source] = max(ends[source] ?? 0, offset + length)
        }
        return ends
    }

    /// Reads `length` bytes from the source, which must be a pipe, into locked memory.
    func secret(_ length: Int, descriptors: [Descriptor]) throws(BridgeError) -> Backing {
        switch self {
        case .promise: throw .secretPromised
        case .upload:
            throw BridgeError(.invalidBytes, "a secret is passed by the descriptor of a pipe, and not in pieces")
        case .descriptor(let index):
            guard descriptors.indices.contains(index) else { throw .noDescriptor(index) }
            do {
                let writer = try SecretMemoryWriter(room: length)
                try writer.append(length, fromPipe: descriptors[index].fileDescriptor)
                return .secret(writer.seal())
            } catch {
                throw BridgeError(error)
            }
        }
    }
}

extension BridgeError {
    static func noDescriptor(_ index: Int) -> BridgeError {
        BridgeError(.invalidBytes, "descriptor \(index) did not come with the message")
    }
}
