package import LinuxSystem
import PasteboardWire
import SystemPackage

/// One form of an item that was read.
package struct FetchedForm: Sendable {
    package enum Bytes: Sendable {
        /// A range of a file that nobody can change.
        case range(MemoryFile, Range<Int>)
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
        var files = PassedFiles()
        let parameters = Methods.Fetch.Parameters(
            pasteboard: pasteboard, timeout: timeoutMilliseconds, descriptors: true)
        do {
            try stream(Methods.Fetch.self, parameters, patience: .each) { reply, descriptors in
                count = reply.count
                let passed = try descriptors.map { try files.file(of: $0) }
                forms += try reply.found.compactMap { try Self.form($0, passed) }
                return true
            }
        } catch {
            throw PasteboardError(wire: error)
        }
        return FetchedContents(count: count, forms: forms)
    }

    /// Nil for a hole.
    private static func form(_ found: WireFound, _ files: [MemoryFile]) throws(PasteboardError) -> FetchedForm? {
        guard let type = found.type else { return nil }
        func form(_ bytes: FetchedForm.Bytes) -> FetchedForm {
            FetchedForm(
                item: found.item, type: type, target: found.target, exact: found.exact ?? false, bytes: bytes)
        }
        if let missing = found.missing { return form(.missing(missing)) }
        guard let bytes = found.bytes, let index = bytes.descriptor, files.indices.contains(index) else {
            throw PasteboardError(code: .transferBroken, message: "the bridge sent no bytes of \(type); try again")
        }
        let file = files[index]
        guard bytes.offset >= 0, bytes.length >= 0, bytes.offset <= file.length,
            bytes.length <= file.length - bytes.offset
        else {
            throw PasteboardError(
                code: .transferBroken, message: "the bridge sent fewer bytes of \(type) than it said; try again")
        }
        return form(.range(file, bytes.offset..<bytes.offset + bytes.length))
    }
}

/// Files that were passed, each kept once: a thousand items may be ranges of one file, which comes with every reply.
private struct PassedFiles {
    private struct Identity: Hashable {
        let device: UInt64
        let inode: UInt64
    }

    private var files: [Identity: MemoryFile] = [:]

    mutating func file(of descriptor: Descriptor) throws(PasteboardError) -> MemoryFile {
        do {
            let status = try descriptor.fileDescriptor.stat()
            let identity = Identity(
                device: UInt64(status.deviceID.rawValue), inode: UInt64(status.inode.rawValue))
            if let file = files[identity] { return file }
            let file = try MemoryFile(adopting: descriptor)
            files[identity] = file
            return file
        } catch {
            throw PasteboardError(
                code: .transferBroken, message: "the bridge passed what cannot be read safely: \(error)")
        }
    }
}
