/// The replies of a terminal to ``query``, and the facts about pictures in them.
///
/// Nothing is guessed from TERM or other variables, which survive ssh, sudo and terminals inside terminals.
package struct TerminalReplies: Sendable {
    /// The queries. Every terminal answers the last query, for the primary device attributes (DA1). Its reply shows
    /// that the other replies, if any, have arrived:
    ///
    /// * kitty's graphics: a picture of one pixel, which is checked and not shown;
    /// * iTerm2's cell size, which only terminals with its protocol for pictures report;
    /// * the cell's size in pixels;
    /// * the number of sixel's colors, and the largest size of a picture (XTSMGRAPHICS).
    package static let query =
        "\u{1B}_Gi=1,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\" + "\u{1B}]1337;ReportCellSize\u{1B}\\" + "\u{1B}[16t"
        + "\u{1B}[?1;1;0S" + "\u{1B}[?2;1;0S" + "\u{1B}[c"

    package struct Size: Equatable, Sendable {
        package let width: Int
        package let height: Int

        package init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }
    }

    /// True after the reply to the last query.
    package private(set) var isComplete = false
    package private(set) var hasKittyPictures = false
    package private(set) var hasInlinePictures = false
    package private(set) var hasSixel = false
    /// The size of a character in pixels, if it is reported.
    package private(set) var cell: Size?
    /// The number of colors of a sixel picture, if it is reported.
    package private(set) var sixelColors: Int?
    /// The largest sixel picture, if it is reported.
    package private(set) var maxSixel: Size?

    private var parser = EscapeParser()

    package init() {}

    /// Processes bytes from the terminal. Keys among them are dropped.
    package mutating func feed(_ bytes: some Sequence<UInt8>) {
        for token in parser.feed(bytes) {
            switch token {
            case .sequence(let parameters, let final): take(String(decoding: parameters, as: UTF8.self), final)
            case .string(UInt8(ascii: "_"), let bytes): takeKitty(String(decoding: bytes, as: UTF8.self))
            case .string(UInt8(ascii: "]"), let bytes):
                let isReport = String(decoding: bytes, as: UTF8.self).hasPrefix("1337;ReportCellSize=")
                hasInlinePictures = hasInlinePictures || isReport
            default: break
            }
        }
    }

    private mutating func take(_ parameters: String, _ final: UInt8) {
        let isPrivate = parameters.hasPrefix("?")
        let numbers = parameters.drop { $0 == "?" }.split(separator: ";", omittingEmptySubsequences: false)
            .map { Int($0) ?? 0 }
        switch final {
        case UInt8(ascii: "c") where isPrivate:
            // The first number is the level of the terminal; the others are its extensions.
            hasSixel = numbers.dropFirst().contains(4)
            isComplete = true
        case UInt8(ascii: "t") where numbers.count == 3 && numbers[0] == 6:
            cell = Self.size(width: numbers[2], height: numbers[1])
        // The second number is 0 for success.
        case UInt8(ascii: "S") where isPrivate && numbers.count >= 3 && numbers[1] == 0:
            if numbers[0] == 1 { sixelColors = numbers[2] }
            if numbers[0] == 2, numbers.count == 4 { maxSixel = Self.size(width: numbers[2], height: numbers[3]) }
        default: break
        }
    }

    private mutating func takeKitty(_ reply: String) {
        if reply.hasPrefix("Gi=1;"), reply.hasSuffix(";OK") { hasKittyPictures = true }
    }

    private static func size(width: Int, height: Int) -> Size? {
        // A size outside this range is an error of the terminal.
        let range = 1...65_535
        return range.contains(width) && range.contains(height) ? Size(width: width, height: height) : nil
    }
}
