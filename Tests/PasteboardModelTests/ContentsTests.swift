import PasteboardModel
import Testing
import UniformTypes

@Suite struct ContentsTests {
    private func item(_ types: UniformType..., source: Int = 0) -> Item {
        Item(representations: types.map { Representation(type: $0, source: source, range: 0..<1) })
    }

    @Test("The types of all items are listed once each, in order")
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

@Suite struct ContentsReadingTests {
    private func item(_ types: UniformType...) -> Item {
        Item(representations: types.map { Representation(type: $0, range: 0..<1) })
    }

    private var contents: Contents {
        Contents(items: [
            item(.png, .html, .utf8PlainText), item(.html, .rtf), item(.fileURL), Item(representations: []),
            item(.jpeg, .png, .png),
        ])
    }

    @Test(
        "The numbers of a set are returned in ascending order, each once; nil means all items",
        arguments: [
            (nil, [0, 1, 2, 3, 4]), ([], []), ([3], [3]), ([4, 0, 4], [0, 4]),
        ] as [([Int]?, [Int])])
    func sets(set: [Int]?, numbers: [Int]) throws {
        #expect(try contents.numbers(inItemSet: set) == numbers)
    }

    @Test("A set with an item that does not exist throws, naming the first such item", arguments: [-1, 5, .max, .min])
    func noItem(number: Int) {
        let error = NoSuchItem(item: number, count: 5)
        #expect(throws: error) { try contents.types(inItemSet: [0, number, 77]) }
        #expect(error.message.contains("\(number)") && error.message.contains("5 items"))
        #expect(NoSuchItem(item: 3, count: 1).message.contains("is 1 item"))
    }

    @Test("The types of each item of a set are listed once each")
    func types() throws {
        let all: [[UniformType]] = [[.png, .html, .utf8PlainText], [.html, .rtf], [.fileURL], [], [.jpeg, .png]]
        #expect(try contents.types(inItemSet: nil) == all)
        #expect(try contents.types(inItemSet: [4, 2]) == [all[2], all[4]])
        #expect(try contents.types(inItemSet: []).isEmpty)
    }

    @Test("Empty contents have no item and no types")
    func empty() throws {
        #expect(try Contents().types(inItemSet: nil).isEmpty)
        #expect(throws: NoSuchItem(item: 0, count: 0)) { try Contents().types(inItemSet: [0]) }
    }
}

@Suite struct ContentsAddingTests {
    private func data(_ type: UniformType, _ source: Int = 0, target: String? = nil) -> Representation {
        Representation(type: type, target: target, source: source, range: 0..<1)
    }

    private func contents(_ items: [Representation]...) -> Contents {
        Contents(items: items.map { Item(representations: $0) })
    }

    @Test("Appended items come last and keep their own blobs")
    func appending() {
        let appended = contents([data(.png, 1)]).appending(contents([data(.html), data(.rtf, 1)]), after: 2)
        #expect(appended == contents([data(.png, 1)], [data(.html, 2), data(.rtf, 3)]))
        #expect(Contents().appending(appended, after: 0) == appended)
        #expect(appended.appending(Contents(), after: 4) == appended)
    }

    @Test("Representations added to an item replace those of their type in place; other representations come last")
    func adding() throws {
        let present = contents([data(.png)], [data(.html), data(.rtf, 1), data(.utf8PlainText, 2)])
        let added = try present.adding([data(.url), data(.rtf, 1)], into: 1, after: 3)
        #expect(added == contents([data(.png)], [data(.html), data(.rtf, 4), data(.utf8PlainText, 2), data(.url, 3)]))
    }

    @Test("All added representations of a type take the place of the first present representation")
    func severalOfOneType() throws {
        let present = contents([
            data(.rtf, 0, target: "text/rtf"), data(.png), data(.rtf, 1, target: "application/rtf"),
        ])
        let added = try present.adding([data(.url), data(.rtf), data(.rtf, 1, target: "text/rtf")], into: 0, after: 2)
        #expect(added == contents([data(.rtf, 2), data(.rtf, 3, target: "text/rtf"), data(.png), data(.url, 2)]))
    }

    @Test("Types are compared without regard to case")
    func capitals() throws {
        let capitals = try #require(UniformType("PUBLIC.PNG"))
        let added = try contents([data(.png), data(.html)]).adding([data(capitals)], into: 0, after: 1)
        #expect(added == contents([data(capitals, 1), data(.html)]))
        #expect(added.items[0].representations[0].type.identifier == "PUBLIC.PNG")
    }

    @Test("Adding nothing changes nothing")
    func nothing() throws {
        let present = contents([data(.png), data(.png, 1)])
        #expect(try present.adding([], into: 0, after: 2) == present)
    }

    @Test("Adding to an item that does not exist throws", arguments: [-1, 1, .max, .min])
    func noItem(number: Int) {
        #expect(throws: NoSuchItem(item: number, count: 1)) {
            try contents([data(.png)]).adding([data(.html)], into: number, after: 1)
        }
    }

    @Test("Unused blobs are left out, and the other blobs keep their order")
    func unused() {
        let all = contents([data(.png, 5), data(.html, 2)], [data(.rtf, 5), data(.url, 9)])
        let (kept, sources) = all.withoutUnusedSources()
        #expect(sources == [2, 5, 9])
        #expect(kept == contents([data(.png, 1), data(.html, 0)], [data(.rtf, 1), data(.url, 2)]))
        #expect(Contents().withoutUnusedSources().sources.isEmpty)
    }
}
