import BoardModel
import Editing
import EditingGTK

/// The accessory view of a tile: a bar with fields for its label and color, and buttons for its corners.
final class TileBar {
    let widget: Widget
    let label = TextField(placeholder: Words.label.text)
    let color = TextField(placeholder: Words.colorPlaceholder.text)
    let labelContext: TextFieldContext
    let colorContext: TextFieldContext
    /// The tile that the fields belong to.
    private weak var context: TileContext?

    init(center: EditCenter) {
        labelContext = TextFieldContext(label, center: center)
        colorContext = TextFieldContext(color, center: center)
        let square = Button("◻")
        let round = Button("◯")
        square.setTitle("\(Words.corners.text) −")
        round.setTitle("\(Words.corners.text) +")
        let done = Button(Words.doneEditing.text)
        widget = Box(.row, spacing: 6, [label, color, square, round, done])
        for button in [square, round, done] { button.setFocusable(false) }
        square.onClick { [weak self] in self?.changeCorners(by: -6) }
        round.onClick { [weak self] in self?.changeCorners(by: 6) }
        done.setAction(EditActions.action(of: BoardPage.endEditing))

        label.onCommit { [weak self] in self?.commitLabel() }
        color.onCommit { [weak self] in self?.commitColor() }
        color.onChange { [weak self] in self?.showValidity() }
        labelContext.onEnd = { [weak self] in self?.commitLabel() }
        colorContext.onEnd = { [weak self] in self?.commitColor() }
        colorContext.isValid = { [weak self] in self?.isColorValid ?? true }
    }

    /// Shows the values of a tile.
    func show(_ context: TileContext?) {
        self.context = context
        labelContext.nextContext = context
        colorContext.nextContext = context
        guard let description = context?.tile?.description else { return }
        if !label.isEditing, label.text != description.label { label.text = description.label }
        color.isVisible = description.color != nil
        if !color.isEditing, color.text != description.color ?? "" { color.text = description.color ?? "" }
    }

    /// True if the field has a valid color, or does not belong to a color tile.
    private var isColorValid: Bool {
        context?.tile?.description.color == nil || HexColor(color.text) != nil
    }

    private func showValidity() { color.setInvalid(!isColorValid) }

    private func commitLabel() { context?.setLabel(label.text) }

    private func commitColor() {
        if let value = HexColor(color.text) { context?.setColor(value) }
    }

    private func changeCorners(by difference: Double) {
        guard let corners = context?.tile?.description.corners else { return }
        context?.setCorners(min(max(corners + difference, 0), 48))
    }
}

/// The input view of a color tile: a palette that clicks when a color is chosen.
final class Palette: InputAudioFeedback, WidgetProviding {
    private static let colors = [
        "#c01c28", "#e66100", "#f5c211", "#2ec27e", "#1c71d8", "#813d9c", "#865e3c", "#241f31", "#77767b", "#f6f5f4",
    ]

    let widget: Widget
    var enableInputClicksWhenVisible: Bool { true }
    /// Called with the color that was chosen.
    var onChoose: ((HexColor) -> Void)?

    init() {
        let rows = [Box(.row, spacing: 4), Box(.row, spacing: 4)]
        widget = Box(.column, spacing: 4, rows)
        widget.setAccessibleName(Words.palette.text)
        for (index, text) in Self.colors.enumerated() {
            guard let color = HexColor(text) else { continue }
            let button = Button("")
            button.setTitle(text)
            button.addStyle("swatch-\(text.dropFirst())")
            button.setFocusable(false)
            button.onClick { [weak self] in self?.onChoose?(color) }
            rows[index / 5].append(button)
        }
    }

    /// The rules of the style sheet for the colors.
    static var styles: String {
        colors.map { "button.swatch-\($0.dropFirst()) { background: \($0); min-width: 28px; min-height: 28px; }\n" }
            .joined()
    }
}
