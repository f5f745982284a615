import ArgumentParser
import TypeDatabase
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
