package import LinuxSystem
import PasteboardWire
import SystemPackage

/// One form of an item that was read.
package struct FetchedForm: Sendable {
    package enum Bytes: Sendable {
        /// A range of a file that nobody can change, or of a secret.
        case range(HeldBytes, Range<Int>)
        /// They could not be had, and why.
        case missing(String)
    }

    package let item: Int
    package let type: String
    package let target: String?
    /// Offered under that one name, and none derived from it.
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

/// All that is on a pasteboard, of one version.
package struct FetchedContents: Sendable {
    package let count: Int
    /// By items, in the order they have there.
    package let forms: [FetchedForm]

    package init(count: Int, forms: [FetchedForm]) {
        self.count = count
        self.forms = forms
    }
}

extension BridgeClient {
    /// Every form of every item, as it was written.
    package func fetch(pasteboard: String) throws(PasteboardError) -> FetchedContents {
        var count = 0
        var forms: [FetchedForm] = []
        var kept = KeptFiles()
        let parameters = Methods.Fetch.Parameters(
            pasteboard: pasteboard, timeout: timeoutMilliseconds, descriptors: true)
        do {
            try stream(Methods.Fetch.self, parameters, patience: .each) { reply, descriptors in
                count = reply.count
                var received = ReceivedFiles(descriptors)
                for found in reply.found {
                    // Else it is a hole.
                    guard let type = found.type else { continue }
                    forms.append(
                        FetchedForm(
                            item: found.item, type: type, target: found.target, exact: found.exact ?? false,
                            bytes: try Self.bytes(of: found, &received, &kept)))
                }
                return true
            }
        } catch {
            throw PasteboardError(wire: error)
        }
        return FetchedContents(count: count, forms: forms)
    }

    private static func bytes(
        of found: WireFound, _ received: inout ReceivedFiles, _ kept: inout KeptFiles
    ) throws(PasteboardError) -> FetchedForm.Bytes {
        guard let bytes = found.bytes else {
            return .missing(found.missing ?? "the bridge sent no bytes and does not say why")
        }
        let (held, range) = try received.part(bytes)
        return .range(held.file.map { .file(kept.file(as: $0)) } ?? held, range)
    }
}

/// Files that were passed, each kept once: a thousand items may be ranges of one file, which comes with every reply.
private struct KeptFiles {
    private struct Identity: Hashable {
        let device: DeviceID
        let inode: Inode
    }

    private var files: [Identity: MemoryFile] = [:]

    /// The one that came before, if it is the same.
    mutating func file(as file: MemoryFile) -> MemoryFile {
        guard let status = try? file.descriptor.fileDescriptor.stat() else { return file }
        let identity = Identity(device: status.deviceID, inode: status.inode)
        if let known = files[identity] { return known }
        files[identity] = file
        return file
    }
}
