import ArgumentParser
import CommandCore
import TypeDatabase
package import UniformTypes
import UserFiles

struct DeclareCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "declare", abstract: "Declare a type of your own, or list the declared types.",
        discussion: """
            Adds the type to xpb/types.json in your configuration folder, or replaces its declaration there; the rest \
            of the file stays, comments included. Without ID, lists the types in it. 'xpb map ID' shows the names of a \
            type.

            Without --conforms-to, the type conforms to public.data. Declaring one of xpb's own types adds names, and \
            --conforms-to replaces the types that it conforms to; your declarations take precedence.

              xpb declare com.example.note --conforms-to public.json --mime application/x-note
            """)

    @Argument(help: ArgumentHelp("The identifier, such as com.example.note.", valueName: "ID"))
    var identifier: String?

    @Option(
        name: .customLong("conforms-to"), help: ArgumentHelp("A type that ID conforms to.", valueName: "ID"),
        completion: .builtInTypes)
    var conformsTo: [String] = []

    @Option(help: ArgumentHelp("A MIME type; the first one is preferred.", valueName: "TYPE"))
    var mime: [String] = []

    @Option(name: .customLong("extension"), help: ArgumentHelp("A filename extension.", valueName: "EXT"))
    var extensions: [String] = []

    @Option(
        name: .customLong("target"),
        help: ArgumentHelp(
            "An X11 target for the type; the first one is preferred (default: its MIME type).", valueName: "NAME"))
    var targets: [String] = []

    @Option(help: ArgumentHelp("A short description.", valueName: "TEXT"))
    var description: String?

    @Flag(help: "Remove the declaration of ID.")
    var remove = false

    @OptionGroup(title: CommonFlags.title) var common: CommonFlags

    private var isDeclaration: Bool {
        !(conformsTo + mime + extensions + targets).isEmpty || description != nil
    }

    func validate() throws {
        switch (identifier, remove) {
        case (nil, true): throw ValidationError("--remove needs the ID of the type")
        case (nil, false) where isDeclaration: throw ValidationError("the ID of the type is missing")
        case (_?, true) where isDeclaration: throw ValidationError("--remove and a declaration exclude each other")
        case (let identifier?, false) where !isDeclaration:
            throw ValidationError(
                "the declaration of \(identifier) is empty: give --conforms-to, --mime, --extension, --target or "
                    + "--description; 'xpb map \(identifier)' shows the names of the type")
        default: break
        }
    }

    func perform(in session: Session) throws {
        guard let file = TypesFile(environment: session.environment) else {
            throw Failure.usage(
                "declarations need a folder; set HOME or XDG_CONFIG_HOME to an absolute path")
        }
        if let identifier, remove {
            try removeDeclaration(of: identifier, from: file)
        } else if let identifier {
            try declare(identifier, in: file, session)
        } else {
            try list(file, session)
        }
        for fault in file.read().faults { session.console.say("\(fault)") }
    }

    private func list(_ file: TypesFile, _ session: Session) throws {
        let contents = file.read()
        if let fault = contents.faults.first(where: { $0.line == nil }) { throw Failure(.broken, "\(fault)") }
        let declarations = contents.declarations
        if session.common.json {
            try session.output.write(json: ["types": declarations.map(DeclarationJSON.init)])
        } else {
            try session.output.write(rows: declarations.map { [$0.identifier] })
        }
    }

    private func declare(_ identifier: String, in file: TypesFile, _ session: Session) throws {
        let declaration = declaration(of: identifier)
        let faults = declaration.faults()
        guard faults.isEmpty else { throw Failure.usage(faults.joined(separator: "; ")) }
        _ = try Self.change(file) { editor throws(FileFault) in try editor.setting(declaration) }
        for note in declaration.notes(among: file.read().declarations) { session.console.say(note) }
    }

    private func removeDeclaration(of identifier: String, from file: TypesFile) throws {
        let isChanged = try Self.change(file) { editor throws(FileFault) in try editor.removing(identifier) }
        guard isChanged else { throw Failure(.nothing, "\(identifier) is not declared in \(file.file.path)") }
    }

    func declaration(of identifier: String) -> TypeDeclaration {
        var parents = conformsTo
        if parents.isEmpty, UniformType(identifier)?.isBuiltIn == false { parents = [UniformType.data.identifier] }
        return TypeDeclaration(
            identifier: identifier, conformsTo: parents, mimeTypes: mime,
            // An extension may have a leading dot, as in a TYPE.
            filenameExtensions: extensions.map { $0.utf8.first == UInt8(ascii: ".") ? String($0.dropFirst()) : $0 },
            targets: targets, description: description)
    }

    private static func change(
        _ file: TypesFile, _ edit: (TypesEditor) throws(FileFault) -> [UInt8]?
    ) throws(Failure) -> Bool {
        do {
            return try file.change(edit)
        } catch {
            throw Failure(error)
        }
    }
}

extension Failure {
    init(_ failure: UserFile.ChangeFailure) {
        switch failure {
        case .refused(let fault): self.init(.refused, "\(fault); nothing was changed")
        case .failed(let fault): self.init(.broken, "\(fault); nothing was changed")
        }
    }
}

extension TypeDeclaration {
    /// Returns notes on likely mistakes in the declaration.
    package func notes(among others: [TypeDeclaration]) -> [String] {
        var notes: [String] = []
        if UniformType(identifier)?.isBuiltIn == true {
            notes.append("\(identifier) is one of xpb's own types; your declaration takes precedence")
        }
        for parent in conformsTo {
            guard let type = UniformType(parent), !type.isBuiltIn,
                !others.contains(where: { UniformType($0.identifier) == type })
            else { continue }
            notes.append("\(parent), which \(identifier) conforms to, is not declared")
        }
        return notes
    }
}

private struct DeclarationJSON: Encodable {
    let identifier: String
    let conformsTo: [String]
    let mime: [String]
    let extensions: [String]
    let targets: [String]
    let description: String?

    init(_ declaration: TypeDeclaration) {
        identifier = declaration.identifier
        conformsTo = declaration.conformsTo
        mime = declaration.mimeTypes
        extensions = declaration.filenameExtensions
        targets = declaration.targets
        description = declaration.description
    }
}
