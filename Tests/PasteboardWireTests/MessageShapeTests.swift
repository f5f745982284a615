import PasteboardWire
import Testing

struct MessageShapeTests {
    private func isSound(_ text: String) -> Bool { MessageShape.isSound(Array(text.utf8)) }

    private func object(_ members: Int) -> String {
        "{" + (0..<members).map { #""\#($0)":1"# }.joined(separator: ",") + "}"
    }

    @Test("Objects at any depth have a limited number of members, and lists have any number of elements")
    func members() {
        #expect(isSound(object(64)) && !isSound(object(65)))
        #expect(isSound("[\(object(64)),\(object(64))]") && !isSound("[1,{\"a\":[\(object(65))]}]"))
        #expect(isSound("{\"a\":[" + Array(repeating: "1", count: 10_000).joined(separator: ",") + "]}"))
        #expect(isSound("{" + Array(repeating: "\"a\":\(object(60))", count: 60).joined(separator: ",") + "}"))
    }

    @Test("The content of strings does not count")
    func strings() {
        let text = String(repeating: #"{,[\",\\"#, count: 1_000)
        #expect(isSound("{\"a\":\"\(text)\",\"b\":\"\(text)\"}"))
        #expect(!isSound("{\"a\":\"\\\\\",\"b\":\(object(65))}"))
    }

    @Test("The depth of nesting is limited")
    func levels() {
        func nested(_ levels: Int) -> String {
            String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        }
        #expect(isSound(nested(32)) && !isSound(nested(33)))
        #expect(isSound("[" + Array(repeating: nested(31), count: 100).joined(separator: ",") + "]"))
        #expect(!isSound(String(repeating: "{\"a\":", count: 100_000)))
    }

    @Test(
        "Text that is not JSON is left to the decoder", arguments: ["", "]]}}", "\"", "\"\\", ",,,", "{\"a\":\"\\\""])
    func others(text: String) {
        #expect(isSound(text))
    }
}
