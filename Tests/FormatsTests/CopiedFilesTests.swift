import Formats
import TestRandom
import Testing

@Suite struct CopiedFilesTests {
    private func files(_ verb: CopiedFiles.Verb, _ urls: String...) -> CopiedFiles {
        CopiedFiles(verb, urls.compactMap { ListedURL($0.utf8) })
    }

    @Test("The verb comes first, then one URL per line, without a newline at the end")
    func writing() {
        let cut = files(.cut, "file:///a%20b", "file:///c")
        #expect(String(decoding: cut.bytes, as: UTF8.self) == "cut\nfile:///a%20b\nfile:///c")
        #expect(String(decoding: files(.copy).bytes, as: UTF8.self) == "copy")
        #expect(CopiedFiles(cut.bytes) == cut)
    }

    @Test(
        "Other line endings are read",
        arguments: [
            "copy\nfile:///a\nsftp://h/b", "copy\nfile:///a\nsftp://h/b\n", "copy\r\nfile:///a\r\nsftp://h/b\r\n",
            "copy\nfile:///a\nsftp://h/b\0", "copy\nfile:/a\n\nnonsense\nsftp://h/b",
        ])
    func endings(text: String) {
        #expect(CopiedFiles(Array(text.utf8)) == files(.copy, "file:///a", "sftp://h/b"))
    }

    @Test(
        "Contents without a verb are rejected",
        arguments: ["", "\n", "move\nfile:///a", "file:///a", "COPY\nfile:///a"])
    func noVerb(text: String) {
        #expect(CopiedFiles(Array(text.utf8)) == nil)
    }

    @Test("KDE's cut selection is one digit")
    func cutSelection() {
        #expect(CopiedFiles.Verb(kdeCutSelection: Array("1".utf8)) == .cut)
        #expect(CopiedFiles.Verb(kdeCutSelection: [0x31, 0]) == .cut)
        #expect(CopiedFiles.Verb(kdeCutSelection: Array("0".utf8)) == .copy)
        #expect(CopiedFiles.Verb(kdeCutSelection: []) == .copy)
        #expect(CopiedFiles.Verb.cut.kdeCutSelection == Array("1".utf8))
        #expect(CopiedFiles.Verb.copy.kdeCutSelection == Array("0".utf8))
    }

    @Test("Files in a text target are recognized")
    func nautilus() {
        let text = "x-special/nautilus-clipboard\ncut\nfile:///a\nfile:///b\n"
        let cut = files(.cut, "file:///a", "file:///b")
        #expect(CopiedFiles(nautilusText: Array(text.utf8)) == cut)
        #expect(CopiedFiles(nautilusText: Array(text.utf8.dropLast())) == cut)
    }

    @Test(
        "Text that only begins like a list of files stays text",
        arguments: [
            "", "x-special/nautilus-clipboard", "x-special/nautilus-clipboard\n",
            "x-special/nautilus-clipboard\ncopy\n",
            "x-special/nautilus-clipboard\nfile:///a", "x-special/nautilus-clipboard\ncopy\nfile:///a\nand so on",
            "x-special/nautilus-clipboards\ncopy\nfile:///a", "copy\nfile:///a",
            "\nx-special/nautilus-clipboard\ncopy\nfile:///a",
        ])
    func text(text: String) {
        #expect(CopiedFiles(nautilusText: Array(text.utf8)) == nil)
    }

    @Test("Files that were read and written are read again unchanged", arguments: 0..<4 as Range<UInt64>)
    func stable(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("file:///http:%0#\r\n\0 \u{E9}".utf8) + [0xFF]
        for _ in 0..<500 {
            let bytes = Array("cut\n".utf8) + generator.bytes(upTo: 60, from: alphabet)
            guard let files = CopiedFiles(bytes) else {
                Issue.record("seed \(seed): \(bytes)")
                continue
            }
            #expect(CopiedFiles(files.bytes) == files, "seed \(seed): \(bytes)")
            let text = Array("x-special/nautilus-clipboard\n".utf8) + files.bytes + [0x0A]
            #expect(CopiedFiles(nautilusText: text) == (files.urls.isEmpty ? nil : files))
        }
    }
}
