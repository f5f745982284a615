import JSONC
package import UniformTypes
package import UserFiles

/// The file of the user's declarations, `types.json` in the folder of xpb's settings.
package struct TypesFile: Sendable {
    package let file: UserFile

    package init(_ file: UserFile) { self.file = file }

    /// - Returns: nil if the environment has no folder for settings.
    package init?(environment: [String: String]) {
        guard let file = UserFile(named: "types.json", environment: environment) else { return nil }
        self.init(file)
    }

    package struct Contents: Sendable {
        package let declarations: [TypeDeclaration]
        package let faults: [FileFault]
        /// The state of the file as it was read; nil if there was none.
        package let stamp: FileStamp?

        package static let none = Contents(declarations: [], faults: [], stamp: nil)
    }

    package func read() -> Contents {
        let contents = file.read(limit: UserTypes.maxFileSize)
        let (declarations, faults) = UserTypes.parse(contents.bytes, file: file.path)
        return Contents(
            declarations: declarations, faults: [contents.fault].compactMap(\.self) + faults, stamp: contents.stamp)
    }

    /// Replaces the text with the result of `edit`: see ``UserFile/change(limit:_:)``.
    ///
    /// - Parameter edit: Returns the new text; nil if there is nothing to change.
    /// - Returns: true if the file was changed.
    package func change(_ edit: (TypesEditor) throws(FileFault) -> [UInt8]?) throws(UserFile.ChangeFailure) -> Bool {
        try file.change(limit: UserTypes.maxFileSize) { (bytes) throws(FileFault) in
            try edit(TypesEditor(bytes, file: file.path))
        }
    }
}

/// The format of the user's declarations in `types.json`: an object of objects, keyed by identifier.
package enum UserTypes {
    /// The maximum size of the file, in bytes.
    package static let maxFileSize = 1 << 20

    /// Parses the text of the file.
    ///
    /// - Parameter file: The name of the file in faults.
    /// - Returns: The valid declarations in the order of the file, and up to 100 faults of the other declarations. If a
    ///   type has several declarations, the first is used.
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

    /// Returns the declaration with a parent: a user's type without a parent conforms to `public.data`, as every
    /// undeclared type does.
    static func withParent(_ declaration: TypeDeclaration) -> TypeDeclaration {
        guard declaration.conformsTo.isEmpty, UniformType(declaration.identifier)?.isBuiltIn == false else {
            return declaration
        }
        var declaration = declaration
        declaration.conformsTo = [UniformType.data.identifier]
        return declaration
    }
}
