import Testing
import UniformTypes

@Suite struct TypeSelectionTests {
    /// Returns the target that is selected from `targets` for `wanted`.
    private func choice(_ wanted: [String], from targets: [String]) -> String? {
        let offers: [TypeQuery.Offer] = targets.map { (UniformType(target: $0), $0) }
        return TypeQuery.best(of: offers, for: wanted.compactMap(TypeQuery.parse)).map { targets[$0] }
    }

    @Test("The order of the queries takes precedence over the order of the offers")
    func order() {
        let offered = ["text/html", "UTF8_STRING", "image/png"]
        #expect(choice(["image", "html", "text"], from: offered) == "image/png")
        #expect(choice(["image/gif", "html"], from: offered) == "text/html")
        #expect(choice(["files"], from: offered) == nil)
        #expect(choice([], from: offered) == nil)
    }

    @Test("A bare filename extension selects its type, unless a target has that name")
    func extensions() {
        #expect(choice(["png"], from: ["UTF8_STRING", "image/png"]) == "image/png")
        #expect(choice(["png"], from: ["image/png", "png"]) == "png")
        #expect(choice(["png", "text"], from: ["UTF8_STRING"]) == "UTF8_STRING")
    }

    @Test(
        "The text with the most reliable encoding is selected, and text/plain last",
        arguments: ["text", "public.text", "public.utf8-plain-text"])
    func text(wanted: String) {
        let all = ["text/html", "text/plain", "STRING", "TEXT", "text/plain;charset=UTF-8", "UTF8_STRING"]
        #expect(choice([wanted], from: all) == "UTF8_STRING")
        #expect(choice([wanted], from: Array(all.dropLast())) == "text/plain;charset=UTF-8")
        #expect(choice([wanted], from: ["text/plain", "STRING"]) == "STRING")
        #expect(choice([wanted], from: ["image/png", "text/plain"]) == "text/plain")
    }

    @Test("Markup matches a query for text only if there is no plain text")
    func markup() {
        #expect(choice(["text"], from: ["text/html", "STRING"]) == "STRING")
        #expect(choice(["text"], from: ["text/html"]) == "text/html")
        #expect(choice(["public.plain-text"], from: ["text/html"]) == nil)
    }

    @Test("The requested target precedes other targets of the type, which precede types that only conform")
    func exactness() {
        let offered = ["image/svg+xml", "text/rtf", "application/rtf", "text/xml"]
        #expect(choice(["application/rtf"], from: offered) == "application/rtf")
        #expect(choice(["application/rtf"], from: ["text/rtf"]) == "text/rtf")
        #expect(choice(["application/xml"], from: offered) == "text/xml")
        #expect(choice(["public.xml"], from: ["image/svg+xml"]) == "image/svg+xml")
        #expect(choice(["public.image"], from: offered) == "image/svg+xml")
    }

    @Test("Targets with a particular encoding match only themselves")
    func encodings() {
        #expect(choice(["STRING"], from: ["UTF8_STRING"]) == nil)
        #expect(choice(["STRING"], from: ["UTF8_STRING", "STRING"]) == "STRING")
        #expect(choice(["text/plain;charset=utf-8"], from: ["STRING"]) == nil)
        #expect(choice(["text/plain;charset=utf-8"], from: ["UTF8_STRING"]) == "UTF8_STRING")
    }

    @Test("A pattern matches targets, MIME types and identifiers")
    func patterns() {
        let offered = ["UTF8_STRING", "image/png", "com.example.x"]
        #expect(choice(["image/*"], from: offered) == "image/png")
        #expect(choice(["IMAGE/*"], from: offered) == "image/png")
        #expect(choice(["com.*.x"], from: offered) == "com.example.x")
        #expect(choice(["*"], from: offered) == "UTF8_STRING")
        #expect(choice(["audio/*"], from: offered) == nil)
        let written: [TypeQuery.Offer] = [(.png, nil)]
        #expect(TypeQuery.best(of: written, for: [.pattern("image/p*g")]) == 0)
    }
}
