import Testing

@testable import RichText

@Suite struct SamplesTests {
    @Test("HTML that programs copy reads as its text", arguments: ClipboardSample.html)
    func html(sample: ClipboardSample) {
        #expect(String(decoding: RichText.plainText(fromHTML: sample.bytes), as: UTF8.self) == sample.text)
    }

    @Test("RTF that programs copy reads as its text", arguments: ClipboardSample.rtf)
    func rtf(sample: ClipboardSample) throws {
        let text = try #require(RichText.plainText(fromRTF: sample.bytes))
        #expect(String(decoding: text, as: UTF8.self) == sample.text)
    }
}
