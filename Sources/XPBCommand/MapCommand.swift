import ArgumentParser
import TypeDatabase
import UniformTypes
import UserFiles

/// `xpb map`.
struct MapCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "map", abstract: "Tell how types are known: identifier, MIME types, extensions, X11 targets.",
        discussion: """
            Writes 'key: value' lines, several values joined by ', ', and a blank line between types: identifier; mime; \
            extensions; targets, those it is offered under before those that are only understood; conforms-to, with \
            every ancestor, the nearest first; declared, by the user, by xpb, by the desktop or not at all ('no'); and \
            description, where there is one.

            A pattern such as image/* stands for every type that the user or xpb declares and of which the identifier, \
            a MIME type or a target fits. A name that nobody knows has a dynamic identifier, which leads back to it.

            It needs no display and no bridge.
            """)

    @OptionGroup var common: CommonFlags

    @Argument(help: ArgumentHelp("What to tell about.", valueName: "TYPE"))
    var types: [String]

    func perform(in session: Session) throws {
        guard session.common.pasteboards.isEmpty else {
            throw Failure.usage("map is about no pasteboard; leave -p out")
        }
        session.lookTypesUp()
        var reports: [TypeReport] = []
        for type in types { reports += try TypeReport.reports(for: type) }
        for fault in TypeDatabase.user().faults { session.console.say("\(fault)") }
        if session.common.json {
            try session.output.write(json: MapJSON(types: reports))
        } else {
            try session.output.write(Self.text(reports))
        }
    }

    static func text(_ reports: [TypeReport]) -> String {
        reports.map { report in report.lines.map { Line.text([$0]) }.joined() }.joined(separator: "\n")
    }
}

/// What `map --json` writes.
private struct MapJSON: Encodable {
    let types: [TypeReport]
}

/// All that is known of a type: what `map` tells.
struct TypeReport: Encodable, Equatable {
    /// Who declares a type.
    enum Declarer: String, Encodable {
        case user, xpb, desktop, no
    }

    let identifier: String
    let mime: [String]
    let extensions: [String]
    /// The one asked for, those it is offered under, those understood.
    let targets: [String]
    /// The nearest first.
    let conformsTo: [String]
    let description: String?
    let declared: Declarer

    /// - Parameter target: The name asked for, where that is a target's.
    init(_ type: UniformType, target: String?) {
        identifier = type.identifier
        mime = type.tags[.mimeType] ?? []
        extensions = type.tags[.filenameExtension] ?? []
        let others = X11Targets.names(for: type, given: target, exact: false) + X11Targets.understood(for: type)
        // Byte by byte: for strings, the Kelvin sign is a K.
        targets =
            [target].compactMap(\.self)
            + others.filter { name in
                target.map { !$0.utf8.elementsEqual(name.utf8) } ?? true
            }
        conformsTo = type.supertypes.map(\.identifier)
        description = type.typeDescription
        declared = Self.declarer(of: type)
    }

    private static func declarer(of type: UniformType) -> Declarer {
        if TypeDatabase.user().declarations.contains(where: { UniformType($0.identifier) == type }) { return .user }
        if type.isBuiltIn { return .xpb }
        let essence = type.preferredMIMEType.map { $0.prefix { $0 != ";" && $0 != " " }.lowercased() }
        return essence.map(TypeDatabase.desktop.knows(mimeType:)) == true ? .desktop : .no
    }

    /// A line each.
    var lines: [String] {
        let values = [
            ("identifier", [identifier]), ("mime", mime), ("extensions", extensions), ("targets", targets),
            ("conforms-to", conformsTo), ("declared", [declared.rawValue]),
        ]
        let lines = values.map { key, values in
            values.isEmpty ? "\(key):" : "\(key): \(values.joined(separator: ", "))"
        }
        return lines + [description].compactMap(\.self).map { "description: \($0)" }
    }
}

extension TypeReport {
    /// The types that a TYPE means: one, or with a pattern every declared type of which the identifier, a MIME type or
    /// a target fits.
    static func reports(for name: String) throws(Failure) -> [TypeReport] {
        guard let query = TypeQuery.parse(name) else {
            throw .usage(
                "'\(name)' can be no type; a TYPE is like public.html, text/html, UTF8_STRING, .png, text or image/*")
        }
        guard !X11Targets.isProtocolTarget(name) else {
            throw .usage("'\(name)' is a part of the X11 selection protocol, and no type of contents")
        }
        switch query {
        case .class(let known): return [TypeReport(known.type, target: nil)]
        case .mimeType, .target: return [TypeReport(UniformType(target: name), target: name)]
        case .identifier(let type):
            // A target may look like an identifier and stand for another type.
            let target = UniformType(target: name)
            let isTarget = name.utf8.first != UInt8(ascii: ".") && !type.isDeclared && !type.isDynamic && target != type
            return [isTarget ? TypeReport(target, target: name) : TypeReport(type, target: nil)]
        case .pattern:
            let types = declared.filter { type in
                let names = [nil] + ((type.tags[.mimeType] ?? []) + X11Targets.understood(for: type)).map(Optional.some)
                return TypeQuery.best(of: names.map { (type, $0) }, for: [query]) != nil
            }
            if types.isEmpty { throw Failure(.nothing, "no declared type fits '\(name)'") }
            return types.map { TypeReport($0, target: nil) }
        }
    }

    /// The user's first, each once.
    private static var declared: [UniformType] {
        let user = TypeDatabase.user().declarations.compactMap { UniformType($0.identifier) }
        return user + UniformType.builtIn.filter { !user.contains($0) }
    }
}
