import Pasting
import Testing

@Suite struct PasteKeysTests {
    @Test(
        "The keys depend on the program, whatever its name's case",
        arguments: [
            ("", PasteKeys.controlV), ("Gedit", .controlV), ("XTerm", .shiftInsertOfPrimary), ("foot", .controlShiftV),
            ("org.gnome.Ptyxis", .controlShiftV), ("Emacs", .shiftInsert), ("Emacs-gtk", .shiftInsert),
        ])
    func classes(name: String, keys: PasteKeys) {
        #expect(PasteKeys(ofClass: name) == keys)
    }
}
