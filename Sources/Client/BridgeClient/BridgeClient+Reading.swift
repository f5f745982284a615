package import LinuxSystem
package import PasteboardWire
import SystemPackage

/// A representation that ``BridgeClient/get(pasteboard:types:item:exact:stale:entry:watching:)`` read: a range of an
/// immutable file, or of a secret.
package struct FetchedRepresentation: Sendable {
    /// The change count.
    package let count: Int
    package let item: Int
    package let type: String
    package let target: String?
    package let bytes: ImmutableBytes
    package let range: Range<Int>
    /// True if the bytes were captured earlier and their owner no longer answers.
    package let isStale: Bool

    package init(
        count: Int, item: Int, type: String, target: String?, bytes: ImmutableBytes, range: Range<Int>, isStale: Bool
    ) {
        self.count = count
        self.item = item
        self.type = type
        self.target = target
        self.bytes = bytes
        self.range = range
        self.isStale = isStale
    }
}

/// All contents of a pasteboard at one change count, as ``BridgeClient/fetch(pasteboard:entry:)`` reads them.
package struct FetchedContents: Sendable {
    /// One representation of an item.
    package struct Representation: Sendable {
        package enum Bytes: Sendable {
            /// A range of an immutable file, or of a secret.
            case range(ImmutableBytes, Range<Int>)
            /// The reason why the bytes could not be read.
            case missing(String)
        }

        package let item: Int
        package let type: String
        package let target: String?
        /// True if the representation is offered only under this type, with no types derived from it.
        package let exact: Bool
        package let bytes: Bytes

        package init(item: Int, type: String, target: String?, exact: Bool, bytes: Bytes) {
            self.item = item
            self.type = type
            self.target = target
            self.exact = exact
            self.bytes = bytes
        }
    }

    /// The change count.
    package let count: Int
    /// The representations in the order of the items, and for each item in the order of the pasteboard.
    package let representations: [Representation]

    package init(count: Int, representations: [Representation]) {
        self.count = count
        self.representations = representations
    }

    /// The representations of each item.
    package var items: [[Representation]] {
        representations.reduce(into: []) { items, representation in
            if items.last?.last?.item != representation.item { items.append([]) }
            items[items.count - 1].append(representation)
        }
    }
}

extension BridgeClient {
    /// Reads one representation.
    ///
    /// - Parameters:
    ///   - types: The types to choose from, in the order of preference. If empty, text is read if there is any, else
    ///     the first representation.
    ///   - exact: Accepts only existing representations, not conversions.
    ///   - stale: Accepts bytes captured earlier from an owner that no longer answers.
    ///   - entry: Reads an entry of the history instead of the pasteboard.
    ///   - watching: The read reacts to a change, so it is not a paste.
    package func get(
        pasteboard: String, types: [String] = [], item: Int? = nil, exact: Bool = false, stale: Bool = false,
        entry: Int? = nil, watching: Bool = false
    ) throws(BridgeClientError) -> FetchedRepresentation {
        let parameters = Methods.Get.Parameters(
            pasteboard: pasteboard, types: types.isEmpty ? nil : types, item: item, exact: exact ? true : nil,
            timeout: timeoutMilliseconds, descriptors: asksForDescriptors, stale: stale ? true : nil, entry: entry,
            watching: watching ? true : nil)
        return try representation(try call(Methods.Get.self, parameters, isLong: true))
    }

    /// Reads one representation, and takes another program's bytes as they arrive, if the bridge and the connection can
    /// pass them on. The parameters are those of ``get(pasteboard:types:item:exact:stale:entry:watching:)``.
    package func getStreaming(
        pasteboard: String, types: [String] = [], item: Int? = nil, exact: Bool = false, stale: Bool = false,
        entry: Int? = nil
    ) throws(BridgeClientError) -> FetchedAnswer {
        let parameters = Methods.Get.Parameters(
            pasteboard: pasteboard, types: types.isEmpty ? nil : types, item: item, exact: exact ? true : nil,
            timeout: timeoutMilliseconds, descriptors: asksForDescriptors, stale: stale ? true : nil, entry: entry,
            stream: asksForDescriptors)
        return try answer(try firstReply(to: Methods.Get.self, parameters))
    }

    /// Reads one representation of an item as it was written, if `isWanted` accepts its length.
    ///
    /// - Parameter onProgress: Called each time some of the bytes arrive.
    /// - Returns: nil if the length is not accepted; the bytes are then not sent.
    package func get(
        pasteboard: String, type: String, item: Int, onProgress: () -> Void = {}, where isWanted: (Int) -> Bool
    ) throws(BridgeClientError) -> FetchedRepresentation? {
        let parameters = Methods.Get.Parameters(
            pasteboard: pasteboard, types: [type], item: item, exact: true, timeout: timeoutMilliseconds,
            descriptors: asksForDescriptors, watching: true)
        let found = try call(Methods.Get.self, parameters, isLong: true)
        if isWanted(found.reply.bytes.length) { return try representation(found, onProgress: onProgress) }
        release([found.reply.bytes.handle].compactMap(\.self))
        return nil
    }

    /// Waits for the next reply to a `Get` that was already sent on the connection; there may be several.
    package func awaitedAnswer() throws(BridgeClientError) -> FetchedAnswer {
        try answer(try nextReply(to: Methods.Get.self))
    }

    private func answer(
        _ first: (reply: Methods.Get.Reply, descriptors: [Descriptor], continues: Bool)
    ) throws(BridgeClientError) -> FetchedAnswer {
        if first.continues { return .stream(try RepresentationStream(first.reply, first.descriptors, of: self)) }
        return .whole(try representation((first.reply, first.descriptors)))
    }

    private func representation(
        _ found: (reply: Methods.Get.Reply, descriptors: [Descriptor]), onProgress: () -> Void = {}
    ) throws(BridgeClientError) -> FetchedRepresentation {
        let (reply, descriptors) = found
        var files = ReceivedFiles(descriptors, downloads: try download([reply.bytes], onProgress: onProgress))
        let (bytes, range) = try files.part(reply.bytes)
        return FetchedRepresentation(
            count: reply.count, item: reply.item, type: reply.type, target: reply.target, bytes: bytes,
            range: range, isStale: reply.stale ?? false)
    }

    /// Reads every representation of every item, as it was written.
    package func fetch(pasteboard: String, entry: Int? = nil) throws(BridgeClientError) -> FetchedContents {
        var count = 0
        // Each entry has the bytes that came by a descriptor. The bytes of handles are downloaded after the last reply.
        var entries: [(found: WireFound, passed: ReceivedFiles.Part?)] = []
        var distinct = DistinctFiles()
        let parameters = Methods.Fetch.Parameters(
            pasteboard: pasteboard, timeout: timeoutMilliseconds, descriptors: asksForDescriptors, entry: entry)
        do {
            func restart() {
                entries = []
                distinct = DistinctFiles()
            }
            try stream(Methods.Fetch.self, parameters, timeoutFor: .everyReply, restart: restart) {
                reply, descriptors in
                count = reply.count
                var received = ReceivedFiles(descriptors)
                for found in reply.found {
                    entries.append((found, try Self.passed(found, &received, &distinct)))
                }
                return true
            }
            var downloaded = ReceivedFiles([], downloads: try download(entries.compactMap(\.found.bytes)))
            return FetchedContents(
                count: count,
                representations: try entries.compactMap { try Self.representation($0.found, $0.passed, &downloaded) })
        } catch {
            throw BridgeClientError(wire: error)
        }
    }

    private static func passed(
        _ found: WireFound, _ received: inout ReceivedFiles, _ distinct: inout DistinctFiles
    ) throws(BridgeClientError) -> ReceivedFiles.Part? {
        guard found.type != nil, let bytes = found.bytes, bytes.handle == nil else { return nil }
        let (held, range) = try received.part(bytes)
        return (held.file.map { .file(distinct.file(sameAs: $0)) } ?? held, range)
    }

    /// - Returns: nil for an item without representations.
    private static func representation(
        _ found: WireFound, _ passed: ReceivedFiles.Part?, _ downloaded: inout ReceivedFiles
    ) throws(BridgeClientError) -> FetchedContents.Representation? {
        guard let type = found.type else { return nil }
        let bytes: FetchedContents.Representation.Bytes
        if let wire = found.bytes {
            let (held, range) = if let passed { passed } else { try downloaded.part(wire) }
            bytes = .range(held, range)
        } else {
            bytes = .missing(found.missing ?? "the bridge sent no bytes and did not say why")
        }
        return .init(
            item: found.item, type: type, target: found.target, exact: found.exact ?? false, bytes: bytes)
    }
}

/// The memory files, or pipes with secrets, that came with a reply, and the files that were downloaded.
package struct ReceivedFiles {
    /// A range of bytes.
    package typealias Part = (bytes: ImmutableBytes, range: Range<Int>)

    private let descriptors: [Descriptor]
    private var files: [Int: ImmutableBytes] = [:]
    private let downloads: [String: Download]

    package init(_ descriptors: [Descriptor]) {
        self.init(descriptors, downloads: [:])
    }

    init(_ descriptors: [Descriptor], downloads: [String: Download]) {
        self.descriptors = descriptors
        self.downloads = downloads
    }

    /// Returns the file that holds the bytes, and their range in it.
    ///
    /// - Throws: Code `transferBroken` if the file cannot be read safely or is shorter than the bridge said.
    package mutating func part(_ bytes: WireBytes) throws(BridgeClientError) -> Part {
        let file: ImmutableBytes
        var offset = bytes.offset
        if let download = bytes.handle.flatMap({ downloads[$0] }) {
            file = .file(download.file)
            // An empty range is in no span.
            let distance = bytes.offset.subtractingReportingOverflow(download.span.lowerBound)
            offset = bytes.length == 0 ? 0 : distance.overflow ? -1 : distance.partialValue
        } else {
            file = try passed(bytes)
        }
        let length = bytes.length
        guard offset >= 0, length >= 0, offset <= file.length, length <= file.length - offset else {
            throw BridgeClientError(
                code: .transferBroken, message: "the bridge sent fewer bytes than it said; try again")
        }
        return (file, offset..<offset + length)
    }

    private mutating func passed(_ bytes: WireBytes) throws(BridgeClientError) -> ImmutableBytes {
        guard let index = bytes.descriptor, descriptors.indices.contains(index) else {
            throw BridgeClientError(code: .transferBroken, message: "the bridge sent no bytes; try again")
        }
        do {
            let file = try files[index] ?? ImmutableBytes(adopting: descriptors[index])
            files[index] = file
            return file
        } catch {
            throw BridgeClientError(
                code: .transferBroken, message: "the bridge passed a file that cannot be read safely: \(error)")
        }
    }
}

/// The distinct files among those received: a thousand items may be ranges of one file, which comes with every reply.
private struct DistinctFiles {
    private struct Identity: Hashable {
        let device: DeviceID
        let inode: Inode
    }

    private var files: [Identity: MemoryFile] = [:]

    /// Returns the first received copy of the same file, or `file` if there is none.
    mutating func file(sameAs file: MemoryFile) -> MemoryFile {
        guard let status = try? file.descriptor.fileDescriptor.stat() else { return file }
        let identity = Identity(device: status.deviceID, inode: status.inode)
        if let known = files[identity] { return known }
        files[identity] = file
        return file
    }
}
