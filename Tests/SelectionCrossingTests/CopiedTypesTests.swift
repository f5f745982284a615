import SelectionCrossing
import Testing

@Suite struct CopiedTypesTests {
    private static let firefox = ["TARGETS", "TIMESTAMP", "UTF8_STRING", "text/html", "x-kde-passwordManagerHint"]
    private static let gtk = ["TIMESTAMP", "TARGETS", "UTF8_STRING", "TEXT", "STRING", "text/plain;charset=utf-8"]

    @Test(
        "Copies are recognized, whatever types the compositor leaves out",
        arguments: [
            // wlroots and KWin 6.3
            (["text/plain;charset=utf-8", "text/html"], firefox),
            (["text/plain;charset=utf-8", "text/plain"], gtk),
            // KWin 6.7
            (["text/plain;charset=utf-8", "text/html", "x-kde-passwordManagerHint"], firefox),
            (["text/plain;charset=utf-8", "text/plain", "STRING"], gtk),
            // KWin 5.27
            (["TARGETS", "TIMESTAMP", "text/plain;charset=utf-8", "text/html", "x-kde-passwordManagerHint"], firefox),
        ])
    func copies(types: [String], targets: [String]) {
        #expect(CopiedTypes.mayBeCopied(types, from: targets))
        #expect(CopiedTypes.mayBeCopied(types))
    }

    @Test(
        "Programs' own selections are not copies",
        arguments: [
            (["text/plain;charset=utf-8"], firefox), (firefox, ["TARGETS", "UTF8_STRING", "text/html"]),
            // wl-copy and xclip
            (["text/plain;charset=utf-8", "text/plain", "TEXT", "STRING", "UTF8_STRING"], ["TARGETS", "UTF8_STRING"]),
            (["text/plain;charset=utf-8", "text/plain", "TEXT", "STRING", "UTF8_STRING"], gtk),
            (["image/png"], ["TARGETS", "image/jpeg"]),
        ])
    func programs(types: [String], targets: [String]) {
        #expect(!CopiedTypes.mayBeCopied(types, from: targets))
    }

    @Test("A selection with text under an X11 name is not a copy, whatever the targets were")
    func names() {
        #expect(!CopiedTypes.mayBeCopied(["text/plain;charset=utf-8", "UTF8_STRING"]))
        #expect(!CopiedTypes.mayBeCopied(["text/plain", "TEXT"]))
    }
}
