import Testing
import UniformTypes

@Suite struct TypeDeclarationTests {
    @Test("A declaration that is in order has no faults")
    func sound() {
        let declaration = TypeDeclaration(
            identifier: "com.example.Note", conformsTo: ["public.text", "com.example.other"],
            mimeTypes: ["text/x-note", "text/x-note;version=2"], filenameExtensions: ["note", "é"],
            targets: ["text/x-note", "EXAMPLE_NOTE"], description: "a note")
        #expect(declaration.faults() == [])
        #expect(TypeDeclaration(identifier: "public.png").faults() == [])
    }

    @Test(
        "Every fault is told with the name that has it",
        arguments: [
            (TypeDeclaration(identifier: "note"), "'note' is no type identifier"),
            (TypeDeclaration(identifier: "text/plain"), "'text/plain' is no type identifier"),
            (TypeDeclaration(identifier: "dyn.age80s52"), "'dyn.age80s52' describes itself"),
            (TypeDeclaration(identifier: "a.b", conformsTo: ["text"]), "'text' is no type identifier"),
            (TypeDeclaration(identifier: "a.b", conformsTo: ["A.B"]), "'A.B' cannot conform to itself"),
            (TypeDeclaration(identifier: "a.b", mimeTypes: ["note"]), "'note' is no MIME type"),
            (TypeDeclaration(identifier: "a.b", filenameExtensions: ["a/b"]), "'a/b' is no filename extension"),
            (TypeDeclaration(identifier: "a.b", filenameExtensions: [".note"]), "'.note' is no filename extension"),
            (TypeDeclaration(identifier: "a.b", filenameExtensions: [""]), "'' is no filename extension"),
            (TypeDeclaration(identifier: "a.b", targets: ["a\nb"]), "'a\nb' is no name of an X11 target"),
            (TypeDeclaration(identifier: "a.b", targets: ["DELETE"]), "'DELETE' is a part of the X11"),
        ])
    func faulty(declaration: TypeDeclaration, fault: String) {
        let faults = declaration.faults()
        #expect(faults.count == 1)
        #expect(faults.allSatisfy { $0.hasPrefix(fault) }, "\(faults)")
    }
}
