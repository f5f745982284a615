import SelectionCrossing
import Testing

@Suite struct CopiedTypesTests {
    private static let firefox = ["TARGETS", "TIMESTAMP", "text/html", "text/_moz_htmlinfo", "UTF8_STRING", "STRING"]

    @Test(
        "Copies are known, whatever the compositor leaves out of them",
        arguments: [
            // wlroots and KWin 6.3
            ["text/html", "text/_moz_htmlinfo", "text/plain;charset=utf-8", "text/plain"],
            // KWin 5.27 and 6.7
            firefox + ["text/plain;charset=utf-8"],
            // mutter
            firefox.reversed(),
        ])
    func copies(types: [String]) {
        #expect(CopiedTypes.mayBeCopied(types, from: Self.firefox))
    }

    @Test(
        "Selections with other types are no copies",
        arguments: [
            ["text/plain;charset=utf-8"], ["text/html", "text/plain"], firefox + ["image/png"],
            firefox.map { $0 == "text/html" ? "text/rtf" : $0 },
        ])
    func others(types: [String]) {
        #expect(!CopiedTypes.mayBeCopied(types, from: Self.firefox))
    }

    @Test("A program without texts gets none, and KDE's mark of a secret may be lost")
    func marks() {
        let image = ["TARGETS", "image/png", "x-kde-passwordManagerHint"]
        #expect(CopiedTypes.mayBeCopied(["image/png"], from: image))
        #expect(!CopiedTypes.mayBeCopied(["image/png", "text/plain"], from: image))
    }
}
