import LinuxSystem
import PasteboardModel
import Testing
import UniformTypes

@testable import PasteboardStore

struct FingerprintTests {
    @Test("It does not depend on where the bytes are")
    func place() throws {
        let one = try NewEntry(1, "abc")
        var other = try NewEntry(2, "xabcx")
        other.contents.items[0].representations[0].range = 1..<4
        let fingerprint = try Fingerprint(one.contents, one.files)
        #expect(try Fingerprint(other.contents, other.files) == fingerprint)
        #expect(fingerprint.length == 3)
        #expect(try Fingerprint.areEqual(one.contents, one.files, other.contents, other.files))
    }

    @Test("Bytes in the middle that differ are told by the comparison")
    func middle() throws {
        let text = String(repeating: "x", count: 20_000)
        let one = try NewEntry(1, text + "a" + text)
        let other = try NewEntry(2, text + "b" + text)
        #expect(try Fingerprint(one.contents, one.files) == Fingerprint(other.contents, other.files))
        #expect(try !Fingerprint.areEqual(one.contents, one.files, other.contents, other.files))
    }

    @Test("Empty representations are equal")
    func empty() throws {
        let one = try NewEntry(1, "")
        let other = try NewEntry(2, "")
        #expect(try Fingerprint.areEqual(one.contents, one.files, other.contents, other.files))
    }
}
