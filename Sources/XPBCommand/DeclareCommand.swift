import ArgumentParser
import TypeDatabase
import UniformTypes
import UserFiles

/// `xpb declare`.
struct DeclareCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "declare", abstract: "Declare a type of your own, or list those declared.",
        discussion: """
            Adds the type to xpb/types.json in your folder of settings, or replaces what is said of it there; all else in \
            that file stays as it is, comments included. Without ID, lists the types in it. 'xpb map ID' tells how a \
            type is known.

            A type that conforms to nothing else conforms to public.data. What you declare goes before what xpb knows: \
            of one of its own types, it adds names, and replaces what that conforms to where you name anything.
            """)

    @OptionGroup var common: CommonFlags

    @Argument(help: ArgumentHelp("The identifier, such as com.example.note.", valueName: "ID"))
    var identifier: String?

    @Option(name: .customLong("conforms-to"), help: ArgumentHelp("A type that it is a kind of.", valueName: "ID"))
    var conformsTo: [String] = []

    @Option(help: ArgumentHelp("A MIME type, the preferred one first.", valueName: "TYPE"))
    var mime: [String] = []

    @Option(name: .customLong("extension"), help: ArgumentHelp("A filename extension.", valueName: "EXT"))
    var extensions: [String] = []

    @Option(
        name: .customLong("target"),
        help: ArgumentHelp(
            "An X11 target to offer it under, the best first (default: its MIME type).", valueName: "NAME"))
    var targets: [String] = []

    @Option(help: ArgumentHelp("A few words about it.", valueName: "TEXT"))
    var description: String?

    @Flag(help: "Take the declaration of ID back.")
    var remove = false

    private var saysSomething: Bool {
        !(conformsTo + mime + extensions + targets).isEmpty || description != nil
    }

    func validate() throws {
        switch (identifier, remove) {
        case (nil, true): throw ValidationError("--remove needs the ID of the type")
        case (nil, false) where saysSomething: throw ValidationError("the ID of the type is missing")
        case (_?, true) where saysSomething: throw ValidationError("--remove and a declaration exclude each other")
        case (let identifier?, false) where !saysSomething:
            throw ValidationError(
                "nothing is said of \(identifier): give --conforms-to, --mime, --extension, --target or --description; "
                    + "'xpb map \(identifier)' tells how it is known")
        default: break
        }
    }

    func perform(in session: Session) throws {
        guard session.common.pasteboards.isEmpty else {
            throw Failure.usage("declare is about no pasteboard; leave -p out")
        }
        guard let file = TypesFile(environment: session.environment) else {
            throw Failure.usage(
                "there is no place for declarations: neither HOME nor XDG_CONFIG_HOME is an absolute path")
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
            try session.output.write(json: DeclareJSON(types: declarations.map(DeclareJSON.Entry.init)))
        } else {
            try session.output.write(rows: declarations.map { [$0.identifier] })
        }
    }

    private func declare(_ identifier: String, in file: TypesFile, _ session: Session) throws {
        let declaration = declaration(of: identifier)
        let faults = declaration.faults()
        guard faults.isEmpty else { throw Failure.usage(faults.joined(separator: "; ")) }
        _ = try Self.change(file) { editor throws(FileFault) in try editor.setting(declaration) }
        for note in Self.notes(on: declaration, among: file.read().declarations) { session.console.say(note) }
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
            // As in a TYPE, it may have its dot.
            filenameExtensions: extensions.map { $0.utf8.first == UInt8(ascii: ".") ? String($0.dropFirst()) : $0 },
            targets: targets, description: description)
    }

    /// What its author may not have meant.
    static func notes(on declaration: TypeDeclaration, among others: [TypeDeclaration]) -> [String] {
        var notes: [String] = []
        if UniformType(declaration.identifier)?.isBuiltIn == true {
            notes.append("\(declaration.identifier) is a type of xpb's own; what you declare of it goes first")
        }
        for parent in declaration.conformsTo {
            guard let type = UniformType(parent), !type.isBuiltIn,
                !others.contains(where: { UniformType($0.identifier) == type })
            else { continue }
            notes.append("\(parent), which \(declaration.identifier) conforms to, is declared nowhere")
        }
        return notes
    }

    private static func change(
        _ file: TypesFile, _ edit: (TypesEditor) throws(FileFault) -> [UInt8]?
    ) throws(Failure) -> Bool {
        do {
            return try file.change(edit)
        } catch {
            switch error {
            case .refused(let fault): throw Failure(.refused, "\(fault); nothing was changed")
            case .failed(let fault): throw Failure(.broken, "\(fault); nothing was changed")
            }
        }
    }
}

/// What `declare --json` writes.
private struct DeclareJSON: Encodable {
    struct Entry: Encodable {
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

    let types: [Entry]
}
