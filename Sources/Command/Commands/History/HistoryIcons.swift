import BridgeClient
package import CommandCore
import Glibc
import LinuxSystem
import PasteboardWire
import SystemPackage
import UniformTypes

/// Files with the pictures of the history's entries, for a picker that shows icons.
///
/// A picker reads the files after `xpb history` has ended. The files are in the runtime folder, which only the user can
/// read. A listing removes the same bridge's files for entries that are not listed, and `xpb` removes all files when it
/// deletes from the history.
package final class HistoryIcons {
    /// The maximum length of a picture, in bytes. Longer pictures have no file.
    private static let maxLength = 8 << 20
    /// The maximum length of all pictures of a listing, in bytes: the runtime folder is usually in memory.
    private static let maxTotalLength = 64 << 20
    private static let folderName = "icons"

    private let client: BridgeClient
    private let folder: String
    /// The beginning of the names, which differs for each bridge: every bridge counts its entries from 1.
    private let prefix: String
    private var rest = maxTotalLength
    private var names: Set<String> = []

    /// Makes the folder for the pictures.
    init(in session: Session, by client: BridgeClient) throws(Failure) {
        self.client = client
        do {
            let runtime = try RuntimeDirectory(environment: session.environment)
            folder = try runtime.privateFolder(Self.folderName)
            prefix = "\(runtime.key(ofSocket: client.path) ?? Folder.name(of: client.path))-"
        } catch {
            throw Failure(.unavailable, "there is no folder for {icon}: \(error)")
        }
    }

    /// Returns the path of an entry's picture, and writes the file if it does not exist; empty for an entry without a
    /// picture, or whose picture is too long.
    func path(of entry: WireHistoryEntry) -> String {
        guard entry.width != nil,
            let found = try? client.get(pasteboard: entry.pasteboard, types: ["image"], entry: entry.id),
            found.range.count <= min(Self.maxLength, rest)
        else { return "" }
        // A new store counts from 1 again, so the name has the time too. rofi takes a name without a dot for an icon of
        // its theme.
        let suffix = UniformType(found.type)?.preferredFilenameExtension ?? "image"
        let name = "\(prefix)\(entry.id)-\(entry.created).\(suffix)"
        let path = "\(folder)/\(name)"
        guard write(found, to: path) else { return "" }
        rest -= found.range.count
        names.insert(name)
        return path
    }

    /// - Returns: false if the file could not be written.
    private func write(_ found: FetchedRepresentation, to path: String) -> Bool {
        // The contents of an entry never change, and a file is complete when it has its name.
        if (try? FileStatus(ofPath: path, followsSymlink: false)) != nil { return true }
        let unfinished = "\(path).\(getpid())"
        do {
            let file = try Descriptor.open(
                FilePath(unfinished), .writeOnly, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
            try Transfer.copy(from: found.bytes, range: found.range, to: file.fileDescriptor)
        } catch {
            unsafe unlink(unfinished)
            return false
        }
        return unsafe rename(unfinished, path) == 0
    }

    /// Removes the pictures of entries that are not in the listing.
    func removeOthers() {
        Self.remove(in: folder) { $0.hasPrefix(prefix) && !names.contains($0) }
    }

    /// Removes all pictures.
    package static func removeAll(in session: Session) {
        guard let runtime = try? RuntimeDirectory.existing(environment: session.environment) else { return }
        remove(in: "\(runtime.folder)/\(folderName)") { _ in true }
    }

    /// Removes files, except those that another process is writing.
    private static func remove(in folder: String, where isUnused: (String) -> Bool) {
        for name in (try? Folder.names(in: folder)) ?? [] where isUnused(name) {
            if let writer = name.split(separator: ".").last.flatMap({ Int32($0) }), !ProcessState.hasEnded(writer) {
                continue
            }
            unsafe unlink("\(folder)/\(name)")
        }
    }
}
