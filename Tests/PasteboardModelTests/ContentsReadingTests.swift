import PasteboardModel
import Testing
import UniformTypes

@Suite struct ContentsReadingTests {
    typealias Place = Contents.Place

    private func item(_ types: UniformType...) -> Item {
        Item(representations: types.map { Representation(type: $0, range: 0..<1) })
    }

    private var contents: Contents {
        Contents(items: [
            item(.png, .html, .utf8PlainText), item(.html, .rtf), item(.fileURL), Item(representations: []),
            item(.jpeg, .png, .png),
        ])
    }

    private static func place(_ item: Int, _ representation: Int) -> Place {
        Place(item: item, representation: representation)
    }

    // MARK: Item sets

    @Test(
        "A set is of ascending numbers, each once; none given means all",
        arguments: [
            (nil, [0, 1, 2, 3, 4]), ([], []), ([3], [3]), ([4, 0, 4], [0, 4]),
        ] as [([Int]?, [Int])])
    func sets(set: [Int]?, numbers: [Int]) throws {
        #expect(try contents.numbers(inItemSet: set) == numbers)
    }

    @Test("A set with an item that is not there is refused, with the first such", arguments: [-1, 5, .max, .min])
    func noItem(number: Int) {
        let error = NoSuchItem(item: number, count: 5)
        #expect(throws: error) { try contents.types(inItemSet: [0, number, 77]) }
        #expect(throws: error) { try contents.contains(types: [.class(.text)], inItemSet: [0, number]) }
        #expect(throws: error) { try contents.places(answering: [.class(.text)], inItemSet: [number]) }
        #expect(error.message.contains("\(number)") && error.message.contains("5 items"))
        #expect(NoSuchItem(item: 3, count: 1).message.contains("is 1 item"))
    }

    @Test("Each item of a set has its types, each once")
    func types() throws {
        let all: [[UniformType]] = [[.png, .html, .utf8PlainText], [.html, .rtf], [.fileURL], [], [.jpeg, .png]]
        #expect(try contents.types(inItemSet: nil) == all)
        #expect(try contents.types(inItemSet: [4, 2]) == [all[2], all[4]])
        #expect(try contents.types(inItemSet: []).isEmpty)
    }

    // MARK: What there is

    @Test(
        "The items that have any of the types, by conformance too",
        arguments: [
            (["public.png"], [0, 4]), (["public.image"], [0, 4]), (["public.rtf", "public.file-url"], [1, 2]),
            (["public.text"], [0, 1]), (["image/png"], [0, 4]), (["PUBLIC.PNG"], [0, 4]), (["com.example.none"], []),
            ([], []), (["*"], [0, 1, 2, 4]),
        ])
    func itemSet(types: [String], items: [Int]) {
        #expect(contents.itemSet(withTypes: types.compactMap(TypeQuery.parse)) == items)
    }

    @Test(
        "Contents have a type when any item of the set has it; the first one is meant without a set",
        arguments: [
            ("public.rtf", nil, true), ("public.rtf", [0], false), ("public.rtf", [0, 1], true),
            ("public.rtf", [], false), ("public.jpeg", nil, true), ("public.html", [0], true),
            ("com.example.none", nil, false),
        ] as [(String, [Int]?, Bool)])
    func contains(type: String, set: [Int]?, expected: Bool) throws {
        let query = try #require(TypeQuery.parse(type))
        #expect(try contents.contains(types: [query], inItemSet: set) == expected)
        #expect(contents.contains(types: [query]) == (type == "public.html"))
    }

    // MARK: Reading

    @Test(
        "The first wanted type that is there answers, exactly before by conformance",
        arguments: [
            (["public.html"], place(0, 1)), (["public.text"], place(0, 2)), (["public.image"], place(0, 0)),
            (["public.rtf", "public.html"], place(0, 1)), (["public.utf8-plain-text", "public.png"], place(0, 2)),
            (["public.data"], place(0, 0)), (["com.example.none"], nil), ([], nil),
        ] as [([String], Place?)])
    func reading(wanted: [String], place: Place?) {
        #expect(contents.place(answering: wanted.compactMap(TypeQuery.parse)) == place)
    }

    @Test("An item without the type leaves a hole")
    func holes() throws {
        let query = [TypeQuery.identifier(.html), .identifier(.png)]
        let all = [Self.place(0, 1), Self.place(1, 0), nil, nil, Self.place(4, 1)]
        #expect(try contents.places(answering: query, inItemSet: nil) == all)
        #expect(try contents.places(answering: query, inItemSet: [2, 1]) == [all[1], nil])
        #expect(contents[Self.place(4, 0)].type == .jpeg)
    }

    @Test("Empty contents have no first item, and no error for it")
    func empty() throws {
        let wanted = [TypeQuery.identifier(.data)]
        #expect(Contents().place(answering: wanted) == nil && !Contents().contains(types: wanted))
        #expect(Contents().itemSet(withTypes: wanted).isEmpty)
        #expect(try Contents().types(inItemSet: nil).isEmpty)
        #expect(throws: NoSuchItem(item: 0, count: 0)) { try Contents().types(inItemSet: [0]) }
    }
}
