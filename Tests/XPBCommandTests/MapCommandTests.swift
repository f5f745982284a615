import CommandCore
import Commands
import Testing
import UniformTypes
import XPBCommand

@Suite struct TypeReportTests {
    private func report(_ name: String) throws -> TypeReport {
        let reports = try TypeReport.reports(for: name)
        #expect(reports.count == 1)
        return try #require(reports.first)
    }

    @Test(
        "A type is found by every kind of name",
        arguments: [
            ("public.html", "public.html"), ("PUBLIC.HTML", "PUBLIC.HTML"), ("text/html", "public.html"),
            (".HTML", "public.html"), ("html", "public.html"), ("text", "public.text"), ("files", "public.file-url"),
            ("video", "public.movie"), ("UTF8_STRING", "public.utf8-plain-text"),
            ("x-kde-passwordManagerHint", "org.nspasteboard.ConcealedType"),
            ("com.example.custom", "com.example.custom"),
            ("com.trolltech.anymime.text--html", "public.html"),
        ])
    func names(name: String, identifier: String) throws {
        #expect(try report(name).identifier == identifier)
    }

    @Test(
        "The requested target comes first, and only once",
        arguments: [
            "TEXT", "text/plain;charset=utf-8", "application/rtf", "image/x-MS-bmp", "image/x-png", "Foo Bar, Baz",
            "application/x-Unknown; a=\"b c\"", "x-special/gnome-copied-files", "com.example.custom", "\u{212A}",
        ])
    func target(name: String) throws {
        let targets = try report(name).targets
        #expect(targets.first.map { Array($0.utf8) } == Array(name.utf8))
        #expect(Set(targets.map { Array($0.utf8) }).count == targets.count)
    }

    @Test("The report has a line for each key, even without a value")
    func lines() throws {
        let svg = try report("image/svg+xml").lines
        #expect(
            svg.prefix(4) == [
                "identifier: public.svg-image", "mime: image/svg+xml", "extensions: svg, svgz",
                "targets: image/svg+xml",
            ])
        #expect(svg[4].hasPrefix("conforms-to: public.image, public.xml, "))
        #expect(svg[5] == "declared: xpb")
        #expect(
            try report("Foo Bar").lines == [
                "identifier: dyn.ah62d4rv4gu8yq55tebbgc6u", "mime:", "extensions:", "targets: Foo Bar",
                "conforms-to: public.data, public.item", "declared: no",
            ])
    }

    @Test("An unknown name can be read back from its dynamic identifier")
    func dynamic() throws {
        for name in ["Foo Bar", "application/x-unknown-1", "a=b:c,d\\?"] {
            let identifier = try report(name).identifier
            #expect(identifier.hasPrefix("dyn."))
            #expect(try report(identifier).targets == [name])
        }
    }

    @Test("A name with a newline in it does not break a line")
    func newline() throws {
        // The identifier of the target "a\nb".
        let report = try report(UniformType(target: "a\nb").identifier)
        #expect(report.targets == ["a\nb"])
        #expect(TypeReport.text([report]).split(separator: "\n").count == report.lines.count)
        #expect(TypeReport.text([report]).contains("targets: a\u{FFFD}b\n"))
    }

    @Test("A pattern stands for every declared type with a matching name")
    func patterns() throws {
        let images = try TypeReport.reports(for: "image/*").map(\.identifier)
        #expect(images.contains("public.png") && images.contains("com.microsoft.bmp") && images.count > 20)
        #expect(try TypeReport.reports(for: "*gnome-copied*").map(\.identifier) == ["public.file-url"])
        #expect(try TypeReport.reports(for: "PUBLIC.SVG-*").map(\.identifier) == ["public.svg-image"])
        #expect(throws: Failure(.nothing, "no declared type matches 'nothing/*'")) {
            try TypeReport.reports(for: "nothing/*")
        }
    }

    @Test(
        "Targets of the protocol and invalid names are usage errors",
        arguments: ["TARGETS", "MULTIPLE", "DELETE", "", ".", "a\nb"])
    func refused(name: String) {
        #expect(performing: { try TypeReport.reports(for: name) }, throws: { ($0 as? Failure)?.status == .usage })
    }

    @Test("Types are separated by a blank line")
    func several() throws {
        let text = TypeReport.text([try report("public.png"), try report("public.jpeg")])
        #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
        #expect(text.split(separator: "\n\n").map { $0.prefix(19) } == ["identifier: public.", "identifier: public."])
    }
}
