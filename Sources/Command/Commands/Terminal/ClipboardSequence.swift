import FoundationEssentials

/// The control sequence that asks a terminal to copy text: OSC 52, "Manipulate Selection Data" in xterm's list of
/// control sequences.
///
/// The terminal sends no reply. Some terminals ignore the sequence, and others ignore it until the user allows it.
package struct ClipboardSequence: Equatable, Sendable {
    /// A program between this one and the terminal that passes on control sequences only in its own wrapping.
    package enum Multiplexer: Sendable {
        /// tmux from version 3.3 passes the sequence on only if its option `allow-passthrough` is on.
        case tmux
        case screen
    }

    /// The limit on the bytes of the text. Most terminals ignore sequences of more than 100,000 bytes, and in Base64
    /// three bytes of text become four.
    package static let maxBytes = 74_994

    /// The limit on the bytes of a piece in one control string for screen, with room for the bytes around the piece.
    private static let screenPiece = 240

    package let bytes: [UInt8]

    /// - Parameters:
    ///   - text: UTF-8, at most ``maxBytes``.
    ///   - selection: `c` for CLIPBOARD, `p` for PRIMARY, `s` for SECONDARY.
    package init(_ text: [UInt8], selection: Character, through multiplexer: Multiplexer?) {
        let encoded = Array(Data(text).base64EncodedData())
        let sequence = Array("\u{1B}]52;\(selection);".utf8) + encoded + [Self.bell]
        switch multiplexer {
        case nil: bytes = sequence
        case .tmux: bytes = Self.start + Array("tmux;".utf8) + sequence.flatMap(Self.doubled) + Self.end
        case .screen: bytes = Self.pieces(of: sequence).flatMap { Self.start + $0 + Self.end }
        }
    }

    private static let bell: UInt8 = 7
    private static let escape: UInt8 = 0x1B
    /// The beginning and the end of a device control string.
    private static let start = Array("\u{1B}P".utf8)
    private static let end = Array("\u{1B}\\".utf8)

    /// Doubles ESC, as tmux requires in text that it passes on.
    private static func doubled(_ byte: UInt8) -> [UInt8] { byte == escape ? [byte, byte] : [byte] }

    private static func pieces(of sequence: [UInt8]) -> [ArraySlice<UInt8>] {
        stride(from: 0, to: sequence.count, by: screenPiece).map { start in
            sequence[start..<min(start + screenPiece, sequence.count)]
        }
    }
}
