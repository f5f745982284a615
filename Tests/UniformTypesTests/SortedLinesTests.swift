import Testing
import UniformTypes

@Suite struct SortedLinesTests {
    private let table = SortedLines("A|x y|z\na.B||\nab|name\nb", starts: "0000000008000140002200024")

    @Test("A line is found only by its complete first field")
    func lines() {
        for key in ["A", "a.B", "ab", "b"] { #expect(table.line(of: key)?.field(0) == key) }
        for key in ["", "a", "B", "a.b", "abc", "c", "A|x", "b\n", "\u{212A}"] {
            #expect(!table.contains(key), "\(key)")
        }
        #expect(SortedLines("", starts: "00000").line(of: "") == nil)
    }

    @Test("If case is ignored, capitals in the table are compared as lower case")
    func folded() {
        let table = SortedLines("a.B\nA.c\nb", starts: "00000000040000800010")
        for key in ["a.b", "a.c", "b"] { #expect(table.line(of: key, ignoringCase: true) != nil, "\(key)") }
        #expect(table.line(of: "a.B", ignoringCase: true) == nil)
    }

    @Test("A field has names, and a missing field has no names")
    func fields() throws {
        let line = try #require(table.line(of: "A"))
        #expect(line.names(1) == ["x", "y"] && line.names(2) == ["z"] && line.names(3) == [])
        #expect(line.has("y", in: 1) && !line.has("xy", in: 1) && !line.has("z", in: 1))
        #expect(line.firstName(1) { $0 != "x" } == "y" && line.firstName(1) { _ in false } == nil)
        #expect(try #require(table.line(of: "a.B")).names(1) == [])
        #expect(try #require(table.line(of: "b")).names(1) == [])
    }

    @Test("Every line of every generated table is found")
    func generated() {
        let tables: [(SortedLines, Bool)] = [
            (.declaredTypes, true), (.mimeTypes, false), (.filenameExtensions, false), (.selectionTargets, false),
            (.protocolTargets, false), (.noiseTargets, false),
        ]
        for (table, ignoringCase) in tables {
            let lines = table.text.split(separator: "\n")
            #expect(lines.count > 5)
            for line in lines {
                let head = String(line.prefix { $0 != "|" })
                let found = table.line(of: ignoringCase ? head.lowercased() : head, ignoringCase: ignoringCase)
                #expect(found?.field(0) == head)
            }
        }
    }
}
