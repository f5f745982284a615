import Synchronization
import Testing
import UniformTypes

/// Tests of the layers of the whole process. Other tests run at the same time, so the names in these tests are unique.
@Suite(.serialized) struct TypeLayersTests {
    /// A counter of calls.
    private final class Count: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }
        func add() { count.withLock { $0 += 1 } }
    }

    private struct Desktop: DesktopTypes {
        /// The number of queries that come from the database's own lookups.
        let queriesByItself: Count

        func canonicalName(ofMIMEType name: String) -> String? {
            if name == "image/x-layers-other" { queriesByItself.add() }
            guard name == "image/x-layers-png", UniformType(mimeType: "image/x-layers-other")?.isDynamic == true else {
                return nil
            }
            return "image/png"
        }

        func parents(ofMIMEType name: String) -> [String] { [] }
        func mimeType(ofExtension name: String) -> String? { nil }
        func extensions(ofMIMEType name: String) -> [String] { [] }
    }

    private func declaration(_ version: String) -> TypeDeclaration {
        TypeDeclaration(
            identifier: "com.example.layers.\(version)", conformsTo: ["public.text"], targets: ["LAYERS_TEST"])
    }

    @Test("The user's declarations are loaded once, at the first lookup, and again when their source is replaced")
    func loading() {
        let loads = Count()
        for version in ["one", "two"] {
            let before = loads.value
            let declaration = declaration(version)
            TypeLayers.setUserDeclarations {
                loads.add()
                return [declaration]
            }
            // Another test may look up a type at any time, so nothing is certain before the first lookup.
            for _ in 0..<10 {
                #expect(UniformType(target: "LAYERS_TEST").identifier == "com.example.layers.\(version)")
            }
            #expect(loads.value > before)
            let after = loads.value
            #expect(UniformType(target: "LAYERS_TEST").conforms(to: .text))
            #expect(loads.value == after)
        }
    }

    @Test("A loader of declarations may look up types in the other layers")
    func reentrance() {
        let declaration = declaration("reentrant")
        TypeLayers.setUserDeclarations {
            UniformType(target: "LAYERS_TEST").isDynamic && UniformType(mimeType: "image/png") == .png
                ? [declaration] : []
        }
        #expect(UniformType(target: "LAYERS_TEST").identifier == "com.example.layers.reentrant")
    }

    @Test("Every thread sees the user's declarations from its first lookup on")
    func threads() async {
        for round in 0..<20 {
            let declaration = declaration("threads\(round)")
            TypeLayers.setUserDeclarations { [declaration] }
            let found = await withTaskGroup(of: Bool.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        let own = "com.example.layers.thread\(task)"
                        UniformType.declare(TypeDeclaration(identifier: own, conformsTo: [declaration.identifier]))
                        return UniformType(target: "LAYERS_TEST").identifier == declaration.identifier
                            && UniformType(unchecked: own).conforms(to: .text)
                    }
                }
                return await group.reduce(true) { $0 && $1 }
            }
            #expect(found, "round \(round)")
        }
    }

    @Test("The desktop's database may look up types, and is not queried for those lookups")
    func desktop() {
        let queries = Count()
        TypeLayers.setDesktopTypes(Desktop(queriesByItself: queries))
        #expect(UniformType(mimeType: "image/x-layers-png") == .png)
        #expect(queries.value == 0)
    }

    @Test("A program can declare its own types, but no built-in type")
    func declaring() {
        let faults = UniformType.declare(
            TypeDeclaration(
                identifier: "com.example.layers.app", conformsTo: ["public.json"], mimeTypes: ["text/x-layers-app"]))
        #expect(faults == [])
        let type = UniformType(mimeType: "text/x-layers-app")
        #expect(type?.identifier == "com.example.layers.app" && type?.conforms(to: .json) == true)
        #expect(UniformType.declare(TypeDeclaration(identifier: "PUBLIC.png")).count == 1)
        #expect(UniformType.declare(TypeDeclaration(identifier: "org.w3.web-custom-format.type-1")).count == 1)
        #expect(UniformType.declare(TypeDeclaration(identifier: "app")).count == 1)
        #expect(UniformType.png.conforms(to: .image))
    }

    @Test("An exported or imported type is declared unless it already is")
    func exported() {
        let exported = UniformType(exportedAs: "com.example.layers.exported", conformingTo: .json)
        #expect(exported.isDeclared && exported.conforms(to: .text))
        #expect(UniformType(exportedAs: "com.example.layers.exported", conformingTo: .image).conforms(to: .json))
        #expect(UniformType(importedAs: "com.example.layers.imported").conforms(to: .data))
        #expect(UniformType(importedAs: "com.example.layers.exported", conformingTo: .image).conforms(to: .json))
        #expect(UniformType(importedAs: "public.png", conformingTo: .text) == .png)
        #expect(!UniformType.png.conforms(to: .text))
        #expect(UniformType(exportedAs: "no identifier").isDynamic)
    }
}
