import FormatConversion
import Formats
import LinuxSystem
import PasteboardModel
import PasteboardWire
import UniformTypes
import X11Bridge

/// Contents that are about to be written, with what they are ranges of.
struct Draft {
    private(set) var contents = Contents()
    private(set) var backings: [Backing] = []
    private(set) var expiry: ContinuousClock.Instant?
    /// But for the expiry, which is an instant here.
    private(set) var options = ContentsOptions()

    init() {}

    init(
        _ contents: Contents, backings: [Backing], expiry: ContinuousClock.Instant? = nil,
        options: ContentsOptions = ContentsOptions()
    ) {
        self.contents = contents
        self.backings = backings
        self.expiry = expiry
        self.options = options
    }

    /// What forms are made of, in the order of the representations.
    var sources: [FormatCatalog.Source] {
        contents.items.enumerated().flatMap { item, content in
            content.representations.map {
                FormatCatalog.Source(item: item, type: $0.type, target: $0.target, isExact: $0.exact)
            }
        }
    }

    /// Where the bytes of the representations come from, in their order.
    var representationSources: [RepresentationSource] {
        contents.items.flatMap(\.representations).map { representation in
            let target = representation.target ?? representation.type.wideTextName
            return switch backings[representation.source] {
            case .file(let file): RepresentationSource.held(EncodedBytes(file, representation.range, target: target))
            case .secret(let secret):
                RepresentationSource.held(EncodedBytes(.secret(secret), representation.range, target: target))
            case .promise(let promise): RepresentationSource.promised(promise, target: target)
            }
        }
    }

    init(_ version: PasteboardState.Version?) {
        if let version { self = version.draft }
    }

    /// One item with what a foreign owner gave. What it marks as a secret is one, of which all is to be brought into
    /// locked memory: see ``conceal()``.
    init(_ values: [ForeignReader.Value]) {
        backings = values.map { .file($0.file) }
        let representations = values.enumerated().map { index, value in
            Representation(
                type: value.offered.type, target: value.offered.target, source: index, range: 0..<value.file.length)
        }
        contents = Contents(items: [Item(representations: representations)])
        options.concealed = contents.marks.isConcealed
    }

    /// From a call: each descriptor, each upload and each promise becomes one backing.
    ///
    /// - Parameter fileSystem: The device of which files are borrowed; nil for none.
    init(
        _ items: [WireNewItem], options: WireOptions? = nil, uploads: ClientTransfers, descriptors: [Descriptor],
        borrowing fileSystem: UInt64? = nil, promise: (String) -> Promise
    ) throws(BridgeError) {
        do throws(ContentsOptions.InvalidExpiry) {
            self.options = try ContentsOptions(
                milliseconds: options?.expires, localOnly: options?.localOnly, once: options?.once,
                concealed: options?.concealed, memoryOnly: options?.memory)
            expiry = self.options.expires.map { .now + $0 }
            self.options.expires = nil
        } catch {
            throw BridgeError(.refused, error.message)
        }
        let count = items.reduce(0) { $0 + $1.representations.count }
        guard count > 0 else { throw BridgeError(.invalidBytes, "there is nothing to write; 'xpb clear' empties") }
        guard count <= Contents.mostRepresentations else { throw .tooManyRepresentations(count) }
        let ends = try self.options.concealed ? Source.ends(in: items) : [:]
        var sources: [Source: Int] = [:]
        var parser = RepresentationParser()
        var parsed: [Item] = []
        for item in items {
            var representations: [Representation] = []
            for representation in item.representations {
                let source = try Source(representation)
                if sources[source] == nil {
                    backings.append(
                        self.options.concealed
                            ? try source.secret(ends[source] ?? 0, descriptors: descriptors)
                            : try source.backing(
                                uploads: uploads, descriptors: descriptors, borrowing: fileSystem, promise: promise))
                    sources[source] = backings.count - 1
                }
                let index = sources[source] ?? 0
                representations.append(try parser.parse(representation, source: index, backing: backings[index]))
            }
            guard !representations.isEmpty else {
                throw BridgeError(.invalidBytes, "an item has no representation")
            }
            parsed.append(Item(representations: representations))
        }
        contents = Contents(items: parsed)
        if self.options.concealed { try conceal() } else { try gather() }
        try checkNames()
    }

    func appending(_ other: Draft) throws(BridgeError) -> Draft {
        try joined(with: other, as: contents.appending(other.contents, after: backings.count))
    }

    /// With the representations of the other's only item added to the item of that number, in place of those of the
    /// same type.
    func adding(_ other: Draft, toItem item: Int) throws(BridgeError) -> Draft {
        guard other.contents.items.count == 1 else {
            throw BridgeError(.invalidBytes, "representations of one item are added to an item, not several items")
        }
        let whole: Contents
        do throws(NoSuchItem) {
            whole = try contents.adding(other.contents.items[0].representations, into: item, after: backings.count)
        } catch {
            throw .noItem(error.item, of: error.count)
        }
        return try joined(with: other, as: whole)
    }

    private func options(at time: ContinuousClock.Instant) -> ContentsOptions {
        var options = options
        options.expires = expiry.map { $0 - time }
        return options
    }

    private func joined(with other: Draft, as contents: Contents) throws(BridgeError) -> Draft {
        guard contents.representationCount <= Contents.mostRepresentations else {
            throw .tooManyRepresentations(contents.representationCount)
        }
        var result = self
        let (kept, sources) = contents.withoutUnusedSources()
        let all = backings + other.backings
        result.contents = kept
        result.backings = sources.map { all[$0] }
        let now = ContinuousClock.now
        result.options = options(at: now).appending(other.options(at: now), elapsed: .zero)
        result.expiry = result.options.expires.map { now + $0 }
        result.options.expires = nil
        if result.options.concealed { try result.conceal() } else { try result.gather() }
        try result.checkNames()
        return result
    }

    private func checkNames() throws(BridgeError) {
        if contents.nameCount > Contents.mostNames { throw .tooManyNames }
    }

    static func range(of bytes: WireBytes, in held: HeldBytes) throws(BridgeError) -> Range<Int> {
        let length = held.length
        // Compared so that no sum can overflow.
        guard bytes.offset >= 0, bytes.length >= 0, bytes.offset <= length, bytes.length <= length - bytes.offset
        else {
            throw BridgeError(
                .invalidBytes, "\(bytes.length) bytes from \(bytes.offset) on are not within the \(length) that came")
        }
        return bytes.offset..<bytes.offset + bytes.length
    }

    /// Whether a list of URLs begins with one that is no file: text/uri-list is for links, too. A secret is not looked
    /// into.
    static func isLink(_ held: HeldBytes, _ range: Range<Int>) -> Bool {
        guard range.count <= longestList, let bytes = try? held.file?.bytes(in: range),
            case .other? = URIList(bytes).urls.first
        else { return false }
        return true
    }

    /// Longer lists, in bytes, are not looked at.
    static let longestList = 1 << 20

    /// The bytes of a call, of which the whole or a range counts.
    static func bytes(
        _ bytes: WireBytes, uploads: ClientTransfers, descriptors: [Descriptor]
    ) throws(BridgeError) -> Promise.Bytes {
        let file = try Source(bytes).file(uploads: uploads, descriptors: descriptors)
        return (file, try range(of: bytes, in: .file(file)))
    }

    /// Replaces what the representations are ranges of.
    mutating func replaceBackings(_ backings: [Backing], for contents: Contents) {
        self.backings = backings
        self.contents = contents
    }

    /// Where bytes of a call are.
    enum Source: Hashable {
        case descriptor(Int)
        case upload(String)
        case promise(String)

        init(_ representation: WireNewRepresentation) throws(BridgeError) {
            switch (representation.bytes, representation.promise) {
            case (let bytes?, nil): try self.init(bytes)
            case (nil, let name?): self = .promise(name)
            default:
                throw BridgeError(
                    .invalidBytes,
                    "'\(representation.type)' is to have bytes or a promise to give them, one of the two")
            }
        }

        init(_ bytes: WireBytes) throws(BridgeError) {
            switch (bytes.descriptor, bytes.handle) {
            case (let index?, nil): self = .descriptor(index)
            case (nil, let handle?): self = .upload(handle)
            default:
                throw BridgeError(.invalidBytes, "bytes are named by a descriptor or by a handle, one of the two")
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
                guard descriptors.indices.contains(index) else {
                    throw BridgeError(.invalidBytes, "descriptor \(index) did not come with the message")
                }
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
}

extension BridgeError {
    static let tooManyNames = BridgeError(
        .refused, "there are more different types than the \(Contents.mostNames) that a pasteboard holds")

    fileprivate static func tooManyRepresentations(_ count: Int) -> BridgeError {
        BridgeError(
            .refused,
            "\(count) representations are more than the \(Contents.mostRepresentations) that a pasteboard holds")
    }
}

extension UniformType {
    /// The name that tells the encoding of a text which is no UTF-8 by its type.
    var wideTextName: String? {
        guard [.utf16PlainText, .utf16ExternalPlainText].contains(self) else { return nil }
        return X11Targets.names(for: self, given: nil, exact: false).first
    }
}
