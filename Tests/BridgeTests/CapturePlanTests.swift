import Bridge
import BridgeState
import Configuration
import Testing

@Suite struct CapturePlanTests {
    private static let gtk3 = ["TIMESTAMP", "TARGETS", "MULTIPLE", "SAVE_TARGETS"]
    private static let texts = [
        "UTF8_STRING", "COMPOUND_TEXT", "TEXT", "STRING", "text/plain;charset=utf-8", "text/plain",
    ]

    private func plan(
        _ targets: [String], program: String? = nil, _ change: (inout Configuration) -> Void = { _ in }
    ) throws(CaptureRefusal) -> CapturePlan {
        var configuration = Configuration()
        change(&configuration)
        return try CapturePlan(targets, program: program, rules: CaptureRules(configuration))
    }

    private func atEnd(_ targets: [String], only: [String]? = nil) throws(CaptureRefusal) -> CapturePlan {
        try CapturePlan(targets, program: nil, rules: CaptureRules(atEnd: Configuration(), only: only))
    }

    // MARK: Captured targets

    @Test(
        "Targets are captured in order of cost, without equivalents of the same text or image",
        arguments: [
            (gtk3 + texts, ["UTF8_STRING"]),
            (["image/png", "text/html"] + texts, ["UTF8_STRING", "text/html", "image/png"]),
            (
                ["com.example.note", "text/uri-list", "text/rtf", "text/html", "UTF8_STRING"],
                ["UTF8_STRING", "text/html", "text/rtf", "text/uri-list", "com.example.note"]
            ),
            (
                ["x-special/gnome-copied-files", "text/uri-list", "application/x-kde-cutselection", "text/plain"],
                ["text/plain", "x-special/gnome-copied-files", "text/uri-list", "application/x-kde-cutselection"]
            ),
            (
                ["image/bmp", "image/jpeg", "image/png", "image/tiff", "PIXMAP", "BITMAP"],
                ["image/png"]
            ),
            (["image/bmp", "image/jpeg"], ["image/bmp"]),
            (["image/xpm", "image/xbm", "image/cur", "image/jpg", "image/png"], ["image/png"]),
            (["STRING"], ["STRING"]),
            (
                ["text/plain;charset=ISO-10646-UCS-2", "text/unicode", "text/html", "UTF8_STRING"],
                ["UTF8_STRING", "text/html"]
            ),
            (["text/unicode"], ["text/unicode"]),
            (
                ["text/plain;charset=iso-8859-15", "com.example.a", "TEXT"],
                ["TEXT", "com.example.a", "text/plain;charset=iso-8859-15"]
            ),
            (
                ["DELETE", "INSERT_SELECTION", "INSERT_PROPERTY", "TK_WINDOW", "application/x-qt-image", "STRING"],
                ["STRING"]
            ),
            (["image/svg+xml", "image/png"], ["image/svg+xml", "image/png"]),
            (["PNG", "JFIF", "image/jpeg", "image/png"], ["image/png"]),
            (["JFIF", "PNG"], ["JFIF"]),
            (["image/webp", "audio/x-riff"], ["image/webp"]),
            (["audio/x-riff"], ["audio/x-riff"]),
            (["FILE_NAME", "text/uri-list"], ["text/uri-list"]),
        ])
    func order(listed: [String], taken: [String]) throws {
        #expect(try plan(listed).targets == taken)
    }

    @Test("FILE_NAME is requested only if its program asks for it")
    func fileName() throws {
        #expect(throws: CaptureRefusal.nothing) { try plan(["TARGETS", "FILE_NAME"]) }
        #expect(throws: CaptureRefusal.nothing) { try atEnd(["FILE_NAME"]) }
        #expect(try atEnd(["FILE_NAME"], only: ["FILE_NAME"]).targets == ["FILE_NAME"])
    }

    @Test("Pages, metafiles and whole documents are not captured from any program")
    func expensive() throws {
        let listed = [
            "application/postscript", "application/pdf", "image/x-emf", "image/x-wmf",
            "application/vnd.oasis.opendocument.text", "application/vnd.ms-excel", "text/plain",
            "ENCAPSULATED_POSTSCRIPT", "application/x-foo;windows_formatname=\"Star Embed Source (XML)\"",
        ]
        #expect(try plan(listed).targets == ["text/plain"])
        #expect(try atEnd(listed).targets.count == listed.count)
    }

    @Test(
        "Only text, links and drawings are captured from programs that render on request",
        arguments: [
            ("soffice.bin", "image/jpeg"), ("inkscape", "image/jpeg"), ("gimp-2.10", "image/jpeg"),
            (nil, "image/x-inkscape-svg"), (nil, "application/x-openoffice-objectdescriptor-xml"), (nil, "image/x-xcf"),
        ] as [(String?, String)])
    func renderers(program: String?, target: String) throws {
        let listed = [target, "image/png", "image/svg+xml", "com.example.a", "text/rtf", "text/html", "UTF8_STRING"]
        let drawings = [target].filter { $0 == "image/x-inkscape-svg" } + ["image/svg+xml"]
        #expect(
            try plan(listed, program: program).targets == ["UTF8_STRING", "text/html", "text/rtf"] + drawings)
    }

    @Test("One image is captured from a program that renders on request, if it offers neither text nor a drawing")
    func renderedImage() throws {
        let images = ["image/png", "image/bmp", "image/tiff", "image/jpeg"]
        let plan = try plan(images, program: "gimp-2.10")
        #expect(plan.targets == ["image/png"] && plan.renderedImage == "image/png")
        // LibreOffice would render the image of a sheet.
        let sheet = ["application/x-openoffice-gdimetafile", "image/png", "text/html", "text/plain;charset=utf-8"]
        #expect(try self.plan(sheet, program: "soffice.bin").targets == ["text/plain;charset=utf-8", "text/html"])
        let document = "application/x-openoffice-embed-source-xml"
        let atEnd = try atEnd(sheet + [document, "application/x-dif"])
        #expect(atEnd.targets == ["text/plain;charset=utf-8", "text/html", "application/x-dif", document])
        #expect(atEnd.extras == ["application/x-dif", document])
        #expect(try self.plan(images, program: "eog").renderedImage == nil)
    }

    @Test("Both forms of an Inkscape drawing are captured, but no form that Inkscape renders")
    func inkscape() throws {
        let listed = [
            "image/x-inkscape-svg", "text/plain", "image/png", "image/svg+xml", "image/x-inkscape-svg-compressed",
            "application/pdf", "image/dxf",
        ]
        let plan = try plan(listed, program: "inkscape")
        #expect(plan.targets == ["text/plain", "image/x-inkscape-svg", "image/svg+xml"])
        #expect(plan.drawings == ["image/x-inkscape-svg", "image/svg+xml"])
    }

    @Test("The other names of text are alternatives to its best name")
    func names() throws {
        let plan = try plan(Self.gtk3 + Self.texts + ["text/plain;charset=UTF-8"])
        #expect(plan.texts.first == "UTF8_STRING" && plan.texts.last == "text/plain")
        #expect(Set(plan.texts) == Set(Self.texts + ["text/plain;charset=UTF-8"]))
    }

    @Test("The type that represents the contents is the first captured type in the owner's list")
    func first() throws {
        #expect(try plan(["PIXMAP", "image/png", "text/html"]).first == "image/png")
        #expect(try plan(["PIXMAP", "image/png", "text/html"]) { $0.captureImages = false }.first == "text/html")
    }

    @Test("Targets are sorted by cost, and the list is cut at capture-count")
    func count() throws {
        let listed = (0..<50).map { "com.example.\($0)" } + ["text/html", "UTF8_STRING"]
        let plan = try plan(listed) { $0.captureCount = 3 }
        #expect(plan.targets == ["UTF8_STRING", "text/html", "com.example.0"])
        #expect(!plan.isWhole)
    }

    // MARK: Refusals

    @Test(
        "Secrets are not captured, however their marks are spelled",
        arguments: [
            "x-kde-passwordManagerHint", "X-KDE-PasswordManagerHint", "org.nspasteboard.ConcealedType",
            "org.nspasteboard.concealedtype", "org.nspasteboard.TransientType",
            "application/x-nspasteboard-concealed-type", "application/x-kde-passwordmanagerhint",
        ])
    func secrets(mark: String) {
        #expect(throws: CaptureRefusal.secret) { try plan(["UTF8_STRING", mark]) }
        #expect(throws: CaptureRefusal.secret) { try atEnd(["UTF8_STRING", mark], only: ["UTF8_STRING"]) }
    }

    @Test(
        "From a program that looks like GTK 4, only data in one piece is captured, and only when the program ends")
    func gtk4() throws {
        let listed = ["SAVE_TARGETS", "TIMESTAMP", "TARGETS"] + Self.texts
        #expect(throws: CaptureRefusal.gtk4) { try plan(listed) }
        #expect(try atEnd(listed).targets == ["UTF8_STRING"] && !atEnd(listed).acceptsPieces)
        let allowed = try plan(listed) { $0.captureGTK4 = true }
        #expect(allowed.targets == ["UTF8_STRING"] && allowed.acceptsPieces)
        let other = try plan(listed + ["MULTIPLE"])
        #expect(other.targets == ["UTF8_STRING"] && other.acceptsPieces)
    }

    @Test("Programs can be excepted by name")
    func excepted() throws {
        #expect(throws: CaptureRefusal.excepted("mpv")) {
            try plan(["UTF8_STRING"], program: "mpv") { $0.captureExcept = ["vlc", "mpv"] }
        }
        #expect(throws: CaptureRefusal.excepted("gnome-text-edit")) {
            try plan(["UTF8_STRING"], program: "gnome-text-edit") { $0.captureExcept = ["gnome-text-editor"] }
        }
        #expect(try plan(["UTF8_STRING"], program: "gedit") { $0.captureExcept = ["mpv"] }.targets == ["UTF8_STRING"])
    }

    @Test(
        "A list without targets to capture is refused as nothing",
        arguments: [[], ["TARGETS", "DELETE"]])
    func nothing(listed: [String]) {
        #expect(throws: CaptureRefusal.nothing) { try plan(listed) }
    }

    @Test("A refusal names the rule that caused it")
    func rules() {
        #expect(throws: CaptureRefusal.rendered) { try plan(["application/pdf"]) }
        #expect(throws: CaptureRefusal.images) { try plan(["image/png"]) { $0.captureImages = false } }
    }

    // MARK: At the owner's end

    @Test("At its end, an owner is asked for one image, or for every image that it names")
    func asked() throws {
        let listed = ["image/bmp", "image/png", "text/html"] + Self.texts
        #expect(try atEnd(listed).targets == ["UTF8_STRING", "text/html", "image/png"])
        let plan = try atEnd(listed, only: ["image/png", "image/bmp", "STRING"])
        #expect(plan.targets == ["STRING", "image/png", "image/bmp"])
        #expect(plan.isWhole)
    }

    @Test("A request for targets that are not on offer captures nothing")
    func askedForMissing() {
        #expect(throws: CaptureRefusal.nothing) { try atEnd(["UTF8_STRING"], only: ["text/html"]) }
    }
}
