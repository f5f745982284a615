import PasteboardModel
import Testing

@Suite struct PasteboardNameTests {
    @Test(
        "System pasteboards have aliases, and case does not matter",
        arguments: [
            ("general", PasteboardName.general), ("CLIPBOARD", .general), ("Clipboard", .general), ("find", .find),
            ("PRIMARY", .find), ("Secondary", .secondary),
        ])
    func aliases(name: String, expected: PasteboardName) throws {
        #expect(try PasteboardName(validating: name) == expected)
    }

    @Test("Each pasteboard has a selection")
    func selections() throws {
        #expect(PasteboardName.general.selection == "CLIPBOARD")
        #expect(PasteboardName.find.selection == "PRIMARY")
        #expect(PasteboardName.secondary.selection == "SECONDARY")
        let app = try PasteboardName(validating: "com.example.Scratch_2")
        #expect(app.selection == "com.example.Scratch_2" && app.string == app.selection && !app.isSystem)
    }

    @Test(
        "The pasteboard of a selection is the one that has that selection",
        arguments: ["general", "find", "secondary", "com.example.Clipboard"])
    func selection(string: String) throws {
        let name = try PasteboardName(validating: string)
        #expect(PasteboardName(selection: name.selection) == name)
    }

    @Test(
        "The selection of a manager is refused as a name",
        arguments: [
            "WM_S0", "WM_S12", "_NET_WM_CM_S0", "_XSETTINGS_S0", "_com.example", "CLIPBOARD_MANAGER", "MANAGER",
            "XdndSelection", "com.example_S0",
        ])
    func refused(name: String) {
        let error = #expect(throws: InvalidPasteboardName.self) { try PasteboardName(validating: name) }
        #expect(error?.kind == .refused)
        #expect(error?.message.contains("com.example.scratch") == true)
    }

    @Test(
        "A name of any other form is malformed",
        arguments: [
            "", "scratch", ".scratch", "com.", "com..x", "com.example/x", "com.example x", "com.exämple", "com.\u{7}x",
            "com." + String(repeating: "x", count: 252), "WM_S", "WM_Sx",
        ])
    func malformed(name: String) {
        let error = #expect(throws: InvalidPasteboardName.self) { try PasteboardName(validating: name) }
        #expect(error?.kind == .malformed)
    }

    @Test("An error message has no control characters and stays short")
    func message() {
        let error = #expect(throws: InvalidPasteboardName.self) {
            try PasteboardName(validating: "a\u{1B}[2J." + String(repeating: "x", count: 10_000))
        }
        #expect(error?.message.contains("\u{1B}") == false)
        #expect((error?.message.count ?? .max) < 300)
    }
}
