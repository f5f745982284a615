/// A declaration of a type: its identifier, the types to which it conforms, and its tags.
///
/// Several declarations of the same type are combined. The tags of the user's declarations precede those of the
/// built-in table, and these precede those of a program; the types to which the type conforms are those of the first
/// declaration that names any.
///
/// The initializer accepts any values; ``faults()`` returns the errors in them. A declaration with errors is not used.
public struct TypeDeclaration: Sendable, Hashable {
    /// The identifier, a reverse-DNS name such as `com.example.note`. Identifiers are compared without regard to case.
    public var identifier: String
    /// The identifiers of the types that the type conforms to, most specific first.
    public var conformsTo: [String]
    /// The MIME types, in order of preference, compared without regard to case.
    public var mimeTypes: [String]
    /// The filename extensions without the dot, in order of preference, compared without regard to case.
    public var filenameExtensions: [String]
    /// The X11 targets under which contents of the type are offered, in order of preference, compared byte by byte.
    ///
    /// If the list is empty, the contents are offered under the preferred MIME type, or under the identifier if there
    /// is no MIME type.
    public var targets: [String]
    /// A description for display, on one line.
    public var description: String?

    /// Creates a declaration from any values, which ``faults()`` checks.
    public init(
        identifier: String, conformsTo: [String] = [], mimeTypes: [String] = [], filenameExtensions: [String] = [],
        targets: [String] = [], description: String? = nil
    ) {
        self.identifier = identifier
        self.conformsTo = conformsTo
        self.mimeTypes = mimeTypes
        self.filenameExtensions = filenameExtensions
        self.targets = targets
        self.description = description
    }

    /// The maximum number of elements of each list.
    static let maxNames = 64
    /// The maximum length of the description, in bytes.
    static let maxDescriptionLength = 1024

    /// Returns the errors in the declaration, each as a message for display. The result is empty if the declaration can
    /// be used.
    ///
    /// Each list may have 64 elements, and the description 1,024 bytes.
    public func faults() -> [String] { nameFaults() + sizeFaults() + targetFaults() }

    private func nameFaults() -> [String] {
        let rule = "is not a type identifier: letters, digits and hyphens in at least two parts joined by dots"
        return Self.faults(in: [identifier] + conformsTo, rule) { UniformType($0) == nil }
            + Self.faults(in: [identifier], "is a dynamic identifier, which cannot be declared") {
                UniformType($0)?.isDynamic == true
            }
            + Self.faults(in: conformsTo, "cannot conform to itself") { name in
                UniformType(name).map { $0 == UniformType(identifier) } == true
            }
            + Self.faults(in: mimeTypes, "is not a MIME type, which has the form 'type/subtype'") {
                MIMEType($0) == nil
            }
            + Self.faults(in: filenameExtensions, "is not a filename extension, which has no dot, slash or space") {
                !UniformType.isFilenameExtension($0)
            }
            + Self.faults(in: targets, "cannot be the name of an X11 target") { !TypeQuery.isPossibleName($0) }
    }

    private func sizeFaults() -> [String] {
        let lists = [
            (conformsTo, "types to conform to"), (mimeTypes, "MIME types"),
            (filenameExtensions, "filename extensions"), (targets, "X11 targets"),
        ]
        var faults = lists.filter { $0.0.count > Self.maxNames }.map { names, kind in
            "there are \(names.count) \(kind), and the limit is \(Self.maxNames)"
        }
        guard let description else { return faults }
        if description.utf8.count > Self.maxDescriptionLength {
            faults.append("the description has more than \(Self.maxDescriptionLength) bytes")
        }
        if description.contains(where: \.isNewline) {
            faults.append("the description has a line break")
        }
        return faults
    }

    private func targetFaults() -> [String] {
        Self.faults(in: targets, "is a part of the X11 selection protocol and never a type") {
            X11Targets.isProtocolTarget($0)
        }
    }

    /// Returns a message for each of the first names for which `isWrong` returns true. Names beyond the limit are not
    /// examined.
    private static func faults(in names: [String], _ reason: String, where isWrong: (String) -> Bool) -> [String] {
        names.prefix(maxNames).filter(isWrong).map { "'\($0)' \(reason)" }
    }
}

/// Declaration of types by a program.
extension UniformType {
    /// Declares a type for this process. A later declaration of the same type replaces an earlier one. If the user has
    /// declared the type too, the user's declaration takes precedence.
    ///
    /// - Returns: The reasons why the declaration was rejected, as messages for display; empty if it was accepted. A
    ///   declaration is rejected if it has ``TypeDeclaration/faults()``, if its type is built in, or if 1,024 types are
    ///   already declared.
    @discardableResult
    public static func declare(_ declaration: TypeDeclaration) -> [String] {
        let faults = declaration.faults()
        guard faults.isEmpty else { return faults }
        let key = declaration.identifier.asciiLowercased
        if DeclaredType(key: key) != nil || WebCustomFormat(key: key) != nil {
            return ["'\(declaration.identifier)' is a built-in type, which cannot be declared"]
        }
        guard TypeLayers.declare(declaration) else {
            return ["\(TypeLayers.maxDeclarations) types are declared already, which is the limit"]
        }
        return []
    }

    /// Creates a type that this program defines. Unless the program has declared the type with ``declare(_:)``, the
    /// initializer declares it.
    ///
    /// - Parameters:
    ///   - identifier: The identifier. If it is not valid, the type is dynamic.
    ///   - parent: The type to which the type conforms if it is declared here; ``data`` if nil.
    public init(exportedAs identifier: String, conformingTo parent: UniformType? = nil) {
        self = Self(identifier) ?? Self(target: identifier)
        if !TypeLayers.current.app.declares(key) { declare(conformingTo: parent) }
    }

    /// Creates a type that another program defines. If the type has no declaration, the initializer declares it.
    ///
    /// - Parameters:
    ///   - identifier: The identifier. If it is not valid, the type is dynamic.
    ///   - parent: The type to which the type conforms if it is declared here; ``data`` if nil.
    public init(importedAs identifier: String, conformingTo parent: UniformType? = nil) {
        self = Self(identifier) ?? Self(target: identifier)
        if !isDeclared { declare(conformingTo: parent) }
    }

    private func declare(conformingTo parent: UniformType?) {
        Self.declare(TypeDeclaration(identifier: identifier, conformsTo: [(parent ?? .data).identifier]))
    }
}
