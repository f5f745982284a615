import CommandCore
import Commands
import FoundationEssentials
import PasteboardWire
import Testing
import XPBCommand

@Suite struct HistoryFormatTests {
    private func text(_ template: String) throws -> String {
        let entry = WireHistoryEntry(
            id: 12, pasteboard: "general", count: 7, copies: 2, created: 1_700_000_000_000, type: "public.png",
            types: ["public.png"], items: 1, length: 319_488, width: 3, height: 4, program: "a\u{1B}b", pinned: true)
        return try HistoryFormat(template).text(entry, Preview(), at: Date(timeIntervalSince1970: 1_700_000_090))
    }

    private func message(_ template: String) -> String {
        let failure = #expect(throws: Failure.self) { _ = try text(template) }
        #expect(failure?.status == .usage)
        return failure?.message ?? ""
    }

    @Test("The fields of a template are replaced, and its escapes are characters")
    func fields() throws {
        #expect(try text(#"{id}\t{preview}"#) == "12\t[PNG 3×4, 312 KiB]")
        #expect(try text(#"{id}\0icon\x1f/tmp/{id}"#) == "12\0icon\u{1F}/tmp/12")
        #expect(try text("{type} {age} {count} {pasteboard} {copies} {items}") == "image 1m 7 general 2 1")
        #expect(try text("{length} {width}×{height} {pinned}") == "319488 3×4 pinned")
        #expect(try text("{created}{action}") == "2023-11-14T22:13:20Z")
        #expect(try text("{program}") == #"a\u{1b}b"#)
        #expect(try text(#"\{\\} \n"#) == "{\\} \n")
        #expect(try text("") == "")
    }

    @Test("An unknown field or escape is refused, and the message lists the fields")
    func mistakes() {
        #expect(message("{idd}").contains("{id}"))
        #expect(message("{nothing}").contains("preview"))
        #expect(message("{id").contains("}"))
        for template in [#"\q"#, #"\"#, #"\x1"#, #"\xff"#, #"\xzz"#, #"\x+1"#] {
            #expect(message(template).contains("escape"), "\(template)")
        }
    }
}
