package import LinuxSystem
import PasteboardModel
package import PasteboardWire
import UniformTypes

/// Concealed contents: all their bytes are in ``SecretMemory``, and they have the mark of a secret.
extension Draft {
    /// Moves the remaining bytes into locked memory. Some bytes remain if a secret was added to other contents, or
    /// other contents to a secret.
    package mutating func conceal() throws(BridgeError) {
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

    /// Adds the type of nspasteboard.org that marks a secret, with no bytes. X11 programs are also offered KDE's target
    /// for the mark.
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

extension BridgeError {
    package static let secretTooLong = BridgeError(
        .refused, "concealed contents exceed \(SecretMemory.maxBytes) bytes, the limit for contents locked in memory")

    package static let secretPromised = BridgeError(
        .refused, "concealed contents cannot be promised; leave 'concealed' out, or give the bytes")

    package init(_ error: SecretMemoryError) {
        switch error {
        case .tooLong: self = .secretTooLong
        case .notLockable: self.init(.refused, "\(error)")
        case .notAPipe, .incomplete, .unreadable: self.init(.invalidBytes, "\(error)")
        }
    }
}
