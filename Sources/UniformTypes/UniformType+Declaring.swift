/// Types of an app's own.
extension UniformType {
    /// Declares a type for this program, from now on. Where the user has declared it too, the user's words go first; a
    /// later declaration of the same type replaces an earlier one.
    ///
    /// - Returns: Why it was not taken, in sentences for people; empty when it was. It has ``TypeDeclaration/faults()``, a
    ///   built-in declaration describes that type, or 1,024 types are declared.
    @discardableResult
    public static func declare(_ declaration: TypeDeclaration) -> [String] {
        let faults = declaration.faults()
        guard faults.isEmpty else { return faults }
        let key = declaration.identifier.asciiLowercased
        if DeclaredType(key: key) != nil || WebCustomFormat(key: key) != nil {
            return ["'\(declaration.identifier)' has a declaration that is built in"]
        }
        guard TypeLayers.declare(declaration) else {
            return ["\(TypeLayers.maximumDeclared) types are declared, and there can be no more"]
        }
        return []
    }

    /// A type that this program defines. Where the program has not declared it by ``declare(_:)``, this declares that it
    /// conforms to `parent`, or to `public.data`.
    ///
    /// A string that is no identifier gives a dynamic type.
    public init(exportedAs identifier: String, conformingTo parent: UniformType? = nil) {
        self = Self(identifier) ?? Self(target: identifier)
        if !TypeLayers.current.app.declares(key) { declare(conformingTo: parent) }
    }

    /// A type that another program defines. Where nothing is declared of it, this declares that it conforms to `parent`,
    /// or to `public.data`.
    ///
    /// A string that is no identifier gives a dynamic type.
    public init(importedAs identifier: String, conformingTo parent: UniformType? = nil) {
        self = Self(identifier) ?? Self(target: identifier)
        if !isDeclared { declare(conformingTo: parent) }
    }

    private func declare(conformingTo parent: UniformType?) {
        Self.declare(TypeDeclaration(identifier: identifier, conformsTo: [(parent ?? .data).identifier]))
    }
}
