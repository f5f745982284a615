import JSONC
package import UniformTypes
package import UserFiles

/// The user's declarations, as the file `types.json` has them: an object of objects, keyed by identifier.
package enum UserTypes {
    /// The most bytes of a file that counts.
    package static let fileLimit = 1 << 20

    /// - Parameter file: What faults call the file.
    /// - Returns: What can be used, in the order of the file, and what is wrong with the rest, up to 100 faults. Of
    ///   several declarations of a type the first counts.
    package static func parse(
        _ bytes: [UInt8], file: String = "types.json"
    ) -> (declarations: [TypeDeclaration], faults: [FileFault]) {
        let parsed = TypesText(bytes)
        return (
            parsed.entries.compactMap(\.declaration),
            parsed.faults.prefix(JSONObject.maxFaults).map {
                FileFault(file: file, line: $0.line, message: $0.message)
            }
        )
    }

    /// A type of the user's own that says nothing else is data, as every type without a declaration is.
    static func withParent(_ declaration: TypeDeclaration) -> TypeDeclaration {
        guard declaration.conformsTo.isEmpty, UniformType(declaration.identifier)?.isBuiltIn == false else {
            return declaration
        }
        var declaration = declaration
        declaration.conformsTo = [UniformType.data.identifier]
        return declaration
    }
}
