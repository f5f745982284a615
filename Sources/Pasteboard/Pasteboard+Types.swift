import LinuxSystem
import PasteboardWire
public import UniformTypes

extension Pasteboard {
    /// Declares types of this program's own, here and at the bridge, so that other programs can ask for them by MIME type,
    /// extension or what they conform to. They hold until the bridge ends; a program declares them when it starts.
    ///
    /// What the user or xpb declares goes before, so no program can take a type from another one that is built in.
    ///
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/invalidType`` where some cannot be taken; its message
    ///   tells which, and the others are declared. There can be 1,024.
    public static func declare(_ types: [TypeDeclaration]) throws {
        for type in types { UniformType.declare(type) }
        let client = try BridgeClient.connect(environment: ThisProcess.environment())
        let declarations = types.map { type in
            WireTypeDeclaration(
                identifier: type.identifier, conformsTo: type.conformsTo, mimeTypes: type.mimeTypes,
                extensions: type.filenameExtensions, targets: type.targets, description: type.description)
        }
        _ = try client.call(Methods.Declare.self, .init(types: declarations))
    }
}
