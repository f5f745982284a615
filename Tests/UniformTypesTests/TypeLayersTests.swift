import Synchronization
import Testing

@testable import UniformTypes

/// The layers of the whole process. The names here are nobody else's, because other tests run meanwhile.
@Suite(.serialized) struct TypeLayersTests {
    /// How often something was called.
    private final class Count: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }
        func add() { count.withLock { $0 += 1 } }
    }

    private struct Desktop: DesktopTypes {
        /// Questions that come from the desktop's own lookups.
        let askedByItself: Count

        func canonicalName(ofMIMEType name: String) -> String? {
            if name == "image/x-layers-other" { askedByItself.add() }
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

    @Test("The user's declarations are loaded at the first lookup, once, and anew when they are set again")
    func loading() {
        let loads = Count()
        for version in ["one", "two"] {
            let before = loads.value
            let declaration = declaration(version)
            TypeLayers.setUser {
                loads.add()
                return [declaration]
            }
            // Another test may look a type up at any time, so that nothing can be said before the first lookup.
            for _ in 0..<10 {
                #expect(UniformType(target: "LAYERS_TEST").identifier == "com.example.layers.\(version)")
            }
            #expect(loads.value > before)
            let after = loads.value
            #expect(UniformType(target: "LAYERS_TEST").conforms(to: .text))
            #expect(loads.value == after)
        }
    }

    @Test("A loader may look types up, and finds what the other layers have")
    func reentrance() {
        let declaration = declaration("reentrant")
        TypeLayers.setUser {
            UniformType(target: "LAYERS_TEST").isDynamic && UniformType(mimeType: "image/png") == .png
                ? [declaration] : []
        }
        #expect(UniformType(target: "LAYERS_TEST").identifier == "com.example.layers.reentrant")
    }

    @Test("Every thread sees the user's declarations from its first lookup on")
    func threads() async {
        for round in 0..<20 {
            let declaration = declaration("threads\(round)")
            TypeLayers.setUser { [declaration] }
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

    @Test("The desktop may look types up itself, and is not asked again for that")
    func desktop() {
        let asked = Count()
        TypeLayers.setDesktop(Desktop(askedByItself: asked))
        #expect(UniformType(mimeType: "image/x-layers-png") == .png)
        #expect(asked.value == 0)
    }

    @Test("An app declares types of its own, and none that is built in")
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

    @Test("An exported or imported type is declared where it is not yet")
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
