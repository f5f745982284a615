import Testing
import UniformTypes

@Suite struct X11TargetsTests {
    @Test(
        "Every target has a type, which is offered under that target",
        arguments: [
            "UTF8_STRING", "text/plain;charset=UTF-8", "text/plain", "STRING", "application/rtf", "image/x-MS-bmp",
            "com.example.Custom", "public.png", "chromium/x-web-custom-data",
            "JAVA_DATAFLAVOR:application/x; class=a.b",
            "application/x-qt-windows-mime;value=\"A b\"", "text/x-kaya; charset=utf-8", "é", "_NETSCAPE_URL", "a b",
        ])
    func roundTrip(target: String) {
        let type = UniformType(target: target)
        #expect(X11Targets.names(for: type, given: target, exact: true) == [target])
        #expect(X11Targets.names(for: type, given: target, exact: false).contains(target))
        if type.isDynamic || !type.isDeclared {
            #expect(X11Targets.names(for: type, given: nil, exact: false) == [target])
        }
    }

    @Test(
        "Every target under which a type is offered has that type",
        arguments: [
            UniformType.html, .rtf, .png, .jpeg, .tiff, .gif, .bmp, .webP, .svg, .pdf, .url, .fileURL, .color, .xml,
            .json,
        ])
    func offered(type: UniformType) {
        for name in X11Targets.names(for: type, given: nil, exact: false) {
            #expect(UniformType(target: name) == type)
        }
    }

    @Test("Text is offered under all of its targets, preferred target first")
    func text() {
        let names = X11Targets.names(for: .utf8PlainText, given: nil, exact: false)
        #expect(names.first == "UTF8_STRING")
        #expect(Set(names).isSuperset(of: ["text/plain;charset=utf-8", "text/plain", "STRING", "TEXT"]))
        #expect(X11Targets.names(for: .utf8PlainText, given: nil, exact: true) == ["UTF8_STRING"])
    }

    @Test("A type without a target is offered under its identifier")
    func identifierAsTarget() throws {
        let custom = try #require(UniformType("com.example.custom"))
        #expect(X11Targets.names(for: custom, given: nil, exact: false) == ["com.example.custom"])
        #expect(X11Targets.names(for: .image, given: nil, exact: true) == ["public.image"])
    }

    @Test("Targets of the protocol are distinguished from contents")
    func protocolTargets() {
        for target in ["TARGETS", "MULTIPLE", "TIMESTAMP", "DELETE", "SAVE_TARGETS", "INSERT_SELECTION"] {
            #expect(X11Targets.isProtocolTarget(target))
        }
        for target in ["TEXT", "STRING", "UTF8_STRING", "FILE_NAME", "image/png"] {
            #expect(!X11Targets.isProtocolTarget(target) && !X11Targets.isIgnored(target))
        }
        #expect(X11Targets.isIgnored("TK_WINDOW") && X11Targets.isIgnored("chromium/x-internal-source-rfh-token"))
    }

    @Test("The given target is among the results, even if Swift considers another target equal")
    func given() {
        let greek = "text/plain\u{37E}charset=utf-8"
        #expect(
            X11Targets.names(for: .utf8PlainText, given: greek, exact: false).first?.utf8.elementsEqual(greek.utf8)
                == true)
        #expect(TypeQuery.best(of: [(.png, greek)], for: [.target("text/plain;charset=utf-8")]) == nil)
        #expect(!X11Targets.isProtocolTarget("\u{212A}") && !X11Targets.isIgnored("TK"))
    }

    @Test("The understood targets of a type have that type, but the type is not offered under them")
    func understood() {
        for type in UniformType.builtIn {
            let offered = X11Targets.names(for: type, given: nil, exact: false)
            for target in X11Targets.aliases(for: type) {
                #expect(UniformType(target: target) == type && !offered.contains(target), "\(type): \(target)")
            }
            let small = X11Targets.aliases(for: type).map { $0.lowercased() }
            #expect(Set(small).count == small.count, "\(type): a name is listed twice")
        }
        #expect(X11Targets.aliases(for: .png) == ["Apple PNG pasteboard type", "PNG", "image/x-png"])
        #expect(X11Targets.aliases(for: .fileURL).contains("FILE_NAME"))
        #expect(X11Targets.aliases(for: .item) == [])
        #expect(X11Targets.aliases(for: .fileURL).contains("x-special/KDE-copied-files"))
        #expect(X11Targets.aliases(for: .bmp).contains("image/x-MS-bmp"))
    }
}
