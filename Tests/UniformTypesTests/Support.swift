import Foundation
import TestRandom

/// The tables of the module.
enum Table {
    /// Returns the rows after the header, split into columns.
    static func rows(_ name: String) throws -> [[String]] {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Types/UniformTypes/Data").appending(path: name).standardized
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst().map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }

    /// Returns the comma-separated names in a column.
    static func names(_ column: String) -> [String] { column.split(separator: ",").map(String.init) }
}

extension SeededGenerator {
    /// Returns a random string of at most `length` bytes: letters, parts with a meaning in names of types, and other
    /// Unicode characters.
    mutating func name(atMost length: Int) -> String {
        let pieces = [
            "a", "z", "Q", "0", "9", "-", "_", " ", ".", "/", ";", "=", ":", ",", "?", "\\", "\"", "*", "+", "\t", "\n",
            "\r\n", "\u{1}", "\u{7F}", "é", "e\u{301}", "\u{301}", "\u{212A}", "\u{37E}", "ß", "İ", "中", "😀",
            "\u{200D}",
            "dyn.", "dyn.a", "dyn.age80s52", "DYN.A", "image/", "text/plain", ";charset=", "utf-8", "public.", "com.",
            "UTF8_STRING", "com.trolltech.anymime.", "--", "application/web;type=\"custom/format", "\u{10FFFF}",
        ]
        let wanted = Int.random(in: 0...length, using: &self)
        var name = ""
        while true {
            var piece = pieces[Int.random(in: pieces.indices, using: &self)]
            if Int.random(in: 0..<8, using: &self) == 0,
                let scalar = Unicode.Scalar(UInt32.random(in: 1...0x10FFFF, using: &self))
            {
                piece = String(scalar)
            }
            guard name.utf8.count + piece.utf8.count <= wanted else { return name }
            name += piece
        }
    }

    /// Returns random bytes, decoded as UTF-8.
    mutating func garbage(atMost length: Int) -> String {
        let count = Int.random(in: 0...length, using: &self)
        return String(decoding: (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }, as: UTF8.self)
    }
}
