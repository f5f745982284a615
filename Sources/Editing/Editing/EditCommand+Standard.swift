import Undo

/// The standard commands, with titles in every `UndoManager.MenuLanguage`.
extension EditCommand {
    /// Moves the selection to the general pasteboard: Ctrl+X, Shift+Delete.
    public static let cut = standard(
        "cut", [control("x"), KeyEquivalent("Delete", .shift)],
        Titles("Cut", "Ausschneiden", "Couper", "Cortar", "剪切", "剪下", "切り取り"))

    /// Copies the selection to the general pasteboard: Ctrl+C, Ctrl+Insert.
    public static let copy = standard(
        "copy", [control("c"), control("Insert")],
        Titles("Copy", "Kopieren", "Copier", "Copiar", "复制", "拷貝", "コピー"))

    /// Inserts the contents of the general pasteboard: Ctrl+V, Shift+Insert.
    public static let paste = standard(
        "paste", [control("v"), KeyEquivalent("Insert", .shift)],
        Titles("Paste", "Einfügen", "Coller", "Pegar", "粘贴", "貼上", "貼り付け"))

    /// Inserts the text of the general pasteboard without its style: Ctrl+Shift+V.
    public static let pasteAsPlainText = standard(
        "pasteAsPlainText", [shifted("v")],
        Titles(
            "Paste as Plain Text", "Als reinen Text einfügen", "Coller en texte brut", "Pegar como texto sin formato",
            "粘贴为纯文本", "貼上為純文字", "書式なしで貼り付け"))

    /// Inserts the selection of any program, X11's PRIMARY, at the pointer: the middle button.
    public static let pasteSelection = standard(
        "pasteSelection", [KeyEquivalent("Button2")],
        Titles(
            "Paste Selection", "Auswahl einfügen", "Coller la sélection", "Pegar la selección", "粘贴选中内容",
            "貼上選取內容", "選択内容を貼り付け"))

    /// Removes the selection: Delete. A toolkit's text field uses that key itself, so a host gives the command only
    /// while no text field has the focus.
    public static let delete = standard(
        "delete", [KeyEquivalent("Delete")],
        Titles("Delete", "Löschen", "Supprimer", "Eliminar", "删除", "刪除", "削除"))

    /// Selects the object at the pointer, or the word at the insertion point.
    public static let select = standard(
        "select", [],
        Titles("Select", "Auswählen", "Sélectionner", "Seleccionar", "选择", "選取", "選択"))

    /// Selects everything: Ctrl+A.
    public static let selectAll = standard(
        "selectAll", [control("a")],
        Titles(
            "Select All", "Alles auswählen", "Tout sélectionner", "Seleccionar todo", "全选", "全選", "すべて選択"))

    /// Reverts the last change: Ctrl+Z. ``EditCenter`` performs the command if no context does.
    public static let undo = EditCommand(
        "undo", [control("z")], titles: { $0.undoMenuTitle(forUndoActionName: "") })

    /// Makes the last reverted change again: Ctrl+Shift+Z, Ctrl+Y. ``EditCenter`` performs the command if no context
    /// does.
    public static let redo = EditCommand(
        "redo", [shifted("z"), control("y")], titles: { $0.redoMenuTitle(forUndoActionName: "") })

    /// Shows the field for the search string: Ctrl+F.
    public static let find = standard(
        "find", [control("f")],
        Titles("Find…", "Suchen …", "Rechercher…", "Buscar…", "查找…", "尋找⋯", "検索…"))

    /// Selects the next match of the search string: Ctrl+G, F3. See ``FindString``.
    public static let findNext = standard(
        "findNext", [control("g"), KeyEquivalent("F3")],
        Titles(
            "Find Next", "Weitersuchen", "Rechercher le suivant", "Buscar siguiente", "查找下一个", "尋找下一個", "次を検索"))

    /// Selects the previous match of the search string: Ctrl+Shift+G, Shift+F3.
    public static let findPrevious = standard(
        "findPrevious", [shifted("g"), KeyEquivalent("F3", .shift)],
        Titles(
            "Find Previous", "Rückwärts suchen", "Rechercher le précédent", "Buscar anterior", "查找上一个", "尋找上一個",
            "前を検索"))

    /// Makes the selection the search string: Ctrl+E.
    public static let useSelectionForFind = standard(
        "useSelectionForFind", [control("e")],
        Titles(
            "Use Selection for Find", "Auswahl zum Suchen verwenden", "Rechercher la sélection",
            "Usar selección para buscar", "用所选内容查找", "使用所選範圍來尋找", "選択部分を検索に使用"))

    /// The standard commands, in the order of a menu.
    public static let standardCommands: [EditCommand] = [
        .undo, .redo, .cut, .copy, .paste, .pasteAsPlainText, .pasteSelection, .delete, .select, .selectAll, .find,
        .findNext, .findPrevious, .useSelectionForFind,
    ]

    private static func control(_ key: String) -> KeyEquivalent { KeyEquivalent(key, .control) }

    private static func shifted(_ key: String) -> KeyEquivalent { KeyEquivalent(key, [.control, .shift]) }

    private static func standard(_ identifier: String, _ keys: [KeyEquivalent], _ titles: Titles) -> EditCommand {
        EditCommand(identifier, title: titles.english, keys: keys, titles: titles.others)
    }

    /// Creates a command whose titles are those of an undo manager.
    private init(_ identifier: String, _ keys: [KeyEquivalent], titles title: (UndoManager) -> String) {
        let manager = UndoManager()
        var titles: [UndoManager.MenuLanguage: String] = [:]
        for language in UndoManager.MenuLanguage.allCases {
            manager.menuLanguage = language
            titles[language] = title(manager)
        }
        self.init(identifier, title: titles[.english] ?? identifier, keys: keys, titles: titles)
    }
}

/// The titles of a standard command.
private struct Titles {
    let english: String
    let others: [UndoManager.MenuLanguage: String]

    init(
        _ english: String, _ german: String, _ french: String, _ spanish: String, _ simplified: String,
        _ traditional: String, _ japanese: String
    ) {
        self.english = english
        others = [
            .german: german, .french: french, .spanish: spanish, .simplifiedChinese: simplified,
            .traditionalChinese: traditional, .japanese: japanese,
        ]
    }
}
