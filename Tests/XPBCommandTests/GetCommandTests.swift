import Commands
import LinuxSystem
import Pick
import Testing
import XPBCommand

@Suite struct EndingTests {
    private func ending(_ text: String, trims: Bool, addsNewline: Bool) throws -> String {
        // The range begins inside the file, and the bytes before it do not matter.
        let file = try MemoryFile.containing(Array("\r\n\(text)".utf8))
        let ending = try Ending(of: .file(file), 2..<file.length, trims: trims, addsNewline: addsNewline)
        return String(decoding: try file.bytes(in: ending.range), as: UTF8.self) + ending.suffix
    }

    @Test(
        "One newline is removed, LF or CR LF",
        arguments: [
            ("a\n", "a"), ("a\r\n", "a"), ("a\n\n", "a\n"), ("a", "a"), ("a\r", "a\r"), ("", ""), ("\n", ""),
            ("\r\n", ""),
        ])
    func trims(text: String, expected: String) throws {
        #expect(try ending(text, trims: true, addsNewline: false) == expected)
        #expect(try ending(text, trims: false, addsNewline: false) == text)
    }

    @Test("A newline is added if there is none", arguments: [("a", "a\n"), ("a\n", "a\n"), ("", "\n")])
    func adds(text: String, expected: String) throws {
        #expect(try ending(text, trims: false, addsNewline: true) == expected)
    }

    @Test("Removing and adding a newline together leave one newline")
    func both() throws {
        #expect(try ending("a\r\n", trims: true, addsNewline: true) == "a\n")
    }
}
