import Testing
import UniformTypes

@Suite struct UniformTypeListingTests {
    @Test("Every built-in type is listed once, and knows that it is one")
    func builtIn() {
        let types = UniformType.builtIn
        #expect(types.count > 600 && Set(types).count == types.count)
        #expect(types.allSatisfy { $0.isBuiltIn && $0.isDeclared })
        #expect(types.contains(.png) && types.contains(.utf8PlainText))
    }

    @Test("What nobody declares is not built in", arguments: ["com.example.unknown", "dyn.ah62d4rv4gu8yq55tebbgc6u"])
    func others(identifier: String) throws {
        #expect(try !#require(UniformType(identifier)).isBuiltIn)
    }

    @Test("A type's understood targets lead to it, and it is offered under none of them")
    func understood() {
        for type in UniformType.builtIn {
            let offered = X11Targets.names(for: type, given: nil, exact: false)
            for target in X11Targets.understood(for: type) {
                #expect(UniformType(target: target) == type && !offered.contains(target), "\(type): \(target)")
            }
            let small = X11Targets.understood(for: type).map { $0.lowercased() }
            #expect(Set(small).count == small.count, "\(type): a name is there twice")
        }
        #expect(X11Targets.understood(for: .png) == ["image/x-png"])
        #expect(X11Targets.understood(for: .fileURL).contains("FILE_NAME"))
        #expect(X11Targets.understood(for: .item) == [])
        #expect(X11Targets.understood(for: .fileURL).contains("x-special/KDE-copied-files"))
        #expect(X11Targets.understood(for: .bmp).contains("image/x-MS-bmp"))
    }
}
