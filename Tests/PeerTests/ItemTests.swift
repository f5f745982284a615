import TestSupport
import Testing

extension Peers {
    /// Several items, of which X11 knows one.
    @Suite("Several items")
    struct ItemTests {
        @Test("A toolkit pastes their texts, joined by newlines, and the one HTML", arguments: Toolkit.allCases)
        func joined(toolkit: Toolkit) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require(
                    "set", "--text", "one, naïve", "--next", "--text", "日本", "-t", "html", "--text", "<b>日本</b>")
                let expected = [("text", "one, naïve\n日本"), ("html", "<b>日本</b>")]
                for (form, contents) in expected {
                    let pasted = try await sandbox.pasting(toolkit, form, into: "out")
                    #expect(pasted.status == 0, "\(pasted)")
                    #expect(String(decoding: try sandbox.read("out"), as: UTF8.self) == contents)
                }
            }
        }
    }
}
