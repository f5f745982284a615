import FormatConversion
import Testing
import UniformTypes

@Suite("Kinds of formats")
struct FormatKindTests {
    @Test(
        "A type has the kinds of the types that it conforms to",
        arguments: [
            (.utf8PlainText, [.plainText, .text]), (.html, [.text, .html]), (.svg, [.text, .image]), (.png, [.image]),
            (.fileURL, [.url, .fileURL]), (.color, [.color]), (.rtf, [.text, .rtf]), (.data, []),
        ] as [(UniformType, FormatKind)])
    func conformance(type: UniformType, kinds: FormatKind) {
        #expect(FormatKind.of([type]) == [kinds])
    }

    @Test("The kinds are in the order of the types")
    func order() {
        #expect(FormatKind.of([.png, .html, .png, .data]) == [.image, [.text, .html], .image, []])
    }
}
