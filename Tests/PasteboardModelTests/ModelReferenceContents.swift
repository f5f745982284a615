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

    func read(_ all: [[ModelBoard.Representation]], _ set: [Int]?) throws(Failure) -> ModelOutcome {
        for number in set ?? [] where number >= all.count { throw Failure(words: "item \(number) of \(all.count)") }
        var numbers: [Int] = []
        var types: [[String]] = []
        for number in all.indices where set == nil || set?.contains(number) == true {
            var different: [String] = []
            for representation in all[number] where !different.contains(representation.type) {
                different.append(representation.type)
            }
            numbers.append(number)
            types.append(different)
        }
        return .found(numbers, types)
    }
}
