import LinuxSystem
import Testing

@testable import XPBCommand

@Suite struct EndingTests {
    private func ending(_ text: String, trims: Bool, addsNewline: Bool) throws -> String {
        // The range begins in the file, and bytes before it are not looked at.
        let file = try MemoryFile.containing(Array("\r\n\(text)".utf8))
        let ending = try Ending(of: .file(file), 2..<file.length, trims: trims, addsNewline: addsNewline)
        return String(decoding: try file.bytes(in: ending.range), as: UTF8.self) + ending.suffix
    }

    @Test(
        "One newline is left out, be it LF or CR LF",
        arguments: [
            ("a\n", "a"), ("a\r\n", "a"), ("a\n\n", "a\n"), ("a", "a"), ("a\r", "a\r"), ("", ""), ("\n", ""),
            ("\r\n", ""),
        ])
    func trims(text: String, expected: String) throws {
        #expect(try ending(text, trims: true, addsNewline: false) == expected)
        #expect(try ending(text, trims: false, addsNewline: false) == text)
    }

    @Test("A newline is added where there is none", arguments: [("a", "a\n"), ("a\n", "a\n"), ("", "\n")])
    func adds(text: String, expected: String) throws {
        #expect(try ending(text, trims: false, addsNewline: true) == expected)
    }

    @Test("Both together leave one newline")
    func both() throws {
        #expect(try ending("a\r\n", trims: true, addsNewline: true) == "a\n")
    }
}
