import PasteboardWire
import UniformTypes

/// Types that apps declare: `Declare`.
extension Service {
    func declare(_ types: [WireTypeDeclaration]) -> Answer<NoParameters> {
        let faults = types.flatMap { type in
            UniformType.declare(
                TypeDeclaration(
                    identifier: type.identifier, conformsTo: type.conformsTo, mimeTypes: type.mimeTypes,
                    filenameExtensions: type.extensions, targets: type.targets, description: type.description))
        }
        return faults.isEmpty ? .reply(NoParameters()) : .error(.invalidType, faults.joined(separator: "; "))
    }
}
