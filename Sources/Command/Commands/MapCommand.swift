import ArgumentParser
package import CommandCore
import TypeDatabase
import UniformTypes

struct MapCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "map", abstract: "Show the names of types: identifier, MIME types, extensions, X11 targets.",
        discussion: """
            Writes 'key: value' lines, several values joined by ', ', and a blank line between types:

              identifier   the type identifier
              mime         MIME types, preferred first
              extensions   filename extensions
              targets      X11 targets; first those under which the type is offered
              conforms-to  all ancestors, nearest first
              declared     the declarer: user, xpb or desktop; or no
              description  a description, if there is one

            A pattern such as image/* stands for every type declared by the user or xpb whose identifier, MIME type or \
            target matches. A name that is not declared has a dynamic identifier, from which the name can be read back.

            Works without a display and without a bridge.

              xpb map .png
              xpb map 'image/*'
            """)

    @Argument(help: ArgumentHelp("The types to show.", valueName: "TYPE"), completion: .builtInTypes)
    var types: [String]

    @OptionGroup(title: CommonFlags.title) var common: CommonFlags

    func perform(in session: Session) throws {
        session.installTypes()
        var reports: [TypeReport] = []
        for type in types { reports += try TypeReport.reports(for: type) }
        for fault in TypeDatabase.user().faults { session.console.say("\(fault)") }
        if session.common.json {
            try session.output.write(json: ["types": reports])
        } else {
            try session.output.write(TypeReport.text(reports))
        }
    }
}

/// Everything known about a type.
package struct TypeReport: Encodable, Equatable {
    /// The origin of a declaration.
    package enum Declarer: String, Encodable {
        case user, xpb, desktop, no
    }

    package let identifier: String
    package let mime: [String]
    package let extensions: [String]
    /// The requested target, then the targets under which the type is offered, then the targets that are only read.
    package let targets: [String]
    /// The ancestors, nearest first.
    package let conformsTo: [String]
    package let description: String?
    package let declared: Declarer

    /// - Parameter target: The requested name, if it is a target.
    init(_ type: UniformType, target: String?) {
        identifier = type.identifier
        mime = type.tags[.mimeType] ?? []
        extensions = type.tags[.filenameExtension] ?? []
        let others = X11Targets.names(for: type, given: target, exact: false) + X11Targets.aliases(for: type)
        // The comparison is by bytes, since strings consider the Kelvin sign equal to K.
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

    package var lines: [String] {
        let values = [
            ("identifier", [identifier]), ("mime", mime), ("extensions", extensions), ("targets", targets),
            ("conforms-to", conformsTo), ("declared", [declared.rawValue]),
        ]
        let lines = values.map { key, values in
            values.isEmpty ? "\(key):" : "\(key): \(values.joined(separator: ", "))"
        }
        return lines + [description].compactMap(\.self).map { "description: \($0)" }
    }

    /// Returns the lines of several reports, with blank lines between them.
    package static func text(_ reports: [TypeReport]) -> String {
        reports.map { report in report.lines.map { Line.text([$0]) }.joined() }.joined(separator: "\n")
    }
}

extension TypeReport {
    /// Returns reports on the types that a TYPE names: one type, or every declared type that matches a pattern.
    package static func reports(for name: String) throws(Failure) -> [TypeReport] {
        guard let query = TypeQuery.parse(name) else {
            throw .notAType(name)
        }
        guard !X11Targets.isProtocolTarget(name) else {
            throw .usage("'\(name)' is a part of the X11 selection protocol and not a type")
        }
        switch query {
        case .class(let known): return [TypeReport(known.type, target: nil)]
        case .mimeType, .target: return [TypeReport(UniformType(target: name), target: name)]
        case .identifier(let type):
            // A target may look like an identifier but stand for another type.
            let target = UniformType(target: name)
            let isTarget = name.utf8.first != UInt8(ascii: ".") && !type.isDeclared && !type.isDynamic && target != type
            return [isTarget ? TypeReport(target, target: name) : TypeReport(type, target: nil)]
        case .pattern:
            let types = declared.filter { type in
                let names = [nil] + ((type.tags[.mimeType] ?? []) + X11Targets.aliases(for: type)).map(Optional.some)
                return TypeQuery.best(of: names.map { (type, $0) }, for: [query]) != nil
            }
            if types.isEmpty { throw Failure(.nothing, "no declared type matches '\(name)'") }
            return types.map { TypeReport($0, target: nil) }
        }
    }

    /// The declared types, each once, beginning with the user's.
    private static var declared: [UniformType] {
        let user = TypeDatabase.user().declarations.compactMap { UniformType($0.identifier) }
        return user + UniformType.builtIn.filter { !user.contains($0) }
    }
}
