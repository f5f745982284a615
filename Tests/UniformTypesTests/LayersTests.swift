import TestRandom
import Testing
import UniformTypes

@Suite struct LayersTests {
    /// A database of the desktop with given contents.
    private struct Desktop: DesktopTypes {
        var aliases: [String: String] = [:]
        var parents: [String: [String]] = [:]
        var globs: [String: String] = [:]

        func canonicalName(ofMIMEType name: String) -> String? { aliases[name] }
        func parents(ofMIMEType name: String) -> [String] { parents[name] ?? [] }
        func mimeType(ofExtension name: String) -> String? { globs[name] }
        func extensions(ofMIMEType name: String) -> [String] { globs.filter { $0.value == name }.keys.sorted() }
    }

    private static func layers(
        user: [TypeDeclaration] = [], app: [TypeDeclaration] = [], desktop: (any DesktopTypes)? = nil
    ) -> Layers {
        Layers(user: DeclarationLayer(user), app: DeclarationLayer(app), desktop: desktop)
    }

    private func mime(_ name: String, in layers: Layers) -> String? {
        MIMEType(name).flatMap { layers.type(ofMIMEType: $0) }?.identifier
    }

    private let note = TypeDeclaration(
        identifier: "com.example.Note", conformsTo: ["public.text"], mimeTypes: ["text/x-note", "image/png"],
        filenameExtensions: ["note", "TXT"], targets: ["EXAMPLE_NOTE", "STRING", "text/X-Note"], description: "a note")

    @Test("The user's tags precede built-in ones, and other names keep their built-in type")
    func userFirst() {
        let layers = Self.layers(user: [note])
        #expect(mime("Text/X-Note", in: layers) == "com.example.Note")
        #expect(mime("image/png", in: layers) == "com.example.Note")
        #expect(mime("image/x-png", in: layers) == "public.png")
        #expect(layers.type(ofExtension: "txt")?.identifier == "com.example.Note")
        #expect(layers.type(ofExtension: "text")?.identifier == "public.plain-text")
        #expect(layers.type(ofTarget: "STRING")?.identifier == "com.example.Note")
        #expect(layers.type(ofTarget: "EXAMPLE_NOTE")?.identifier == "com.example.Note")
        #expect(layers.type(ofTarget: "example_note") == nil)
        #expect(layers.type(ofTarget: "TEXT")?.identifier == "public.plain-text")
        let type = UniformType(unchecked: "com.example.note")
        #expect(layers.isDeclared(type) && layers.conforms(type, to: .data) && !layers.conforms(type, to: .plainText))
        #expect(layers.targets(of: type) == note.targets)
        #expect(layers.description(of: type) == "a note")
    }

    @Test("A program's tags follow built-in tags, and the user's tags for the program's type precede its own tags")
    func appLast() {
        let layers = Self.layers(
            user: [TypeDeclaration(identifier: "com.example.note", mimeTypes: ["text/x-jotting"])], app: [note])
        #expect(mime("image/png", in: layers) == "public.png")
        #expect(layers.type(ofTarget: "STRING") == .plainText)
        #expect(mime("text/x-note", in: layers) == "com.example.Note")
        let type = UniformType(unchecked: "com.example.note")
        #expect(layers.mimeTypes(of: type) == ["text/x-jotting", "text/x-note", "image/png"])
        #expect(layers.targets(of: type) == ["text/x-jotting"] + note.targets)
        #expect(layers.conforms(type, to: .text))
    }

    @Test("A charset has its own type, even if the user declares the bare text/plain")
    func charset() {
        let layers = Self.layers(user: [TypeDeclaration(identifier: "com.example.plain", mimeTypes: ["text/plain"])])
        #expect(mime("text/plain", in: layers) == "com.example.plain")
        #expect(mime("text/plain;charset=utf-8", in: layers) == "public.utf8-plain-text")
        #expect(mime("text/plain;charset=koi8-r", in: layers) == "com.example.plain")
    }

    @Test("A user's declaration of a built-in type adds tags and replaces its supertypes")
    func redefinition() {
        let layers = Self.layers(user: [
            TypeDeclaration(identifier: "com.example.picture", conformsTo: ["public.data"]),
            TypeDeclaration(
                identifier: "public.PNG", conformsTo: ["com.example.picture"], mimeTypes: ["image/x-our-png"]),
        ])
        #expect(layers.mimeTypes(of: .png) == ["image/x-our-png", "image/png"])
        #expect(layers.targets(of: .png) == ["image/x-our-png", "image/png"])
        #expect(layers.supertypes(of: .png).map(\.identifier) == ["com.example.picture", "public.data", "public.item"])
        #expect(!layers.conforms(.png, to: .image) && layers.conforms(.jpeg, to: .image))
        #expect(layers.description(of: .png) == "PNG image")
        let tagsAlone = Self.layers(user: [TypeDeclaration(identifier: "public.png", filenameExtensions: ["pong"])])
        #expect(tagsAlone.conforms(.png, to: .image))
        #expect(tagsAlone.type(ofExtension: "pong") == .png)
    }

    @Test("A search through circular declarations ends where it began")
    func circles() {
        let layers = Self.layers(
            user: [
                TypeDeclaration(identifier: "a.b", conformsTo: ["a.c"]),
                TypeDeclaration(identifier: "a.c", conformsTo: ["a.b", "public.png"]),
                TypeDeclaration(identifier: "public.data", conformsTo: ["a.b"]),
            ], app: [TypeDeclaration(identifier: "a.d", conformsTo: ["a.b"])])
        let (b, d) = (UniformType(unchecked: "a.b"), UniformType(unchecked: "a.d"))
        #expect(layers.conforms(b, to: .image) && layers.conforms(.data, to: .png) && layers.conforms(d, to: .image))
        #expect(!layers.supertypes(of: b).contains(b))
        #expect(!layers.conforms(b, to: d))
    }

    @Test("A declaration with errors is ignored")
    func faults() {
        let layers = Self.layers(user: [
            TypeDeclaration(identifier: "com.example.a", conformsTo: ["com.example.a"], mimeTypes: ["text/x-a"]),
            TypeDeclaration(identifier: "com.example.b", targets: ["TARGETS"]),
        ])
        #expect(!layers.isDeclared(UniformType(unchecked: "com.example.a")))
        #expect(mime("text/x-a", in: layers) == nil && layers.type(ofTarget: "TARGETS") == nil)
    }

    @Test(
        "An alias in the desktop's database has the type of the MIME type it stands for; other types there are dynamic")
    func desktop() throws {
        let layers = Self.layers(
            app: [note],
            desktop: Desktop(
                aliases: ["image/x-kaya-png": "image/png", "text/x-jotting": "text/x-note", "a/b": "a/c"],
                parents: ["application/x-kaya": ["application/xml", "application/x-any"], "a/b": ["A/B", "a/c", ""]],
                globs: ["kaya": "application/x-kaya", "peng": "image/png", "png": "image/x-other"]))
        #expect(mime("Image/X-Kaya-PNG; q=1", in: layers) == "public.png")
        #expect(mime("text/x-jotting", in: layers) == "com.example.Note")
        #expect(mime("a/b", in: layers) == nil)
        #expect(layers.type(ofTarget: "image/x-kaya-png") == .png)

        let kaya = UniformType(target: "application/x-kaya")
        #expect(mime("application/x-kaya", in: layers) == nil)
        #expect(layers.type(ofExtension: "kaya") == kaya)
        #expect(layers.type(ofExtension: "peng") == .png && layers.type(ofExtension: "png") == .png)
        #expect(layers.type(ofExtension: "unknown") == nil)
        #expect(layers.filenameExtensions(of: kaya) == ["kaya"])
        #expect(
            layers.supertypes(of: kaya)
                == [
                    .xml, UniformType(target: "application/x-any"), .data, .text, .item, .content,
                ])
        #expect(layers.conforms(UniformType(target: "application/X-Kaya"), to: .xml))
        #expect(!layers.conforms(.png, to: UniformType(target: "image/x-other")))
        #expect(layers.supertypes(of: UniformType(target: "a/b")).count == 3)
    }

    @Test("Every search through random contradictory declarations ends, and agrees with conformance")
    func random() {
        var generator = SeededGenerator(seed: 7)
        let names = (0..<12).map { "com.example.t\($0)" } + ["public.data", "public.png", "public.text", "public.item"]
        for round in 0..<40 {
            let declarations = (0..<20).map { _ in
                let parents = (0..<3).map { _ in names[Int.random(in: names.indices, using: &generator)] }
                return TypeDeclaration(
                    identifier: names[Int.random(in: names.indices, using: &generator)], conformsTo: parents)
            }
            let layers = Self.layers(user: Array(declarations[..<10]), app: Array(declarations[10...]))
            let types = names.map(UniformType.init(unchecked:))
            for type in types {
                let ancestors = layers.supertypes(of: type)
                #expect(Set(ancestors).count == ancestors.count && !ancestors.contains(type), "seed 7, round \(round)")
                for other in types
                where layers.conforms(type, to: other) != (type == other || ancestors.contains(other)) {
                    Issue.record("seed 7, round \(round): \(type) and \(other)")
                }
            }
        }
    }
}
