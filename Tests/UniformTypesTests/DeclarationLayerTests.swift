import Testing
import UniformTypes

@Suite struct DeclarationLayerTests {
    @Test("A layer is bounded, and a later declaration of a type replaces the earlier one")
    func limit() throws {
        var layer = DeclarationLayer()
        for number in 0..<3 {
            layer = try #require(layer.adding(TypeDeclaration(identifier: "a.t\(number)"), limit: 3))
        }
        #expect(layer.adding(TypeDeclaration(identifier: "a.t3"), limit: 3) == nil)
        layer = try #require(layer.adding(TypeDeclaration(identifier: "A.T1", filenameExtensions: ["t"]), limit: 3))
        #expect(layer.declarations(ofKey: "a.t1").map(\.filenameExtensions) == [["t"]])
        #expect(layer.identifiers(ofExtension: "t") == ["A.T1"])
        layer = try #require(layer.adding(TypeDeclaration(identifier: "a.t1"), limit: 3))
        #expect(layer.identifiers(ofExtension: "t") == [])
    }
}

@Suite struct ExactNameTests {
    @Test(
        "Strings that Swift considers equal differ if their bytes do",
        arguments: [
            ("K", "\u{212A}"), (";", "\u{37E}"), ("\u{E9}", "e\u{301}"), ("\u{C5}", "\u{212B}"),
        ])
    func bytes(left: String, right: String) {
        #expect(left == right && !left.isExactly(right) && ExactName(left) != ExactName(right))
        #expect(left.isExactly(left) && ExactName(left) == ExactName(left))
        #expect(Set([ExactName(left), ExactName(right), ExactName(left)]).count == 2)
    }

    @Test("Only ASCII capitals are converted to lower case")
    func letters() {
        #expect("AbZ[@é".asciiLowercased.isExactly("abz[@é"))
        #expect("\u{212A}É".asciiLowercased.isExactly("\u{212A}É"))
    }
}
