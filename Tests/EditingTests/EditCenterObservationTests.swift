import Editing
import Testing
import Undo

@Suite("Observation of the edit center") struct EditCenterObservationTests {
    private let center = EditCenter()
    private let loop = TestLoop()

    private func useLoop() {
        center.scheduleUpdate = { [loop] in loop.whenIdle($0) }
    }

    @Test("Observers run once for each event, no matter how much has changed")
    func once() {
        useLoop()
        var count = 0
        let observation = center.observe { count += 1 }
        let (tile, board) = (TestContext([.copy]), TestContext())
        for context in [tile, board, tile] { center.makeFirstResponder(context) }
        center.perform(.copy)
        center.setNeedsUpdate()
        center.menuLanguage = .french
        #expect(count == 0)
        #expect(loop.endEvent() == 1 && count == 1)
        #expect(loop.endEvent() == 0)
        center.setNeedsUpdate()
        loop.endEvent()
        #expect(count == 2)
        observation.cancel()
        center.setNeedsUpdate()
        loop.endEvent()
        #expect(count == 2)
    }

    @Test("Without a loop, observers run at once")
    func immediate() {
        var titles: [String] = []
        center.menuLanguage = .english
        let document = TestDocument()
        let tile = TestContext(undoManager: document.undoManager)
        let observation = center.observe { [center] in titles.append(center.state(of: .undo).title) }
        center.makeFirstResponder(tile)
        document.move(to: 1)
        #expect(titles.first == "Undo" && titles.last == "Undo Move Tile")
        observation.cancel()
    }

    @Test("Changes of the first undo manager up the chain are reported, but not those of a previous manager")
    func undoManager() {
        useLoop()
        let (first, second) = (TestDocument(), TestDocument())
        let (tile, other) = (TestContext(undoManager: first.undoManager), TestContext(undoManager: second.undoManager))
        center.makeFirstResponder(tile)
        var count = 0
        let observation = center.observe { count += 1 }
        loop.endEvent()
        count = 0
        first.move(to: 1)
        loop.endEvent()
        #expect(count == 1)
        center.makeFirstResponder(other)
        loop.endEvent()
        #expect(count == 2)
        first.move(to: 2)
        #expect(loop.endEvent() == 0)
        second.move(to: 3)
        #expect(loop.endEvent() == 1 && count == 3)
        observation.cancel()
    }

    @Test("An observer may cancel itself and other observers while it runs")
    func cancelled() {
        var calls: [String] = []
        var observations: [EditCenter.Observation] = []
        observations.append(
            center.observe {
                calls.append("first")
                observations[0].cancel()
                observations[1].cancel()
            })
        observations.append(center.observe { calls.append("second") })
        observations.append(center.observe { calls.append("third") })
        center.setNeedsUpdate()
        center.setNeedsUpdate()
        #expect(calls == ["first", "third", "third"])
        observations = []
        center.setNeedsUpdate()
        #expect(calls.count == 3)
    }

    @Test("An observer that asks for updates without end does not block the program")
    func endless() {
        var count = 0
        let observation = center.observe { [center] in
            count += 1
            center.setNeedsUpdate()
        }
        center.setNeedsUpdate()
        #expect(count > 1 && count <= 16)
        useLoop()
        count = 0
        center.setNeedsUpdate()
        for _ in 0..<3 { #expect(loop.endEvent() == 1) }
        #expect(count == 3)
        observation.cancel()
    }

    @Test("A center that was released calls no observers")
    func ended() {
        var center: EditCenter? = EditCenter()
        center?.scheduleUpdate = { [loop] in loop.whenIdle($0) }
        var count = 0
        let observation = center?.observe { count += 1 }
        center?.setNeedsUpdate()
        center = nil
        #expect(loop.endEvent() == 1 && count == 0)
        observation?.cancel()
    }
}
