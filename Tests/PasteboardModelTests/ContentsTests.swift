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
        #expect(Contents().types.isEmpty && Contents().isEmpty)
    }

    @Test("Appended items come last and keep their own blobs")
    func appending() {
        let contents = Contents(items: [item(.png, source: 1)]).appending(Contents(items: [item(.html)]), after: 2)
        #expect(contents.items == [item(.png, source: 1), item(.html, source: 2)])
    }
}
