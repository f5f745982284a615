/// What somebody says of a type: its identifier, what it conforms to and under which names it is known.
///
/// A declaration of a type that is declared already adds to it: its tags go before the ones known so far, and what it
/// conforms to replaces what was known, where it names anything.
///
/// An initialiser takes everything; ``faults()`` tells what is wrong. A declaration with faults is never used.
public struct TypeDeclaration: Sendable, Hashable {
    /// A reverse-DNS name, `com.example.note`. Identifiers compare without case.
    public var identifier: String
    /// Identifiers of the types it is a kind of, the nearest first.
    public var conformsTo: [String]
    /// The preferred one first. They compare without case.
    public var mimeTypes: [String]
    /// The preferred one first, without dots. They compare without case.
    public var filenameExtensions: [String]
    /// X11 targets it is offered under, best first; they compare byte by byte. Where none are named, it is offered under
    /// its preferred MIME type, and under its identifier where it has none.
    public var targets: [String]
    /// A few words for people, on one line.
    public var description: String?

    /// Takes the parts as they are.
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

    /// The most names that one of the lists may have.
    static let maximumNames = 64
    /// A longest description, in bytes.
    static let maximumDescription = 1024

    /// What is wrong with the declaration, each fault in a sentence for people; empty when it can be used. A list may have
    /// 64 names, and the description 1,024 bytes.
    public func faults() -> [String] {
        var faults: [String] = []
        func refuse(_ values: [String], _ reason: String, where isWrong: (String) -> Bool) {
            faults += values.prefix(Self.maximumNames).filter(isWrong).map { "'\($0)' \(reason)" }
        }
        let form = "is no type identifier: letters, digits and hyphens in at least two parts joined by dots"
        refuse([identifier] + conformsTo, form) { UniformType($0) == nil }
        refuse([identifier], "describes itself: a dynamic identifier cannot be declared") {
            UniformType($0)?.isDynamic == true
        }
        refuse(conformsTo, "cannot conform to itself") { UniformType($0).map { $0 == UniformType(identifier) } == true }
        refuse(mimeTypes, "is no MIME type: it has the form 'type/subtype'") { MIMEType($0) == nil }
        refuse(filenameExtensions, "is no filename extension: it has no dot, no slash and no space") {
            !UniformType.isFilenameExtension($0)
        }
        refuse(targets, "is no name of an X11 target") { !TypeQuery.isPossibleName($0) }
        for (names, what) in [
            (conformsTo, "types to conform to"), (mimeTypes, "MIME types"),
            (filenameExtensions, "filename extensions"), (targets, "X11 targets"),
        ] where names.count > Self.maximumNames {
            faults.append("\(names.count) \(what) are too many: there can be \(Self.maximumNames)")
        }
        if let description {
            if description.utf8.count > Self.maximumDescription {
                faults.append("the description has more than \(Self.maximumDescription) bytes")
            }
            if description.contains(where: \.isNewline) {
                faults.append("the description has a line break")
            }
        }
        refuse(targets, "is a part of the X11 selection protocol and never a type") { X11Targets.isProtocolTarget($0) }
        return faults
    }
}
