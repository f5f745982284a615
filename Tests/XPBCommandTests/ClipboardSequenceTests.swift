import Commands
import Foundation
import Testing
import XPBCommand

@Suite struct ClipboardSequenceTests {
    private let text = Array("žluť".utf8)

    @Test("The sequence names the selection, and has the text in Base64", arguments: ["c", "p", "s"] as [Character])
    func plain(selection: Character) {
        let sequence = ClipboardSequence(text, selection: selection, through: nil)
        #expect(sequence.bytes == Array("\u{1B}]52;\(selection);\(Data(text).base64EncodedString())\u{7}".utf8))
    }

    @Test("Empty text has a sequence without data, which empties the clipboard")
    func empty() {
        let sequence = ClipboardSequence([], selection: "c", through: nil)
        #expect(sequence.bytes == Array("\u{1B}]52;c;\u{7}".utf8))
    }

    @Test("For tmux the sequence is in one control string, with each ESC doubled")
    func tmux() {
        let sequence = ClipboardSequence(Array("a".utf8), selection: "c", through: .tmux)
        #expect(sequence.bytes == Array("\u{1B}Ptmux;\u{1B}\u{1B}]52;c;YQ==\u{7}\u{1B}\\".utf8))
    }

    @Test("For screen the sequence is in control strings of at most 244 bytes", arguments: [0, 1, 170, 171, 5_000])
    func screen(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let wrapped = String(decoding: ClipboardSequence(bytes, selection: "c", through: .screen).bytes, as: UTF8.self)
        let pieces = wrapped.components(separatedBy: "\u{1B}\\")
        #expect(pieces.last == "")
        #expect(pieces.dropLast().allSatisfy { $0.hasPrefix("\u{1B}P") && $0.utf8.count <= 242 })
        let plain = String(decoding: ClipboardSequence(bytes, selection: "c", through: nil).bytes, as: UTF8.self)
        #expect(pieces.dropLast().map { $0.dropFirst(2) }.joined() == plain)
    }

    @Test("The longest text has a sequence of 100,000 bytes, which terminals accept")
    func longest() {
        let text = [UInt8](repeating: 0x61, count: ClipboardSequence.maxBytes)
        #expect(ClipboardSequence(text, selection: "c", through: nil).bytes.count == 100_000)
    }
}
