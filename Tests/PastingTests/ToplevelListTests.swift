import Pasting
import TestRandom
import Testing
import WaylandWire

@Suite struct ToplevelListTests {
    private var list = ToplevelList()

    private static func window(_ number: UInt32) throws -> ObjectID {
        try #require(ObjectID(ObjectID.firstOfCompositor.number + number))
    }

    private static func state(_ values: [UInt8]) -> ForeignToplevelHandle.Event {
        .state(state: values.flatMap { [$0, 0, 0, 0] })
    }

    @Test("A window is listed, and changes, once all its changes have been reported")
    mutating func done() throws {
        let window = try Self.window(0)
        list.add(window)
        list.apply(.appID(appID: try #require(WireString("foot"))), to: window)
        list.apply(Self.state([0, 2]), to: window)
        #expect(list.has(window) && list.toplevels.isEmpty && list.active == nil)
        list.apply(.done, to: window)
        #expect(list.active == window && list.toplevels[window]?.appID == "foot")
        list.apply(Self.state([0]), to: window)
        #expect(list.active == window)
        list.apply(.done, to: window)
        #expect(list.active == nil && list.has(window))
    }

    @Test("A closed window is neither listed nor active")
    mutating func closed() throws {
        let window = try Self.window(0)
        list.add(window)
        list.apply(Self.state([2]), to: window)
        list.apply(.done, to: window)
        list.apply(.closed, to: window)
        list.apply(.done, to: window)
        #expect(!list.has(window) && list == ToplevelList())
    }

    @Test("If several windows are active, as on several seats, there is no active window")
    mutating func seats() throws {
        for number in 0..<2 as Range<UInt32> {
            let window = try Self.window(number)
            list.add(window)
            list.apply(Self.state([2]), to: window)
            list.apply(.done, to: window)
        }
        #expect(list.toplevels.count == 2 && list.active == nil)
    }

    @Test("No events, in any order, make a window active that is not open", arguments: 0..<50)
    mutating func random(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var open: Set<ObjectID> = []
        for _ in 0..<200 {
            let window = try Self.window(.random(in: 0..<5, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                list.add(window)
                open.insert(window)
            case 1:
                list.apply(.closed, to: window)
                open.remove(window)
            case 2: list.apply(.done, to: window)
            case 3:
                let bytes = [UInt8](repeating: 2, count: .random(in: 0..<9, using: &random))
                list.apply(.state(state: bytes), to: window)
            default: list.apply(Self.state([.random(in: 0..<4, using: &random)]), to: window)
            }
            #expect(list.active.map(open.contains) != false)
            #expect(open.isSuperset(of: list.toplevels.keys))
            let windows = try (0..<5 as Range<UInt32>).map(Self.window)
            #expect(windows.allSatisfy { list.has($0) == open.contains($0) })
        }
    }
}
