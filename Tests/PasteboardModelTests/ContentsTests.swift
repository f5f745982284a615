import PasteboardModel
import Testing
import UniformTypes

@Suite struct ContentsTests {
    private func item(_ types: UniformType..., source: Int = 0) -> Item {
        Item(representations: types.map { Representation(type: $0, source: source, range: 0..<1) })
    }

    @Test("The types of all items come once each, in order")
    func types() {
        let contents = Contents(items: [item(.html, .utf8PlainText), item(.png, .html), item(.fileURL)])
        #expect(contents.types == [.html, .utf8PlainText, .png, .fileURL])
        #expect(contents.representationCount == 5)
        #expect(Contents().types.isEmpty && Contents().isEmpty && Contents().representationCount == 0)
    }

    @Test("A representation without a range is promised")
    func promised() {
        #expect(Representation(type: .png, range: nil).isPromised)
        #expect(!Representation(type: .png, range: 0..<0).isPromised)
    }
}
