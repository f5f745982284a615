import Editing
import EditingGTK
import FoundationEssentials
import Pasteboard
import Undo

/// A row of color tiles with copy, cut, paste, undo and a command of its own: a GTK 4 program to start from.
///
/// The row is the one context of the window. Its commands are in the menu bar, with their keys.
final class TileRow: EditingContext {
    private var colors = ["#2040c0", "#20a060", "#c04020"]
    private var selected = 0
    private let events: PasteboardEvents
    private let availability: PasteAvailability
    private let manager = UndoManager()
    /// Called after a change, to draw the row and to update the menu.
    var onChange: () -> Void = {}

    init(_ events: PasteboardEvents) {
        self.events = events
        availability = PasteAvailability(events: events, types: [.color, .text])
        availability.onChange = { [unowned self] in onChange() }
        // All changes of one event are one step for undo.
        manager.onEventGroupOpened = { [unowned manager] in MainLoop.whenIdle { manager.endEvent() } }
    }

    // MARK: Commands

    let next: (any EditingContext)? = nil
    var undoManager: UndoManager? { manager }

    func canPerform(_ command: EditCommand, sender: Any?) -> Bool {
        switch command {
        case .copy, .cut, .delete, .changeColor: colors.indices.contains(selected)
        case .paste: availability.isAvailable
        default: false
        }
    }

    func perform(_ command: EditCommand, sender: Any?) {
        switch command {
        case .copy: copy()
        case .cut:
            copy()
            change("Cut") { $0.remove(at: selected) }
        case .delete: change("Delete") { $0.remove(at: selected) }
        case .changeColor: change("Change Color") { $0[selected] = Self.following(colors[selected]) }
        case .paste: paste()
        default: break
        }
    }

    /// The color as a value for programs that know colors, and as text for all others.
    private func copy() {
        guard let color = Self.color(colors[selected]) else { return }
        var item = PasteboardItem(color.x11Data, type: "application/x-color")
        item.setData(Data(colors[selected].utf8), forType: .plainText)
        events.write([item], to: .general) { if case .failure(let error) = $0 { print("\(error)") } }
    }

    /// A color that another program has copied is read as text such as `#2040c0`, whatever its format.
    private func paste() {
        events.read(.general, types: [.color, .text]) { [weak self] result in
            guard let read = try? result.get(), let self else { return }
            let text = String(decoding: read.data, as: UTF8.self).split(whereSeparator: \.isWhitespace).first ?? ""
            guard Self.color(String(text)) != nil else { return print("there is no color on the clipboard") }
            change("Paste") { $0.append(String(text)) }
        }
    }

    /// Changes the row, and registers the former row for undo.
    private func change(_ name: String, _ body: (inout [String]) -> Void) {
        var changed = colors
        body(&changed)
        show(changed)
        manager.setActionName(name)
    }

    private func show(_ changed: [String]) {
        let former = colors
        manager.registerUndo(withTarget: self) { $0.show(former) }
        colors = changed
        selected = min(selected, max(0, colors.count - 1))
        onChange()
    }

    // MARK: Drawing

    func draw(_ drawing: Drawing) {
        for (index, text) in colors.enumerated() {
            let place = EditRectangle(x: 10 + 70 * Double(index), y: 10, width: 60, height: 60)
            guard let color = Self.color(text) else { continue }
            drawing.fill(place, corners: 8, Drawing.Color(color.red, color.green, color.blue))
            if index == selected { drawing.stroke(place, corners: 8, Drawing.Color(0.2, 0.5, 1), width: 3) }
        }
    }

    func select(at x: Double) {
        selected = min(max(0, Int((x - 5) / 70)), max(0, colors.count - 1))
        onChange()
    }

    private static func color(_ text: String) -> PasteboardColor? {
        guard text.count == 7, text.hasPrefix("#"), let value = Int(text.dropFirst(), radix: 16) else { return nil }
        func part(_ shift: Int) -> Double { Double(value >> shift & 255) / 255 }
        return PasteboardColor(red: part(16), green: part(8), blue: part(0))
    }

    /// Returns the color whose parts are exchanged.
    private static func following(_ text: String) -> String { "#" + text.dropFirst(3) + text.dropFirst().prefix(2) }
}

extension PasteboardColor {
    /// Four numbers of 16 bits, as X11 programs exchange colors.
    fileprivate var x11Data: Data {
        [red, green, blue, alpha].reduce(into: Data()) { data, part in
            withUnsafeBytes(of: UInt16(part * 65_535)) { data.append(contentsOf: $0) }
        }
    }
}

extension EditCommand {
    /// The command of this program.
    static let changeColor = EditCommand("changeColor", title: "Change Color")
}

let source = try EventSource()
let row = TileRow(source.events)
var mainWindow: Window?
let center = EditCenter()
center.rootContext = row
let application = Application(identifier: "org.example.GTKTiles", isUnique: false)
application.onActivate = {
    let window = Window(application, title: "Tiles", width: 460, height: 160)
    let actions = EditActions(
        center: center, window: window, application: application,
        commands: [[.undo, .redo], [.cut, .copy, .paste, .delete], [.changeColor]])
    let menus = Menu()
    menus.append("Edit", submenu: actions.menu)
    let canvas = Canvas(title: "Tiles") { row.draw($0) }
    canvas.setExpands(horizontally: true, vertically: true)
    canvas.onPress(button: 1) { row.select(at: $0.x) }
    row.onChange = {
        canvas.redraw()
        center.setNeedsUpdate()
    }
    window.setContent(Box(.column, [MenuBar(menus), canvas]))
    window.retained = [actions]
    mainWindow = window
    canvas.focus()
    window.present()
}
_ = application.run()
