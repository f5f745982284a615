/// The rules about contents.
extension ModelReference {
    func written(
        _ draft: ModelOperation.Draft, _ way: ModelOperation.Way, on present: ModelBoard.Held, age: Int
    ) throws(Failure) -> ModelBoard.Held {
        var new = ModelBoard.Held(expires: draft.expires, localOnly: draft.localOnly)
        for types in draft.items {
            var representations: [ModelBoard.Representation] = []
            for type in types {
                representations.append(
                    ModelBoard.Representation(
                        type: type, source: new.sources, length: draft.isPromised ? nil : new.sources * 2))
                new.sources += 1
            }
            new.items.append(representations)
        }
        if case .replacing = way { return new }
        for item in new.items.indices {
            for representation in new.items[item].indices { new.items[item][representation].source += present.sources }
        }
        if let old = present.expires {
            let rest = age > old ? 0 : old - age
            if new.expires == nil || rest < new.expires ?? 0 { new.expires = rest }
        }
        if present.localOnly { new.localOnly = true }
        guard case .into(let number) = way else {
            new.items = present.items + new.items
            new.sources += present.sources
            return new
        }
        if number < 0 || number >= present.items.count {
            throw Failure(words: "item \(number) of \(present.items.count)")
        }
        let added = new.items[0]
        new.items = present.items
        new.items[number] = merged(added, into: present.items[number])
        renumber(&new)
        return new
    }

    private func merged(
        _ added: [ModelBoard.Representation], into item: [ModelBoard.Representation]
    ) -> [ModelBoard.Representation] {
        var result: [ModelBoard.Representation] = []
        for old in item {
            if !added.contains(where: { $0.type == old.type }) {
                result.append(old)
            } else if !result.contains(where: { $0.type == old.type }) {
                for representation in added where representation.type == old.type { result.append(representation) }
            }
        }
        for representation in added where !item.contains(where: { $0.type == representation.type }) {
            result.append(representation)
        }
        return result
    }

    /// Drops the unused blobs and renumbers the other blobs.
    private func renumber(_ held: inout ModelBoard.Held) {
        var used: [Int] = []
        for item in held.items {
            for representation in item where !used.contains(representation.source) {
                used.append(representation.source)
            }
        }
        used.sort()
        for item in held.items.indices {
            for representation in held.items[item].indices {
                held.items[item][representation].source =
                    used.firstIndex(of: held.items[item][representation].source) ?? -1
            }
        }
        held.sources = used.count
    }

    // MARK: Reading

    /// Returns the types that satisfy a wanted type, best first. The types in one group are equally good.
    private static func answers(to wanted: String) -> [[String]] {
        switch wanted {
        case "public.text": [["public.utf8-plain-text"], ["public.html", "public.rtf"]]
        case "public.image": [["public.png", "public.jpeg"]]
        case "public.url": [["public.file-url"]]
        case "public.data": [ModelOperation.types.filter { $0 != "com.example.custom" }]
        default: [[wanted]]
        }
    }

    private func answer(_ item: [ModelBoard.Representation], _ wanted: [String]) -> Int? {
        for type in wanted {
            for group in Self.answers(to: type) {
                for index in item.indices where group.contains(item[index].type) { return index }
            }
        }
        return nil
    }

    func read(
        _ all: [[ModelBoard.Representation]], _ wanted: [String], _ set: [Int]?
    ) throws(Failure) -> ModelOutcome {
        for number in set ?? [] where number >= all.count { throw Failure(words: "item \(number) of \(all.count)") }
        var found: [[Int]?] = []
        var having: [Int] = []
        var isThere = false
        for number in all.indices {
            let place = answer(all[number], wanted)
            if place != nil { having.append(number) }
            guard set == nil || set?.contains(number) == true else { continue }
            found.append(place.map { [number, $0] })
            if place != nil { isThere = true }
        }
        return .found(found + [having, isThere ? [] : nil])
    }
}
