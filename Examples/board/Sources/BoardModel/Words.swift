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
    case deletedEntries = "entries were deleted. They leave the history when the window is closed."
    case pinnedStays = "A pinned entry is not deleted. Unpin it first, with Ctrl+P."
    case pasteEntry = "Paste (Return)"
    case pastePlain = "Paste as Plain Text (Shift+Return)"
    case copyEntry = "Copy (Ctrl+Return)"
    case copiedPlain = "Copied, and not pasted; press Ctrl+V to paste."
    case keepEntry = "Keep on the Board"
    case keptEntry = "The entry is on the board now."
    case saveEntry = "Save As…"
    case selectedEntries = "entries are selected. Return pastes them as one."
    case selectedPictures = "entries are selected. Not all of them have text, so they cannot be pasted as one."
    case severalKey = "Select several entries, as with Ctrl or Shift and a click"
    case entryWithoutText = "An entry without a text cannot be joined with others; nothing was copied"
    case entryIsGone = "The entry is no longer in the history"
    case all = "All"
    case text = "Text"
    case styledText = "Styled text"
    case link = "Link"
    case links = "Links"
    case pictures = "Pictures"
    case colors = "Colors"
    case sound = "Sound"
    case film = "Film"
    case pinned = "Pinned"
    case preview = "Preview"
    case yesterday = "Yesterday"
    case copiedTimes = "copies"
    case emptyHistory = "Nothing has been copied yet. Copy something in any program, and it appears here."
    case noEntry = "No entry matches."
    case clearHistory = "Clear History"
    case clearQuestion = "All entries that are not pinned will be deleted, for good."
    case pauseHistory = "Pause History"
    case resumeHistory = "Resume History"
    case pausedHistory = "The history is paused: what you copy now does not enter it."
    case settings = "Settings…"
    case maxEntries = "Maximum number of entries"
    case excludedExample = "Programs, such as gimp"
    case maxAge = "Delete entries after"
    case noAge = "No limit"
    case day = "A day"
    case week = "A week"
    case month = "30 days"
    case year = "A year"
    case otherAge = "Another time"
    case settingsTitle = "Settings"
    case excludedPrograms = "Do not store copies of"
    case sync = "Selected text and clipboard"
    case syncOff = "Are independent"
    case syncFromFind = "Selecting text copies it"
    case syncToFind = "Copied text is pasted by the middle button too"
    case syncBoth = "Are the same"
    case furtherSettings = "'xpb help config' lists further settings."
    case save = "Save"
    case deleteAndSave = "Delete and Save"
    case willDelete = "The history has more entries. The oldest ones will be deleted, for good."
    case willDeleteOld = "Entries that are older will be deleted, for good."
    case overridden = "A variable of the environment sets the dimmed values."
    case noCommand = "The command xpb is not installed, so the settings cannot be shown."
    case pasteKey = "Paste the entry into the window where you were"
    case pastePlainKey = "Paste its text without the style"
    case copyKey = "Copy it and leave the window open"
    case escapeKey = "End the search, or close the window"
    case closeKey = "Close the window"
    case menuKey = "Show the menu of the entry"
    case keys = "Keys"
    case help = "Help"
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
        .deletedEntries: "Einträge wurden gelöscht. Sie verlassen den Verlauf, wenn das Fenster geschlossen wird.",
        .pinnedStays: "Ein angehefteter Eintrag wird nicht gelöscht. Löse ihn zuerst, mit Strg+P.",
        .pasteEntry: "Einfügen (Eingabe)", .pastePlain: "Als reinen Text einfügen (Umschalt+Eingabe)",
        .copyEntry: "Kopieren (Strg+Eingabe)",
        .copiedPlain: "Kopiert, nicht eingefügt; Strg+V fügt ein.",
        .keepEntry: "Auf der Pinnwand behalten", .keptEntry: "Der Eintrag ist jetzt auf der Pinnwand.",
        .selectedEntries: "Einträge sind ausgewählt. Die Eingabetaste fügt sie als einen ein.",
        .selectedPictures: "Einträge sind ausgewählt. Nicht alle haben Text, sie lassen sich nicht als einer einfügen.",
        .severalKey: "Mehrere Einträge auswählen, wie mit Strg oder Umschalt und einem Klick",
        .entryWithoutText: "Ein Eintrag ohne Text lässt sich nicht mit anderen verbinden; nichts wurde kopiert",
        .saveEntry: "Speichern unter …", .entryIsGone: "Der Eintrag ist nicht mehr im Verlauf", .all: "Alle",
        .text: "Text", .styledText: "Formatierter Text", .link: "Link",
        .links: "Links", .pictures: "Bilder", .colors: "Farben", .sound: "Ton", .film: "Film", .pinned: "Angeheftet",
        .preview: "Vorschau", .yesterday: "Gestern", .copiedTimes: "Kopien",
        .emptyHistory: "Noch wurde nichts kopiert. Kopiere etwas in einem Programm, dann erscheint es hier.",
        .noEntry: "Kein Eintrag passt.", .clearHistory: "Verlauf löschen",
        .clearQuestion: "Alle Einträge, die nicht angeheftet sind, werden endgültig gelöscht.",
        .pauseHistory: "Verlauf anhalten", .resumeHistory: "Verlauf fortsetzen",
        .pausedHistory: "Der Verlauf ist angehalten: Was du jetzt kopierst, kommt nicht hinein.", .keys: "Tasten",
        .settings: "Einstellungen …", .maxEntries: "Höchstzahl der Einträge", .maxAge: "Einträge löschen nach",
        .excludedExample: "Programme, etwa gimp", .noAge: "Ohne Grenze", .day: "Einem Tag", .week: "Einer Woche",
        .month: "30 Tagen", .year: "Einem Jahr",
        .otherAge: "Anderer Zeit", .settingsTitle: "Einstellungen",
        .excludedPrograms: "Nicht speichern: Kopien von",
        .sync: "Markierter Text und Zwischenablage", .syncOff: "Sind unabhängig", .syncFromFind: "Markieren kopiert",
        .syncToFind: "Kopiertes fügt auch die mittlere Taste ein", .syncBoth: "Sind gleich",
        .furtherSettings: "'xpb help config' nennt weitere Einstellungen.", .save: "Speichern",
        .deleteAndSave: "Löschen und speichern",
        .willDelete: "Der Verlauf hat mehr Einträge. Die ältesten werden endgültig gelöscht.",
        .willDeleteOld: "Ältere Einträge werden endgültig gelöscht.",
        .overridden: "Eine Umgebungsvariable bestimmt die grauen Werte.",
        .noCommand: "Der Befehl xpb ist nicht installiert, daher lassen sich die Einstellungen nicht zeigen.",
        .pasteKey: "Den Eintrag in das Fenster einfügen, in dem du warst", .pastePlainKey: "Nur seinen Text einfügen",
        .copyKey: "Ihn kopieren, und das Fenster bleibt offen",
        .escapeKey: "Die Suche beenden, oder das Fenster schließen",
        .closeKey: "Das Fenster schließen", .menuKey: "Das Menü des Eintrags zeigen",
        .help: "Hilfe",
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
