import PasteboardModel
import Testing
import UniformTypes

@Suite struct TypeChangeTests {
    @Test(
        "Added and removed types are listed once each, in order",
        arguments: [
            ([], [], [], []),
            ([], [.png, .html, .png], [.png, .html], []),
            ([.png, .html, .png], [], [], [.png, .html]),
            ([.png, .html, .rtf], [.url, .html, .jpeg], [.url, .jpeg], [.png, .rtf]),
            ([.png, .html], [.html, .png], [], []),
        ] as [([UniformType], [UniformType], [UniformType], [UniformType])])
    func change(former: [UniformType], present: [UniformType], added: [UniformType], removed: [UniformType]) {
        let change = TypeChange(from: former, to: present)
        #expect(change.added == added && change.removed == removed)
    }
}
