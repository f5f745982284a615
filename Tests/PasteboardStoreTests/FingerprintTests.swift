import LinuxSystem
import PasteboardModel
import PasteboardStore
import Testing
import UniformTypes

struct FingerprintTests {
    @Test("A fingerprint does not depend on the place of the bytes")
    func place() throws {
        let one = try NewEntry(1, "abc")
        var other = try NewEntry(2, "xabcx")
        other.contents.items[0].representations[0].range = 1..<4
        let fingerprint = try Fingerprint(one.contents, one.files)
        #expect(try Fingerprint(other.contents, other.files) == fingerprint)
        #expect(fingerprint.length == 3)
        #expect(try Fingerprint.areEqual(one.contents, one.files, other.contents, other.files))
    }

    @Test("The comparison finds different bytes in the middle that the digest does not cover")
    func middle() throws {
        let text = String(repeating: "x", count: 20_000)
        let one = try NewEntry(1, text + "a" + text)
        let other = try NewEntry(2, text + "b" + text)
        #expect(try Fingerprint(one.contents, one.files) == Fingerprint(other.contents, other.files))
        #expect(try !Fingerprint.areEqual(one.contents, one.files, other.contents, other.files))
    }

    @Test(
        "Names are distinguished by their bytes, and types, targets and exactness from one another",
        arguments: 0..<7, 0..<7)
    func names(left: Int, right: Int) throws {
        let parts = [
            Representation(type: .utf8PlainText, range: 0..<3), Representation(type: .html, range: 0..<3),
            Representation(type: .utf8PlainText, target: "STRING", range: 0..<3),
            Representation(type: .utf8PlainText, target: "", range: 0..<3),
            Representation(type: .utf8PlainText, exact: true, range: 0..<3),
            // These two targets are canonically equivalent.
            Representation(type: .utf8PlainText, target: "\u{E9}", range: 0..<3),
            Representation(type: .utf8PlainText, target: "e\u{301}", range: 0..<3),
        ]
        let entries = try [left, right].map { index in
            var entry = try NewEntry(index + 1, "abc")
            entry.contents.items[0].representations[0] = parts[index]
            return entry
        }
        let fingerprints = try entries.map { try Fingerprint($0.contents, $0.files) }
        #expect((fingerprints[0] == fingerprints[1]) == (left == right))
        let areEqual = try Fingerprint.areEqual(
            entries[0].contents, entries[0].files, entries[1].contents, entries[1].files)
        #expect(areEqual == (left == right))
    }

    @Test("Two items with one representation each are not one item with two representations")
    func items() throws {
        var one = try NewEntry(1, "abc")
        let part = one.contents.items[0].representations[0]
        one.contents.items = [Item(representations: [part, part])]
        var two = one
        two.contents.items = [Item(representations: [part]), Item(representations: [part])]
        #expect(try Fingerprint(one.contents, one.files) != Fingerprint(two.contents, two.files))
        #expect(try !Fingerprint.areEqual(one.contents, one.files, two.contents, two.files))
    }

    @Test("Empty representations are equal")
    func empty() throws {
        let one = try NewEntry(1, "")
        let other = try NewEntry(2, "")
        #expect(try Fingerprint.areEqual(one.contents, one.files, other.contents, other.files))
    }
}
