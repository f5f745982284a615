import Testing
import TypeDatabase
import UniformTypes
import UserFiles

@Suite struct CircularDeclarationsTests {
    private func declaration(_ name: String, _ parents: String...) -> TypeDeclaration {
        TypeDeclaration(identifier: name, conformsTo: parents)
    }

    @Test("Exactly the declarations that conform to themselves are found")
    func circles() {
        let declarations = [
            declaration("x.a", "x.b"), declaration("x.b", "x.C"), declaration("x.c", "x.a"),
            declaration("x.into", "x.a"), declaration("x.free", "public.text"), declaration("x.onto", "x.free"),
        ]
        #expect(CircularDeclarations.indices(in: declarations) == [0, 1, 2])
        #expect(CircularDeclarations.indices(in: Array(declarations.dropFirst())).isEmpty)
        #expect(CircularDeclarations.indices(in: []).isEmpty)
    }

    @Test("A circle through a built-in type is found")
    func builtIn() {
        #expect(CircularDeclarations.indices(in: [declaration("public.data", "public.png")]) == [0])
        #expect(CircularDeclarations.indices(in: [declaration("public.png", "public.data")]).isEmpty)
    }

    @Test("A long chain becomes a circle when its ends are joined")
    func chain() {
        let chain = (0..<4_000).map { declaration("x.n\($0)", "x.n\($0 + 1)") }
        #expect(CircularDeclarations.indices(in: chain).isEmpty)
        #expect(CircularDeclarations.indices(in: chain + [declaration("x.n4000", "x.n0")]).count == 4_001)
    }

    @Test("A circle in the file is reported with its lines, and other declarations are used")
    func file() {
        let text = """
            {
              "x.a": {"conforms-to": "x.b"},
              "x.b": {"conforms-to": "x.a"},
              "x.c": {"conforms-to": "public.text"}
            }
            """
        let parsed = UserTypes.parse(Array(text.utf8))
        #expect(parsed.declarations.map(\.identifier) == ["x.c"])
        #expect(parsed.faults.map(\.line) == [2, 3])
        #expect(parsed.faults.allSatisfy { $0.message.contains("conforms to itself") })
    }
}
