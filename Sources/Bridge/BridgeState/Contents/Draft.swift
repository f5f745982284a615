package import FormatConversion
import LinuxSystem
package import PasteboardModel
package import PasteboardStore
package import PasteboardWire
import SystemPackage
import UniformTypes
import X11Bridge

/// Contents that are about to be written, with the backings that hold their bytes.
///
/// ``DraftParser`` makes the draft of a call. A draft is not changed once it has become a version.
package struct Draft {
    package private(set) var contents = Contents()
    package private(set) var backings: [Backing] = []
    package private(set) var expiry: ContinuousClock.Instant?
    /// The options without the expiry, which is an instant here.
    package private(set) var options = ContentsOptions()

    package init() {}

    package init(
        _ contents: Contents, backings: [Backing], expiry: ContinuousClock.Instant? = nil,
        options: ContentsOptions = ContentsOptions()
    ) {
        self.contents = contents
        self.backings = backings
        self.expiry = expiry
        self.options = options
    }

    package init(_ version: PasteboardState.Version?) {
        if let version { self = version.draft }
    }

    /// Creates one item with the values of a foreign owner. If the owner lists a mark of a secret, the draft is
    /// concealed, and its bytes must be moved into locked memory: see ``conceal()``.
    ///
    /// - Parameter isSecret: True if a mark is listed, even a mark that the owner does not serve or that only its name
    ///   reveals.
    package init(_ values: [ForeignReader.Value], isSecret: Bool) {
        backings = values.map { .file($0.file) }
        let representations = values.enumerated().map { index, value in
            Representation(
                type: value.offered.type, target: value.offered.target, source: index, range: 0..<value.file.length)
        }
        contents = Contents(items: [Item(representations: representations)])
        options.concealed = isSecret || contents.marks.isConcealed
    }

    /// True if the contents are never written to a disk.
    package var isMemoryOnly: Bool {
        get { options.memoryOnly }
        set { options.memoryOnly = newValue }
    }

    /// True if other contents follow once these are pasted.
    package var isFollowed = false

    /// The sources of the format catalog, in the order of the representations.
    package var sources: [FormatCatalog.Source] {
        contents.items.enumerated().flatMap { item, content in
            content.representations.map {
                FormatCatalog.Source(item: item, type: $0.type, target: $0.target, isExact: $0.exact)
            }
        }
    }

    /// The sources of the representations' bytes, in the order of the representations.
    package var representationSources: [RepresentationSource] {
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

    // MARK: Combining

    /// Returns the contents with the items of another draft after their own.
    package func appending(_ other: Draft) throws(BridgeError) -> Draft {
        try joined(with: other, as: contents.appending(other.contents, after: backings.count))
    }

    /// Returns the contents after adding the representations of another draft's only item to an item. Added
    /// representations replace representations of the same type.
    package func adding(_ other: Draft, toItem item: Int) throws(BridgeError) -> Draft {
        guard other.contents.items.count == 1 else {
            throw BridgeError(.invalidBytes, "the representations of several items cannot be added to an item")
        }
        let whole: Contents
        do throws(NoSuchItem) {
            whole = try contents.adding(other.contents.items[0].representations, into: item, after: backings.count)
        } catch {
            throw .noItem(error.item, of: error.count)
        }
        return try joined(with: other, as: whole)
    }

    private func joined(with other: Draft, as contents: Contents) throws(BridgeError) -> Draft {
        guard contents.representationCount <= Contents.maxRepresentations else {
            throw .tooManyRepresentations(contents.representationCount)
        }
        let (present, sources) = contents.withoutUnusedSources()
        let all = backings + other.backings
        let now = ContinuousClock.now
        var options = options(at: now).appending(other.options(at: now), elapsed: .zero)
        let expiry = options.expires.map { now + $0 }
        options.expires = nil
        var result = Draft(present, backings: sources.map { all[$0] }, expiry: expiry, options: options)
        try result.finish()
        return result
    }

    private func options(at time: ContinuousClock.Instant) -> ContentsOptions {
        var options = options
        options.expires = expiry.map { $0 - time }
        return options
    }

    /// Moves the bytes of new contents to their final place, and checks the number of types.
    package mutating func finish() throws(BridgeError) {
        if options.concealed { try conceal() } else { try mergeSmallFiles() }
        if contents.nameCount > Contents.maxNames { throw .tooManyNames }
    }

    /// Replaces the backings, and with them the ranges of the representations.
    mutating func replaceBackings(_ backings: [Backing], for contents: Contents) {
        self.backings = backings
        self.contents = contents
    }
}

// MARK: Small files

extension Draft {
    /// The maximum length of a small file, in bytes. Longer files stay as they are.
    private static let maxSmallLength = 64 << 10
    /// The maximum number of small files that stay as they are: each costs a descriptor as long as the contents stay.
    private static let maxSmallFiles = 64

    /// Copies the small files into one if there are many of them.
    private mutating func mergeSmallFiles() throws(BridgeError) {
        let small = backings.map { backing in
            if case .file(let file) = backing, file.length <= Self.maxSmallLength { file } else { nil as MemoryFile? }
        }
        guard small.lazy.compactMap(\.self).count > Self.maxSmallFiles else { return }
        var merged = backings.indices.filter { small[$0] == nil }.map { backings[$0] }
        // The new backing of each old backing, and its offset there.
        var places: [(source: Int, offset: Int)] = []
        do throws(Errno) {
            let writer = try MemoryFileWriter()
            var others = 0
            for file in small {
                if let file {
                    places.append((merged.count, writer.length))
                    try writer.append(file)
                } else {
                    places.append((others, 0))
                    others += 1
                }
            }
            merged.append(.file(try writer.seal()))
        } catch {
            throw .noRoom(error, for: "the contents")
        }
        replaceBackings(merged, for: contents.moved { places[$0] })
    }
}

extension Contents {
    /// Returns the contents with each source replaced by its new place.
    fileprivate func moved(_ place: (Int) -> (source: Int, offset: Int)) -> Contents {
        var moved = self
        for item in moved.items.indices {
            for index in moved.items[item].representations.indices {
                let representation = moved.items[item].representations[index]
                let (source, offset) = place(representation.source)
                moved.items[item].representations[index].source = source
                moved.items[item].representations[index].range = representation.range.map {
                    $0.lowerBound + offset..<$0.upperBound + offset
                }
            }
        }
        return moved
    }
}

// MARK: Borrowed files

extension Draft {
    /// True if some bytes are still in a file of a client, which may change at any time. The store copies those bytes,
    /// so that a long file is copied once: only the store's copy gets onto a pasteboard.
    var isBorrowed: Bool { backings.contains { $0.file?.kind == .borrowed } }

    /// Returns the draft with the store's copies of its bytes.
    package func settled(in stored: StoredContents) -> Draft {
        var draft = self
        draft.replaceBackings(stored.files.map { .file($0) }, for: stored.contents)
        return draft
    }
}

extension BridgeError {
    package static let tooManyNames = BridgeError(
        .refused, "there are more different types than the \(Contents.maxNames) that a pasteboard holds")

    package static func tooManyRepresentations(_ count: Int) -> BridgeError {
        BridgeError(
            .refused,
            "\(count) representations are more than the \(Contents.maxRepresentations) that a pasteboard holds")
    }
}

extension UniformType {
    /// The target that names the encoding of a text type other than UTF-8.
    var wideTextName: String? {
        guard [.utf16PlainText, .utf16ExternalPlainText].contains(self) else { return nil }
        return X11Targets.names(for: self, given: nil, exact: false).first
    }
}

extension Draft {
    package init(_ stored: StoredContents, expiry: ContinuousClock.Instant? = nil) {
        self.init(
            stored.contents, backings: stored.files.map { .file($0) }, expiry: expiry,
            options: ContentsOptions(localOnly: stored.isLocalOnly))
    }
}

extension BridgeError {
    package static func noItem(_ item: Int, of count: Int) -> BridgeError {
        let there = count == 1 ? "is 1 item" : "are \(count) items"
        return BridgeError(.noSuchItem, "there is no item \(item): there \(there), counted from 0")
    }
}
