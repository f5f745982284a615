import LinuxSystem
import PasteboardModel
import PasteboardWire
import UniformTypes

/// Concealed contents: all their bytes are in ``SecretMemory``, and they have the mark of a secret.
extension Draft {
    /// Moves bytes into locked memory that are not there yet: those of contents to which a secret was added, or which
    /// were added to one.
    mutating func conceal() throws(BridgeError) {
        let length = backings.reduce(0) { $0 + ($1.held?.length ?? 0) }
        guard length <= SecretMemory.maxBytes else { throw .secretTooLong }
        var secrets: [Backing] = []
        for backing in backings {
            switch backing {
            case .secret: secrets.append(backing)
            case .promise: throw .secretPromised
            case .file(let file): secrets.append(.secret(try Self.secret(file)))
            }
        }
        replaceBackings(secrets, for: contents)
        try addMark()
    }

    private static func secret(_ file: MemoryFile) throws(BridgeError) -> SecretMemory {
        do {
            return try file.withBytes(in: 0..<file.length) { try SecretMemory.copying($0) }
        } catch let error as SecretMemoryError {
            throw BridgeError(error)
        } catch {
            throw BridgeError(.transferBroken, "the bytes could not be read: \(error)")
        }
    }

    /// Adds the mark of nspasteboard.org, which has no bytes. X11 programs are also offered KDE's mark for it.
    private mutating func addMark() throws(BridgeError) {
        guard !contents.marks.isConcealed, !contents.isEmpty else { return }
        var marked = contents
        marked.items[0].representations.append(Representation(type: .concealed, source: backings.count))
        do {
            replaceBackings(backings + [.secret(try SecretMemoryWriter(room: 0).seal())], for: marked)
        } catch {
            throw BridgeError(error)
        }
    }
}

extension BytesSource {
    /// Returns the number of bytes to read from each source: up to the end of the last range in it.
    static func ends(in items: [WireNewItem]) throws(BridgeError) -> [Self: Int] {
        var ends: [Self: Int] = [:]
        for representation in items.flatMap(\.representations) {
            guard let bytes = representation.bytes else { continue }
            let (offset, length) = (bytes.offset, bytes.length)
            let limit = SecretMemory.maxBytes
            guard offset >= 0, length >= 0 else { throw BridgeError(.invalidBytes, "bytes are counted from 0") }
            guard offset <= limit, length <= limit - offset else { throw .secretTooLong }
            let source = try Self(representation)
            ends[source] = max(ends[source] ?? 0, offset + length)
        }
        return ends
    }

    /// Reads `length` bytes from the source, which has to be a pipe, into locked memory.
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
    static let secretTooLong = BridgeError(
        .refused, "concealed contents have at most \(SecretMemory.maxBytes) bytes in all, which are locked in memory")

    fileprivate static let secretPromised = BridgeError(
        .refused, "concealed contents cannot be promised; leave 'concealed' out, or give the bytes")

    fileprivate init(_ error: SecretMemoryError) {
        switch error {
        case .tooLong: self = .secretTooLong
        case .notLockable: self.init(.refused, "\(error)")
        case .notAPipe, .incomplete, .unreadable: self.init(.invalidBytes, "\(error)")
        }
    }
}
