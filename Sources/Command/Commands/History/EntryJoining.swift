package import BridgeClient
package import CommandCore
import LinuxSystem
import PasteboardModel
import PasteboardWire
package import Pasting
import SystemPackage

/// The restoration of several entries as one: a list of files if all of them are files, or else their texts, joined.
package enum EntryJoining {
    /// The separator of texts if the user gives none.
    private static let newline = "\n"

    /// Restores entries as one, reports that, and pastes the result.
    ///
    /// - Parameters:
    ///   - separator: The text between two texts; nil for a newline, or for a list of files.
    ///   - step: The paste, which is that of general; nil for none.
    package static func perform(
        _ entries: [Int], separator: String?, on pasteboard: String, ifCount: Int?, by client: BridgeClient,
        in session: Session, then step: PasteStep?
    ) throws {
        var contents = NewContents()
        let entries = try describe(entries, by: client, in: session)
        if separator == nil, entries.flatMap(\.items).allSatisfy(isFile) {
            for (entry, items) in entries {
                for item in items.indices {
                    let found = try client.get(pasteboard: general, types: [fileURL], item: item, entry: entry)
                    contents.append(try bytes(found), type: fileURL)
                }
            }
        } else {
            contents.append(try text(of: entries, separator, by: client), type: "text")
        }
        let count = try contents.write(to: pasteboard, ifCount: ifCount, by: client)
        session.console.detail("restored \(entries.count) entries on \(pasteboard), count \(count)")
        if session.common.json { try session.output.write(counts: [count], of: [pasteboard]) }
        try step?.perform(in: session) { () throws(Failure) in
            do {
                _ = try contents.write(to: PasteboardName.find.string, ifCount: nil, by: client)
            } catch {
                throw Failure(reporting: error)
            }
        }
    }

    /// Returns the texts of entries, with newlines between them.
    package static func text(of entries: [Int], by client: BridgeClient, in session: Session) throws -> [UInt8] {
        try text(of: describe(entries, by: client, in: session), nil, by: client)
    }

    /// An entry with its items.
    private typealias Described = (entry: Int, items: [WireItem])

    /// The pasteboard of the calls, which an entry's number makes irrelevant.
    private static let general = PasteboardName.general.string

    private static func describe(
        _ entries: [Int], by client: BridgeClient, in session: Session
    ) throws -> [Described] {
        try entries.map { ($0, try session.describe(general, by: client, entry: $0).items) }
    }

    private static let fileURL = "public.file-url"

    private static func isFile(_ item: WireItem) -> Bool { item.representations.contains { $0.type == fileURL } }

    private static func text(
        of entries: [Described], _ separator: String?, by client: BridgeClient
    ) throws -> [UInt8] {
        var joined: [UInt8] = []
        for (index, described) in entries.enumerated() {
            var text = try text(of: described, by: client)
            // The text of a whole line ends with a newline already.
            let isLast = index == entries.count - 1
            if separator == nil, !isLast, text.last == UInt8(ascii: "\n") { text.removeLast() }
            joined += text + (isLast ? "" : separator ?? newline).utf8
        }
        return joined
    }

    /// Returns the texts of all items of an entry, with newlines between them, as a program pastes them.
    private static func text(of described: Described, by client: BridgeClient) throws -> [UInt8] {
        let (entry, items) = described
        let texts = try items.indices.compactMap { item -> [UInt8]? in
            do {
                return try bytes(client.get(pasteboard: general, types: ["text"], item: item, entry: entry))
            } catch let error as BridgeClientError where error.code == .noSuchType {
                return nil
            }
        }
        guard !texts.isEmpty else {
            throw Failure(.nothing, "entry \(entry) has no text to join; nothing was changed")
        }
        return Array(texts.joined(separator: newline.utf8))
    }

    private static func bytes(_ found: FetchedRepresentation) throws(Errno) -> [UInt8] {
        Array(try found.bytes.data(in: found.range))
    }

    /// Items of one representation each, and their bytes, one after the other.
    private struct NewContents {
        private var bytes: [UInt8] = []
        private var items: [WireNewItem] = []

        mutating func append(_ added: [UInt8], type: String) {
            let place = WireBytes(descriptor: 0, offset: bytes.count, length: added.count)
            items.append(WireNewItem(representations: [WireNewRepresentation(type: type, bytes: place)]))
            bytes += added
        }

        /// Returns the change count.
        func write(to pasteboard: String, ifCount: Int?, by client: BridgeClient) throws -> Int {
            let parameters = Methods.Set.Parameters(
                pasteboards: [pasteboard], items: items, ifCount: ifCount, timeout: client.timeoutMilliseconds)
            let file = try MemoryFile.containing(bytes)
            let reply = try client.call(Methods.Set.self, parameters, descriptors: [file.descriptor], isLong: true)
                .reply
            return reply.counts[0]
        }
    }
}
