import Testing
import UniformTypes

@testable import Bridge

@Suite("Kinds of forms")
struct FormKindTests {
    @Test(
        "A type is of the kinds that it conforms to",
        arguments: [
            (.utf8PlainText, [.plainText, .text]), (.html, [.text, .html]), (.svg, [.text, .image]), (.png, [.image]),
            (.fileURL, [.url, .fileURL]), (.color, [.color]), (.rtf, [.text, .rtf]), (.data, []),
        ] as [(UniformType, FormKind)])
    func conformance(type: UniformType, kinds: FormKind) {
        #expect(FormKind.of([type]) == [kinds])
    }

    @Test("Each type keeps its place")
    func order() {
        #expect(FormKind.of([.png, .html, .png, .data]) == [.image, [.text, .html], .image, []])
    }
}
