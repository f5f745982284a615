import PasteboardWire
import UniformTypes

/// Operations on whole pasteboards.
extension Pasteboard {
    var currentCount: Operation<Int> {
        Operation(Methods.Count.self) { [name] _ in
            .init(pasteboard: name)
        } value: { reply, _ in
            reply.count
        }
    }

    var currentOwner: Operation<PasteboardOwner> {
        Operation(Methods.GetOwner.self) { [name] _ in
            .init(pasteboard: name)
        } value: { reply, _ in
            PasteboardOwner(reply.owner)
        }
    }

    /// - Parameter alwaysCounts: True if the change count grows even if the pasteboard is empty already.
    static func clearing(_ name: String, ifChangeCount: Int?, alwaysCounts: Bool = false) -> Operation<Int> {
        Operation(Methods.Clear.self, .longWrite) { client in
            .init(
                pasteboards: [name], ifCount: ifChangeCount, timeout: client.timeoutMilliseconds,
                counts: alwaysCounts ? true : nil)
        } value: { reply, _ in
            reply.counts.first ?? 0
        }
    }

    /// - Parameter name: The name; nil for a new, unique name.
    static func creating(_ name: String?, _ visibility: Visibility) -> Operation<Pasteboard> {
        let hidden: Bool? = visibility == .library ? true : nil
        var options = CallOptions.write
        options.lifetime = .creates(hidden: hidden)
        return Operation(Methods.Create.self, options) { _ in
            .init(pasteboard: name, hidden: hidden)
        } value: { reply, _ in
            try Pasteboard(name: reply.pasteboard)
        }
    }

    /// An operation that looks for the pasteboard. The value is nil if no pasteboard has the name.
    var finding: Operation<Pasteboard?> {
        Operation(Methods.List.self) { _ in
            .init()
        } value: { [name] reply, _ in
            reply.boards.contains { $0.name == name } ? self : nil
        }
    }

    /// - Throws: code `invalidName` or `refused`.
    static func opening(
        _ name: String, create: Bool, _ visibility: Visibility
    ) throws -> Operation<Pasteboard?> {
        let pasteboard = try Pasteboard(name: name)
        if pasteboard.isSystem || !create { return pasteboard.finding }
        return creating(pasteboard.name, visibility).map { $0 }
    }

    static func removing(_ name: String) throws -> Operation<Void> {
        let pasteboard = try Pasteboard(name: name)
        var options = CallOptions.write
        options.lifetime = .removes(pasteboard.name)
        return Operation(Methods.Remove.self, options) { _ in
            .init(pasteboard: pasteboard.name)
        } value: { _, _ in
        }
    }

    var persistence: Operation<Bool> {
        Operation(Methods.List.self) { _ in
            .init()
        } value: { [name, isSystem] reply, _ in
            guard let board = reply.boards.first(where: { $0.name == name }) else {
                if isSystem { return true }
                throw BridgeError(.noSuchPasteboard, "there is no pasteboard '\(name)'")
            }
            return board.persistent
        }
    }

    func persisting(_ isPersistent: Bool) -> Operation<Void> {
        Operation(Methods.Persist.self, .write) { [name] _ in
            .init(pasteboard: name, persistent: isPersistent)
        } value: { _, _ in
        }
    }

    static func declaring(_ types: [TypeDeclaration]) -> Operation<Void> {
        let declarations = types.map { type in
            WireTypeDeclaration(
                identifier: type.identifier, conformsTo: type.conformsTo, mimeTypes: type.mimeTypes,
                extensions: type.filenameExtensions, targets: type.targets, description: type.description)
        }
        return Operation(Methods.Declare.self, CallOptions(lifetime: .declares(declarations))) { _ in
            .init(types: declarations)
        } value: { _, _ in
        }
    }
}
