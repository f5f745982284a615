import Editing
import Testing

@Suite struct InputHostTests {
    private final class Palette: InputAudioFeedback {
        var enableInputClicksWhenVisible = true
    }

    private final class Bar {}

    private final class Window: InputPresenter {
        var views: [(input: AnyObject?, accessory: AnyObject?)] = []
        var clicks = 0

        func present(inputView: AnyObject?, accessoryView: AnyObject?) { views.append((inputView, accessoryView)) }
        func playClick() { clicks += 1 }
    }

    private let center = EditCenter()
    private let window = Window()
    private let palette = Palette()
    private let bar = Bar()

    @Test("Views come and go with the first responder; each is the first view of its kind up the chain")
    func views() {
        let host = InputHost(center: center, presenter: window)
        #expect(window.views.isEmpty)
        let board = TestContext()
        let (tile, other) = (TestContext(next: board), TestContext(next: board))
        board.inputAccessoryView = bar
        tile.inputView = palette
        center.makeFirstResponder(board)
        center.makeFirstResponder(tile)
        center.makeFirstResponder(other)
        center.makeFirstResponder(nil)
        #expect(window.views.map { $0.input === palette } == [false, true, false, false])
        #expect(window.views.map { $0.accessory === bar } == [true, true, true, false])
        #expect(host.inputView == nil && host.inputAccessoryView == nil)
    }

    @Test("Views are presented only when they change")
    func unchanged() {
        let (tile, other) = (TestContext([.copy]), TestContext())
        tile.inputView = palette
        other.inputView = palette
        center.makeFirstResponder(tile)
        let host = InputHost(center: center, presenter: window)
        #expect(window.views.count == 1 && host.inputView === palette)
        center.makeFirstResponder(other)
        center.perform(.copy)
        host.reloadInputViews()
        #expect(window.views.count == 1)
        other.inputView = bar
        host.reloadInputViews()
        #expect(window.views.count == 2 && host.inputView === bar)
    }

    @Test("The views of a first responder disappear when it is released")
    func ended() {
        var tile: TestContext? = TestContext()
        tile?.inputView = palette
        center.makeFirstResponder(tile)
        let host = InputHost(center: center, presenter: window)
        tile = nil
        center.setNeedsUpdate()
        #expect(window.views.count == 2 && window.views[1].input == nil && host.inputView == nil)
    }

    @Test("A click is played only if a presented view wants clicks")
    func clicks() {
        let tile = TestContext()
        let host = InputHost(center: center, presenter: window)
        #expect(!host.playInputClick())
        tile.inputView = bar
        center.makeFirstResponder(tile)
        #expect(!host.playInputClick())
        tile.inputView = palette
        #expect(!host.playInputClick())
        host.reloadInputViews()
        #expect(host.playInputClick() && window.clicks == 1)
        palette.enableInputClicksWhenVisible = false
        #expect(!host.playInputClick() && window.clicks == 1)
        palette.enableInputClicksWhenVisible = true
        tile.inputView = nil
        tile.inputAccessoryView = palette
        host.reloadInputViews()
        #expect(host.playInputClick() && window.clicks == 2)
    }
}
