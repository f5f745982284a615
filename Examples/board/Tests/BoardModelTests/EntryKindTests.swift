import BoardModel
import Testing

@Suite struct EntryKindTests {
    @Test(
        "The kind follows from the types and the text",
        arguments: [
            (["public.utf8-plain-text"], "some words", EntryKind.text),
            (["public.html", "public.utf8-plain-text"], "some words", .styledText),
            (["public.rtf"], "some words", .styledText),
            (["public.utf8-plain-text"], " https://www.swift.org \n", .link),
            (["public.html", "public.utf8-plain-text"], "https://www.swift.org", .link),
            (["public.utf8-plain-text"], "https://www.swift.org is a page", .text),
            (["public.utf8-plain-text"], "#2040c0", .color(HexColor(red: 0x20, green: 0x40, blue: 0xC0))),
            (["public.utf8-plain-text"], "#2040c0 and more", .text),
            (["public.file-url", "public.utf8-plain-text"], "/home/me/a.txt", .files),
            (["public.png"], nil, .picture), (["public.mp3"], nil, .sound), (["public.mpeg-4"], nil, .film),
            (["application/x-drawing"], nil, .other("application/x-drawing")), ([], nil, .other("")),
        ] as [([String], String?, EntryKind)])
    func kinds(types: [String], preview: String?, kind: EntryKind) {
        #expect(EntryKind(types: types, preview: preview, isPicture: false) == kind)
    }

    @Test("Contents with the size of a picture are a picture, even with a text")
    func picture() {
        let types = ["public.html", "public.png"]
        #expect(EntryKind(types: types, preview: "a caption", isPicture: true) == .picture)
    }

    @Test("Each filter accepts its kinds, and no other")
    func filters() {
        let kinds: [EntryKind] = [.text, .styledText, .link, .picture, .files, .sound, .other("")]
        let accepted = EntryFilter.allCases.map { filter in kinds.filter(filter.accepts).count }
        #expect(accepted == [7, 2, 1, 1, 1, 0, 7])
    }
}
