import Testing
import Undo

@Suite struct MenuLanguageTests {
    @Test(
        "Titles are in the language of the menu, with and without a name",
        arguments: [
            (.english, "Undo Move", "Redo Move", "Undo", "Redo"),
            (.german, "Rückgängig: Move", "Wiederherstellen: Move", "Rückgängig", "Wiederherstellen"),
            (.french, "Annuler\u{A0}: Move", "Rétablir\u{A0}: Move", "Annuler", "Rétablir"),
            (.spanish, "Deshacer: Move", "Rehacer: Move", "Deshacer", "Rehacer"),
            (.simplifiedChinese, "撤销：Move", "重做：Move", "撤销", "重做"),
            (.traditionalChinese, "復原：Move", "重做：Move", "復原", "重做"),
            (.japanese, "元に戻す: Move", "やり直し: Move", "元に戻す", "やり直し"),
        ] as [(UndoManager.MenuLanguage, String, String, String, String)])
    func titles(language: UndoManager.MenuLanguage, undo: String, redo: String, plainUndo: String, plainRedo: String) {
        let document = Document()
        document.undoManager.menuLanguage = language
        #expect(document.undoManager.undoMenuItemTitle == plainUndo)
        #expect(document.undoManager.redoMenuItemTitle == plainRedo)
        document.set(1, name: "Move")
        #expect(document.undoManager.undoMenuItemTitle == undo)
        document.undoManager.undo()
        #expect(document.undoManager.redoMenuItemTitle == redo)
        #expect(document.undoManager.undoMenuTitle(forUndoActionName: "Move") == undo)
        #expect(document.undoManager.redoMenuTitle(forUndoActionName: "Move") == redo)
    }

    @Test(
        "A locale's name stands for a language",
        arguments: [
            ("de", .german), ("de_AT.UTF-8", .german), ("DE-ch", .german), ("fr_CA", .french),
            ("es_MX.UTF-8@euro", .spanish), ("ja_JP.eucJP", .japanese), ("zh", .simplifiedChinese),
            ("zh_CN.GB18030", .simplifiedChinese), ("zh_SG", .simplifiedChinese), ("zh_TW", .traditionalChinese),
            ("zh_HK.UTF-8", .traditionalChinese), ("zh-Hant", .traditionalChinese), ("zh-Hans-HK", .simplifiedChinese),
            ("en_GB", .english), ("C", .english), ("POSIX", .english), ("", .english), ("_", .english),
            (".@-", .english), ("deu", .english), ("tlh", .english), ("de\0", .english),
        ] as [(String, UndoManager.MenuLanguage)])
    func locales(name: String, language: UndoManager.MenuLanguage) {
        #expect(UndoManager.MenuLanguage(locale: name) == language)
    }

    @Test("LC_ALL precedes LC_MESSAGES, and LC_MESSAGES precedes LANG; empty variables are skipped")
    func environment() {
        func language(_ variables: [String: String]) -> UndoManager.MenuLanguage {
            UndoManager.MenuLanguage { variables[$0] }
        }
        #expect(language(["LC_ALL": "de", "LC_MESSAGES": "fr", "LANG": "es"]) == .german)
        #expect(language(["LC_ALL": "", "LC_MESSAGES": "fr", "LANG": "es"]) == .french)
        #expect(language(["LANG": "es"]) == .spanish)
        #expect(language([:]) == .english)
        #expect(language(["LC_ALL": "C", "LANG": "es"]) == .english)
        #expect(UndoManager().menuLanguage == .environment)
    }

    @Test("The first language of LANGUAGE that is known precedes the locale, unless that is C")
    func preferred() {
        func language(_ list: String, _ locale: String?) -> UndoManager.MenuLanguage {
            let variables = ["LANGUAGE": list, "LANG": locale]
            return UndoManager.MenuLanguage { variables[$0] ?? nil }
        }
        #expect(language("fr:de", "es_ES.UTF-8") == .french)
        #expect(language("it:de_AT:fr", "es_ES.UTF-8") == .german)
        #expect(language("en", "es_ES.UTF-8") == .english)
        #expect(language("it:", "es_ES.UTF-8") == .spanish)
        #expect(language("", "es_ES.UTF-8") == .spanish)
        #expect(language("de", "C.UTF-8") == .english)
        #expect(language("de", "POSIX") == .english)
        #expect(language("de", nil) == .english)
    }
}
