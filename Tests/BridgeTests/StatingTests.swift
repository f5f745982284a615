import PasteboardWire
import SelectionProtocol
import Testing

@testable import Bridge
@testable import FormatConversion
@testable import X11Bridge

@Suite struct StatingTests {
    @Test("An X server that stands still is waited for once by a list, however many windows own pasteboards")
    func list() throws {
        let fixture = try ServiceFixture(display: ":0")
        let client = try fixture.client()
        for (number, selection) in ["CLIPBOARD", "PRIMARY", "SECONDARY"].enumerated() {
            let window = WindowID(UInt32(number + 1))
            fixture.report(.changed(selection: selection, .init(owner: .foreign(window), byDeath: false)))
        }
        try client.call(Methods.List.self, .init())
        fixture.catchUp()
        fixture.standStill()
        #expect(try client.replies(to: Methods.List.self).first?.boards.map(\.owner.window) == [2, 1, 3])
    }
}
