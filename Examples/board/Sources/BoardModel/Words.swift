public import Undo

/// The program's strings in English and German. The strings of standard commands and undo come from their libraries.
public enum Words: String, CaseIterable, Sendable {
    case history = "History"
    case board = "Board"
    case edit = "Edit"
    case searchHistory = "Search the history"
    case searchBoard = "Search the board"
    case pin = "Pin"
    case unpin = "Unpin"
    case deleteEntry = "Delete Entry"
    case deletedEntry = "The entry was deleted. It leaves the history when the window is closed."
    case undoAction = "Undo"
    case clipboard = "Clipboard"
    case picture = "Picture"
    case tooLargePicture = "Picture too large to show"
    case addTile = "Add Tile"
    case addColor = "New Color Tile"
    case moveTile = "Move Tile"
    case deleteTile = "Delete Tile"
    case cutTile = "Cut Tile"
    case pasteTile = "Paste"
    case changeColor = "Change Color"
    case changeCorners = "Change Corners"
    case changeLabel = "Change Label"
    case editTile = "Edit Tile"
    case doneEditing = "Done"
    case label = "Label"
    case color = "Color"
    case corners = "Corners"
    case palette = "Palette"
    case colorPlaceholder = "Color such as #2040c0"
    case unknownTile = "Tile of a newer version"
    case files = "Files"
    case missingTypes = "These types could not be read"
    case noMatch = "No tile has this text"
    case failed = "Failed"

    /// The text in the language of the program's environment.
    public var text: String { text(in: .environment) }

    /// Returns the text in a language; in English if there is no translation.
    public func text(in language: UndoManager.MenuLanguage) -> String {
        language == .german ? Self.german[self] ?? rawValue : rawValue
    }

    private static let german: [Words: String] = [
        .history: "Verlauf", .board: "Pinnwand", .edit: "Bearbeiten",
        .searchHistory: "Im Verlauf suchen", .searchBoard: "Auf der Pinnwand suchen", .pin: "Anheften",
        .unpin: "Lösen", .deleteEntry: "Eintrag löschen",
        .deletedEntry: "Der Eintrag wurde gelöscht. Er verlässt den Verlauf, wenn das Fenster geschlossen wird.",
        .undoAction: "Rückgängig", .clipboard: "Zwischenablage",
        .picture: "Bild", .tooLargePicture: "Das Bild ist zu groß, um es zu zeigen", .addTile: "Kachel hinzufügen",
        .addColor: "Neue Farbkachel", .moveTile: "Kachel bewegen", .deleteTile: "Kachel löschen",
        .cutTile: "Kachel ausschneiden", .pasteTile: "Einfügen", .changeColor: "Farbe ändern",
        .changeCorners: "Ecken ändern", .changeLabel: "Beschriftung ändern", .editTile: "Kachel bearbeiten",
        .doneEditing: "Fertig", .label: "Beschriftung", .color: "Farbe", .corners: "Ecken", .palette: "Palette",
        .colorPlaceholder: "Farbe wie #2040c0", .unknownTile: "Kachel einer neueren Version", .files: "Dateien",
        .missingTypes: "Diese Typen konnten nicht gelesen werden",
        .noMatch: "Keine Kachel hat diesen Text", .failed: "Fehlgeschlagen",
    ]
}
