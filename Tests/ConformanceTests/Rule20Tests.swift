import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    /// TextTests tests the text targets that the bridge offers; TextDecodingTests and TextEncodingTests test the
    /// encodings.
    @Suite("Rule 20: variants of text from other owners", .requiresXvfb)
    struct Rule20 {
        struct Case: CustomTestStringConvertible, Sendable {
            let testDescription: String
            /// The offers in the owner's order.
            let offers: [Offered]
            var types: [String: String] = [:]
            let text: String
        }

        private static func latin(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }

        private static func wide(_ text: String, mark: Bool) -> [UInt8] {
            (mark ? [0xFF, 0xFE] : []) + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        }

        static let cases: [Case] = [
            Case(
                testDescription: "UTF8_STRING is preferred to all other targets",
                offers: [
                    ("text/plain", Array("caf\\u00e9".utf8)), ("STRING", latin("caf\\u00e9")),
                    ("text/plain;charset=utf-8", Array("cafe\u{301}\r\n2".utf8)),
                    ("UTF8_STRING", Array("café\n2".utf8)),
                ], text: "café\n2"),
            Case(
                testDescription: "text/plain;charset=utf-8 precedes STRING and text/plain, and its lines end in LF",
                offers: [
                    ("text/plain", Array("caf\\u00e9".utf8)), ("STRING", latin("caf?")),
                    ("text/plain;charset=utf-8", Array("café\r\n2".utf8)),
                ], text: "café\n2"),
            Case(
                testDescription: "The charset's case and quotes do not matter",
                offers: [("text/plain", latin("caf?")), ("text/plain;charset=UTF-8", Array("café".utf8))],
                text: "café"),
            Case(
                testDescription: "text/plain alone is text",
                offers: [("text/plain", Array("café".utf8))], text: "café"),
            Case(
                testDescription: "STRING is Latin-1", offers: [("STRING", latin("café"))], text: "café"),
            Case(
                testDescription: "STRING may contain UTF-8", offers: [("STRING", Array("日本".utf8))],
                text: "日本"),
            Case(
                testDescription: "TEXT has the type of the reply: STRING", offers: [("TEXT", latin("café"))],
                types: ["TEXT": "STRING"], text: "café"),
            Case(
                testDescription: "TEXT has the type of the reply: UTF8_STRING", offers: [("TEXT", Array("日本".utf8))],
                types: ["TEXT": "UTF8_STRING"], text: "日本"),
            Case(
                testDescription: "TEXT has the type of the reply: COMPOUND_TEXT", offers: [("TEXT", latin("café"))],
                types: ["TEXT": "COMPOUND_TEXT"], text: "café"),
            Case(
                testDescription: "COMPOUND_TEXT alone is text",
                offers: [("COMPOUND_TEXT", [0x1B, 0x25, 0x47] + Array("日本".utf8) + [0x1B, 0x25, 0x40])], text: "日本"),
            Case(
                testDescription: "UTF8_STRING may be answered as STRING", offers: [("UTF8_STRING", latin("café"))],
                types: ["UTF8_STRING": "STRING"], text: "café"),
            Case(
                testDescription: "text/plain;charset=utf-8 may be answered as UTF8_STRING",
                offers: [("text/plain;charset=utf-8", Array("日本".utf8))],
                types: ["text/plain;charset=utf-8": "UTF8_STRING"], text: "日本"),
            Case(
                testDescription: "A single NUL at the end is not part of the text",
                offers: [("UTF8_STRING", Array("text\0".utf8))], text: "text"),
            Case(
                testDescription: "UTF-16 with a byte order mark",
                offers: [("text/plain;charset=utf-16", wide("日本", mark: true))], text: "日本"),
            Case(
                testDescription: "UTF-16 with its byte order in the name",
                offers: [("text/plain;charset=utf-16le", wide("日本", mark: false))], text: "日本"),
        ]

        @Test("Text is decoded as intended, whatever its target", arguments: cases)
        func text(_ wanted: Case) async throws {
            let types = wanted.types.flatMap { ["--type", $0.key, $0.value] }
            try await Conformance.withOwner(wanted.offers, types) { sandbox, _ in
                let pasted = try await sandbox.require("get")
                #expect(pasted.output == Array(wanted.text.utf8))
            }
        }

        @Test("HTML in UTF-16, as sent by Firefox, is read as UTF-8", arguments: [true, false])
        func wideHTML(mark: Bool) async throws {
            let html = "<p>日本 and some more words</p>"
            try await Conformance.withOwner([("text/html", Self.wide(html, mark: mark))]) { sandbox, _ in
                let pasted = try await sandbox.require("get", "-t", "public.html")
                #expect(pasted.text == html)
                // Requested by the name of the target, the bytes are unchanged.
                #expect(try await sandbox.require("get", "-t", "text/html").output == Self.wide(html, mark: mark))
            }
        }
    }
}
