import BoardModel
import Editing
import EditingGTK
import Pasteboard

/// The drawing of tiles.
enum TilePainter {
    private static let ink = Drawing.Color(0.13, 0.13, 0.15)
    private static let pale = Drawing.Color(0.13, 0.13, 0.15, 0.6)
    private static let paper = Drawing.Color(1, 1, 1)
    private static let edge = Drawing.Color(0, 0, 0, 0.18)
    private static let accent = Drawing.Color(0.16, 0.45, 0.85)
    static let ground = Drawing.Color(0.93, 0.93, 0.92)
    private static let padding = 8.0

    /// Draws a tile.
    static func draw(
        _ tile: Tile, look: TileLook, picture: Picture?, isSelected: Bool, isEdited: Bool, on drawing: Drawing
    ) {
        let place = rectangle(of: tile)
        let corners = tile.description.corners
        if case .color(let color) = look {
            drawing.fill(place, corners: corners, components(color))
        } else {
            drawing.fill(place, corners: corners, paper)
        }
        drawing.stroke(place, corners: corners, edge, width: 1)
        contents(look, picture, in: inner(place, tile), on: drawing)
        label(tile, look, place, on: drawing)
        guard isSelected else { return }
        let frame = EditRectangle(
            x: place.x - 2, y: place.y - 2, width: place.width + 4, height: place.height + 4)
        drawing.stroke(frame, corners: corners + 2, accent, width: isEdited ? 4 : 2)
    }

    /// Returns the place of a tile.
    static func rectangle(of tile: Tile) -> EditRectangle {
        let place = tile.description
        return EditRectangle(x: place.x, y: place.y, width: place.width, height: place.height)
    }

    /// Returns the picture of a color tile as a PNG file, for a promise.
    static func png(_ description: TileDescription, _ color: HexColor) -> [UInt8] {
        let place = EditRectangle(x: 0, y: 0, width: description.width, height: description.height)
        return [UInt8](
            PictureWriter.png(width: max(1, Int(place.width)), height: max(1, Int(place.height))) { drawing in
                drawing.fill(place, corners: description.corners, components(color))
            })
    }

    /// Draws a small sign of a color, such as in a row of the history.
    static func drawSwatch(_ color: HexColor, on drawing: Drawing) {
        let side = min(drawing.width, drawing.height, 28)
        let place = EditRectangle(
            x: (drawing.width - side) / 2, y: (drawing.height - side) / 2, width: side, height: side)
        drawing.fill(place, corners: 5, components(color))
        drawing.stroke(place, corners: 5, edge, width: 1)
    }

    private static func components(_ color: HexColor) -> Drawing.Color {
        Drawing.Color(Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255)
    }

    private static func inner(_ place: EditRectangle, _ tile: Tile) -> EditRectangle {
        let labelHeight = tile.description.label.isEmpty ? 0.0 : 22
        return EditRectangle(
            x: place.x + padding, y: place.y + padding, width: max(1, place.width - 2 * padding),
            height: max(1, place.height - 2 * padding - labelHeight))
    }

    private static func contents(
        _ look: TileLook, _ picture: Picture?, in place: EditRectangle, on drawing: Drawing
    ) {
        switch look {
        case .color: break
        case .text(let text): drawing.text(text, in: place, ink)
        case .styledText(let markup, _): drawing.text(markup: markup, in: place, ink)
        case .link(let text): drawing.text(text, in: place, accent)
        case .files(let names): drawing.text(names.map { "▤ \($0)" }.joined(separator: "\n"), in: place, ink)
        case .picture:
            if let picture {
                drawing.picture(picture, in: place)
            } else {
                drawing.text(Words.picture.text, in: place, pale)
            }
        case .card(let type): drawing.text("◇ \(type)", in: place, pale)
        case .newer: drawing.text("◇ \(Words.unknownTile.text)", in: place, pale)
        }
    }

    private static func label(_ tile: Tile, _ look: TileLook, _ place: EditRectangle, on drawing: Drawing) {
        guard !tile.description.label.isEmpty else { return }
        var color = ink
        if case .color(let ground) = look, !ground.isLight { color = paper }
        let line = EditRectangle(
            x: place.x + padding, y: place.y + place.height - 24, width: max(1, place.width - 2 * padding), height: 20)
        drawing.text(tile.description.label, in: line, color, font: "Sans Bold 10")
    }
}
