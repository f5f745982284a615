import Testing
import UniformTypes

@Suite struct TypeDeclarationTests {
    @Test("A valid declaration has no faults")
    func sound() {
        let declaration = TypeDeclaration(
            identifier: "com.example.Note", conformsTo: ["public.text", "com.example.other"],
            mimeTypes: ["text/x-note", "text/x-note;version=2"], filenameExtensions: ["note", "é"],
            targets: ["text/x-note", "EXAMPLE_NOTE"], description: "a note")
        #expect(declaration.faults() == [])
        #expect(TypeDeclaration(identifier: "public.png").faults() == [])
    }

    @Test(
        "Every fault names the faulty value",
        arguments: [
            (TypeDeclaration(identifier: "note"), "'note' is not a type identifier"),
            (TypeDeclaration(identifier: "text/plain"), "'text/plain' is not a type identifier"),
            (TypeDeclaration(identifier: "dyn.age80s52"), "'dyn.age80s52' is a dynamic identifier"),
            (TypeDeclaration(identifier: "a.b", conformsTo: ["text"]), "'text' is not a type identifier"),
            (TypeDeclaration(identifier: "a.b", conformsTo: ["A.B"]), "'A.B' cannot conform to itself"),
            (TypeDeclaration(identifier: "a.b", mimeTypes: ["note"]), "'note' is not a MIME type"),
            (TypeDeclaration(identifier: "a.b", filenameExtensions: ["a/b"]), "'a/b' is not a filename extension"),
            (TypeDeclaration(identifier: "a.b", filenameExtensions: [".note"]), "'.note' is not a filename extension"),
            (TypeDeclaration(identifier: "a.b", filenameExtensions: [""]), "'' is not a filename extension"),
            (TypeDeclaration(identifier: "a.b", targets: ["a\nb"]), "'a\nb' cannot be the name of an X11 target"),
            (TypeDeclaration(identifier: "a.b", targets: ["DELETE"]), "'DELETE' is a part of the X11"),
        ])
    func faulty(declaration: TypeDeclaration, fault: String) {
        let faults = declaration.faults()
        #expect(faults.count == 1)
        #expect(faults.allSatisfy { $0.hasPrefix(fault) }, "\(faults)")
    }

    @Test("The size of a declaration is bounded, and each list that is too long is a fault")
    func size() {
        func names(_ count: Int, _ form: (Int) -> String) -> [String] { (0..<count).map(form) }
        func declaration(_ count: Int, description: String) -> TypeDeclaration {
            TypeDeclaration(
                identifier: "a.b", conformsTo: names(count) { "c.d\($0)" }, mimeTypes: names(count) { "e/f\($0)" },
                filenameExtensions: names(count) { "g\($0)" }, targets: names(count) { "H\($0)" },
                description: description)
        }
        #expect(declaration(64, description: String(repeating: "é", count: 512)).faults() == [])
        #expect(declaration(65, description: String(repeating: "é", count: 513)).faults().count == 5)
        // Names beyond the limit are not examined.
        #expect(TypeDeclaration(identifier: "a.b", targets: Array(repeating: "", count: 1_000)).faults().count == 65)
    }

    @Test(
        "A description with a line break is a fault",
        arguments: ["a\nb", "a\r\nb", "\r", "a\u{2028}", "a\u{2029}b", "\u{85}"])
    func lines(description: String) {
        let faults = TypeDeclaration(identifier: "a.b", description: description).faults()
        #expect(faults == ["the description has a line break"])
    }
}
