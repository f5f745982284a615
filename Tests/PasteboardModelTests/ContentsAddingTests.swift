import PasteboardModel
import Testing
import UniformTypes

@Suite struct ContentsAddingTests {
    private func form(_ type: UniformType, _ source: Int = 0, target: String? = nil) -> Representation {
        Representation(type: type, target: target, source: source, range: 0..<1)
    }

    private func contents(_ items: [Representation]...) -> Contents {
        Contents(items: items.map { Item(representations: $0) })
    }

    @Test("Appended items come last and keep their own blobs")
    func appending() {
        let appended = contents([form(.png, 1)]).appending(contents([form(.html), form(.rtf, 1)]), after: 2)
        #expect(appended == contents([form(.png, 1)], [form(.html, 2), form(.rtf, 3)]))
        #expect(Contents().appending(appended, after: 0) == appended)
        #expect(appended.appending(Contents(), after: 4) == appended)
    }

    @Test("Forms added to an item replace those of their type in place, and come last otherwise")
    func adding() throws {
        let present = contents([form(.png)], [form(.html), form(.rtf, 1), form(.utf8PlainText, 2)])
        let added = try present.adding([form(.url), form(.rtf, 1)], into: 1, after: 3)
        #expect(added == contents([form(.png)], [form(.html), form(.rtf, 4), form(.utf8PlainText, 2), form(.url, 3)]))
    }

    @Test("All forms of a type stand where the first one stood")
    func severalOfOneType() throws {
        let present = contents([
            form(.rtf, 0, target: "text/rtf"), form(.png), form(.rtf, 1, target: "application/rtf"),
        ])
        let added = try present.adding([form(.url), form(.rtf), form(.rtf, 1, target: "text/rtf")], into: 0, after: 2)
        #expect(added == contents([form(.rtf, 2), form(.rtf, 3, target: "text/rtf"), form(.png), form(.url, 2)]))
    }

    @Test("A type is the same in capitals")
    func capitals() throws {
        let capitals = try #require(UniformType("PUBLIC.PNG"))
        let added = try contents([form(.png), form(.html)]).adding([form(capitals)], into: 0, after: 1)
        #expect(added == contents([form(capitals, 1), form(.html)]))
        #expect(added.items[0].representations[0].type.identifier == "PUBLIC.PNG")
    }

    @Test("Adding nothing changes nothing")
    func nothing() throws {
        let present = contents([form(.png), form(.png, 1)])
        #expect(try present.adding([], into: 0, after: 2) == present)
    }

    @Test("Adding to an item that is not there is refused", arguments: [-1, 1, .max, .min])
    func noItem(number: Int) {
        #expect(throws: NoSuchItem(item: number, count: 1)) {
            try contents([form(.png)]).adding([form(.html)], into: number, after: 1)
        }
    }

    @Test("Blobs that nothing uses are left out, and the others keep their order")
    func unused() {
        let all = contents([form(.png, 5), form(.html, 2)], [form(.rtf, 5), form(.url, 9)])
        let (kept, sources) = all.withoutUnusedSources()
        #expect(sources == [2, 5, 9])
        #expect(kept == contents([form(.png, 1), form(.html, 0)], [form(.rtf, 1), form(.url, 2)]))
        #expect(Contents().withoutUnusedSources().sources.isEmpty)
    }
}
