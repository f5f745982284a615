import Testing
import UniformTypes

/// The table of X11 targets, row by row.
@Suite struct TargetTableTests {
    private static func rows(_ classes: String...) throws -> [(target: String, identifier: String)] {
        try Table.rows("x11-targets.tsv").filter { classes.contains($0[1]) }.map { ($0[0], $0[2]) }
    }

    @Test("Every target of contents and every marker has its type, which is offered under that target")
    func contents() throws {
        let rows = try Self.rows("data", "marker")
        #expect(rows.count > 100)
        for (target, identifier) in rows {
            switch identifier {
            // These rows are rules rather than names, and are tested separately.
            case "MIME of the suffix", "org.w3.web-custom-format.type-N": continue
            case "none (Cut flag)": #expect(UniformType(target: target).isDynamic)
            default: #expect(UniformType(target: target).identifier == identifier, "\(target)")
            }
            let type = UniformType(target: target)
            #expect(X11Targets.names(for: type, given: target, exact: false).contains(target))
            #expect(!X11Targets.isProtocolTarget(target), "\(target)")
        }
    }

    @Test("Every target of the protocol is recognized")
    func protocolTargets() throws {
        let rows = try Self.rows("protocol")
        #expect(rows.count > 30)
        for row in rows { #expect(X11Targets.isProtocolTarget(row.target), "\(row.target)") }
    }

    @Test("A target that only its owner understands is noise, unless it is passed through unchanged")
    func internals() throws {
        let rows = try Self.rows("internal")
        #expect(rows.count > 15)
        for row in rows {
            #expect(X11Targets.isIgnored(row.target) == (row.identifier != "dynamic"), "\(row.target)")
            if row.identifier == "dynamic" {
                let type = UniformType(target: row.target)
                #expect(type.isDynamic, "\(row.target)")
                #expect(X11Targets.names(for: type, given: nil, exact: false) == [row.target])
            }
        }
    }

    @Test(
        "A target that describes its owner, has a side effect or is a server resource is not contents",
        arguments: [
            "LENGTH", "LIST_LENGTH", "HOSTNAME", "USER", "CLASS", "CLIENT_WINDOW", "TK_APPLICATION", "TK_WINDOW",
            "DELETE", "INSERT_SELECTION", "INSERT_PROPERTY", "SAVE_TARGETS", "chromium/x-internal-source-rfh-token",
            "PIXMAP", "BITMAP",
        ])
    func dropped(target: String) {
        #expect(X11Targets.isProtocolTarget(target) || X11Targets.isIgnored(target))
    }

    @Test("Every target has the class that the second table gives it")
    func more() throws {
        for row in try Table.rows("more-targets.tsv") {
            switch row[1] {
            case "data": #expect(UniformType(target: row[0]).identifier == row[2], "\(row[0])")
            case "protocol": #expect(X11Targets.isProtocolTarget(row[0]), "\(row[0])")
            case "noise": #expect(X11Targets.isIgnored(row[0]), "\(row[0])")
            default: Issue.record("\(row)")
            }
        }
    }

    @Test("Every type except plain text, whose targets indicate an encoding, is offered under targets with that type")
    func offered() throws {
        for row in try Table.rows("uniform-types.tsv") {
            let type = try #require(UniformType(row[0]))
            let names = X11Targets.names(for: type, given: nil, exact: false)
            #expect(!names.isEmpty)
            for name in names where type != .plainText && type != .utf8PlainText {
                // If several types have the same MIME type, one of them is chosen.
                let isShared = UniformType.types(tag: name, tagClass: .mimeType).count > 1
                #expect(UniformType(target: name) == type || isShared, "\(type) is offered as \(name)")
            }
        }
        for row in try Table.rows("offered-targets.tsv") {
            let type = try #require(UniformType(row[0]))
            #expect(
                X11Targets.names(for: type, given: nil, exact: false) == row[1].split(separator: " ").map(String.init))
            #expect(type.isDeclared)
        }
    }

    @Test("The two targets that mark a secret have the same type, which is offered under both")
    func concealed() throws {
        let concealed = UniformType(target: "x-kde-passwordManagerHint")
        #expect(concealed.identifier == "org.nspasteboard.ConcealedType")
        let names = X11Targets.names(for: concealed, given: nil, exact: false)
        #expect(names == ["x-kde-passwordManagerHint", "org.nspasteboard.ConcealedType"])
    }

    @Test("Qt's target for a MIME type has the type of that MIME type if one is declared")
    func qt() {
        #expect(UniformType(target: "com.trolltech.anymime.image--png") == .png)
        #expect(UniformType(target: "com.trolltech.anymime.image--svg+xml") == .svg)
        #expect(UniformType(target: "com.trolltech.anymime.text--plain") == .plainText)
        #expect(UniformType(target: "com.trolltech.anymime.text--plain;charset=utf-8") == .utf8PlainText)
        for target in [
            "com.trolltech.anymime.application--x-kaya", "com.trolltech.anymime.", "com.trolltech.anymime.--",
            "com.trolltech.anymime.image-png", "com.trolltech.anymime.x--vnd.y+z",
        ] {
            #expect(X11Targets.names(for: UniformType(target: target), given: nil, exact: false) == [target])
        }
    }
}
