extension Client {
    /// Has all outstanding promises kept, as far as the time goes.
    ///
    /// It asks for what it promised itself, as any reader would: so each is asked for once, whoever is first.
    ///
    /// - Returns: Whether all were.
    func keepPromises(within time: Duration) async -> Bool {
        let sets = promises.all
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                await withDiscardingTaskGroup { keeping in
                    for set in sets {
                        keeping.addTask { [self] in
                            guard let pasteboard = try? Pasteboard(name: set.pasteboard) else { return }
                            _ = try? await pasteboard.forms(ofTypes: nil, inItemSet: nil).run(by: self)
                            try? await set.end.value(isAbandoned: false)
                        }
                    }
                }
            }
            group.addTask { try? await Task.sleep(for: time) }
            await group.next()
            group.cancelAll()
        }
        return sets.allSatisfy(\.isKept)
    }
}
