import FoundationEssentials
import Terminal
import TestRandom
import Testing

/// A decoder of the output of ``Sixel``.
private struct SixelPicture {
    var pixels: [[Int?]] = []
    var colors: [Int: [Int]] = [:]

    init?(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasPrefix("\u{1B}P0;1;0q\"1;1;"), text.hasSuffix("\u{1B}\\") else { return nil }
        var rest = Substring(text.dropFirst(13).dropLast(2))
        func number() -> Int {
            let digits = rest.prefix(while: \.isNumber)
            rest = rest.dropFirst(digits.count)
            return Int(digits) ?? 0
        }
        let width = number()
        rest.removeFirst()
        let height = number()
        pixels = Array(repeating: Array(repeating: nil, count: width), count: height)
        var (x, y, color) = (0, 0, 0)
        while let character = rest.popFirst() {
            var count = 1
            var sixel = character
            switch character {
            case "#":
                color = number()
                if rest.hasPrefix(";2;") {
                    rest = rest.dropFirst(3)
                    let red = number()
                    rest.removeFirst()
                    let green = number()
                    rest.removeFirst()
                    colors[color] = [red, green, number()]
                }
                continue
            case "$":
                x = 0
                continue
            case "-":
                (x, y) = (0, y + 6)
                continue
            case "!":
                count = number()
                sixel = rest.removeFirst()
            default: break
            }
            guard let value = sixel.asciiValue, (0x3F...0x7E).contains(value), colors[color] != nil else { return nil }
            for _ in 0..<count {
                for bit in 0..<6 where (value - 0x3F) >> bit & 1 == 1 {
                    guard y + bit < height, x < width else { return nil }
                    pixels[y + bit][x] = color
                }
                x += 1
            }
        }
    }

    func color(_ x: Int, _ y: Int) -> [Int]? { pixels[y][x].flatMap { colors[$0] } }
}

@Suite struct SixelTests {
    private func picture(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> [UInt8]) -> Pixels {
        var bytes: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width { bytes += pixel(x, y) }
        }
        return Pixels(width: width, height: height, bytes: bytes)
    }

    @Test("A few colors are exact to a hundredth, and transparent pixels are not drawn")
    func exact() throws {
        let pixels = picture(20, 15) { x, y in
            if x == 3, y == 4 { return [9, 9, 9, 100] }
            if x < 10 { return [255, 0, 128, 255] }
            return [0, y < 7 ? 51 : 204, 255, 255]
        }
        let decoded = try #require(SixelPicture(Sixel.encode(pixels)))
        #expect(decoded.color(3, 4) == nil)
        #expect(decoded.color(0, 0) == [100, 0, 50] && decoded.color(9, 14) == [100, 0, 50])
        #expect(decoded.color(19, 6) == [0, 20, 100] && decoded.color(10, 14) == [0, 80, 100])
        #expect(decoded.colors.count == 3)
    }

    @Test("Many colors are reduced to the terminal's number, each near the original", arguments: [2, 16, 256, 9_999])
    func palette(limit: Int) throws {
        let pixels = picture(64, 64) { x, y in [UInt8(4 * x), UInt8(4 * y), UInt8(2 * (x + y)), 255] }
        let decoded = try #require(SixelPicture(Sixel.encode(pixels, colors: limit)))
        #expect(decoded.colors.count <= min(limit, Sixel.maxColors))
        guard limit >= 256 else { return }
        for (x, y) in [(0, 0), (63, 0), (0, 63), (31, 17), (63, 63)] {
            let channels: [Int] = [4 * x, 4 * y, 2 * (x + y)]
            let expected = channels.map { $0 * 100 / 255 }
            let found = try #require(decoded.color(x, y))
            #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= 8 }, "\(found), not \(expected)")
        }
    }

    @Test("A picture without an opaque pixel is empty, and a picture of a single pixel is drawn")
    func extremes() throws {
        let empty = try #require(SixelPicture(Sixel.encode(picture(5, 7) { _, _ in [1, 2, 3, 0] })))
        #expect(empty.colors.isEmpty)
        let one = try #require(SixelPicture(Sixel.encode(picture(1, 1) { _, _ in [0, 255, 0, 255] })))
        #expect(one.color(0, 0) == [0, 100, 0])
    }
}

@Suite struct TerminalPictureTests {
    private let cell = TerminalReplies.Size(width: 10, height: 20)

    private func png(_ width: Int, _ height: Int) -> [UInt8] {
        var random = SeededGenerator(seed: 8)
        var bytes: [UInt8] = []
        for _ in 0..<width * height {
            bytes += (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) } + [255]
        }
        return PNGWriter.file(Pixels(width: width, height: height, bytes: bytes))
    }

    @Test("A picture is scaled to its place, and has the number of rows that it covers")
    func place() throws {
        let support = PictureSupport(way: .inline, cell: cell)
        func has(_ size: String, _ picture: TerminalPicture) -> Bool {
            String(decoding: picture.bytes, as: UTF8.self).contains(size)
        }
        let picture = try #require(support.picture(ofPNG: png(200, 100), columns: 8, rows: 4))
        #expect(has("width=80px;height=40px;", picture) && picture.rows == 2)
        let small = try #require(support.picture(ofPNG: png(5, 21), columns: 8, rows: 4))
        #expect(has("width=5px;height=21px;", small) && small.rows == 2)
        #expect(support.picture(ofPNG: [1, 2, 3], columns: 8, rows: 4) == nil)
    }

    @Test("kitty gets the file in pieces of at most 4,096 characters, and only the last piece is marked as the end")
    func kitty() throws {
        let support = PictureSupport(way: .kitty, cell: cell)
        let picture = try #require(support.picture(ofPNG: png(80, 80), columns: 8, rows: 4))
        let pieces = String(decoding: picture.bytes, as: UTF8.self).components(separatedBy: "\u{1B}_G").dropFirst()
        #expect(pieces.count > 2)
        var base64 = ""
        for (number, piece) in pieces.enumerated() {
            let parts = piece.split(separator: ";", maxSplits: 1)
            let keys = Set(parts[0].split(separator: ","))
            #expect(keys.contains(number == pieces.count - 1 ? "m=0" : "m=1") && keys.contains("q=2"))
            #expect(keys.isSuperset(of: ["a=T", "f=100", "C=1"]) == (number == 0))
            #expect(parts[1].hasSuffix("\u{1B}\\") && parts[1].count <= KittyPicture.maxPiece + 2)
            base64 += parts[1].dropLast(2)
        }
        let file = try #require(Data(base64Encoded: base64))
        #expect(PNGReader.pixels(of: Array(file), fitting: (500, 500))?.width == 80)
    }

    @Test("iTerm2 gets the file in one piece, with its size in pixels")
    func inline() throws {
        let support = PictureSupport(way: .inline, cell: cell)
        let picture = try #require(support.picture(ofPNG: png(30, 30), columns: 8, rows: 4))
        let text = String(decoding: picture.bytes, as: UTF8.self)
        #expect(text.hasPrefix("\u{1B}]1337;File=inline=1;") && text.hasSuffix("\u{7}"))
        #expect(text.contains("width=30px;height=30px;"))
        let base64 = text.dropLast().split(separator: ":", maxSplits: 1)[1]
        #expect(Data(base64Encoded: String(base64)) != nil)
    }

    @Test("A sixel picture ends with a whole band within its rows, and keeps to the terminal's largest size")
    func sixel() throws {
        let support = PictureSupport(way: .sixel(colors: 256, largest: nil), cell: cell)
        let picture = try #require(support.picture(ofPNG: png(10, 200), columns: 8, rows: 4))
        #expect(SixelPicture(picture.bytes)?.pixels.count == 78)
        let limited = PictureSupport(
            way: .sixel(colors: 16, largest: .init(width: 40, height: 40)), cell: cell)
        let small = try #require(limited.picture(ofPNG: png(100, 100), columns: 8, rows: 4))
        #expect(SixelPicture(small.bytes)?.pixels.count == 36)
    }

    @Test(
        "Bytes of a file other than its pixels do not reach the terminal",
        arguments: [PictureSupport.Way.kitty, .inline, .sixel(colors: 16, largest: nil)])
    func encodedAgain(way: PictureSupport.Way) throws {
        let support = PictureSupport(way: way, cell: cell)
        let plain = png(20, 20)
        let picture = try #require(support.picture(ofPNG: plain, columns: 8, rows: 4))
        let marked = plain + Array("\u{1B}]0;title\u{7}".utf8)
        #expect(support.picture(ofPNG: marked, columns: 8, rows: 4) == picture)
    }

    @Test("Only kitty's pictures need a command to be removed")
    func removal() {
        #expect(!PictureSupport(way: .kitty, cell: cell).removal.isEmpty)
        #expect(PictureSupport(way: .inline, cell: cell).removal.isEmpty)
    }
}

@Suite struct StyleTests {
    @Test("Emphasis is for terminals, and NO_COLOR turns it off")
    func style() {
        func text(_ isTerminal: Bool, _ environment: [String: String]) -> String {
            Style(isTerminal: isTerminal, environment: environment).bold("a")
        }
        #expect(text(true, [:]) == "\u{1B}[1ma\u{1B}[0m" && text(true, ["NO_COLOR": ""]) == text(true, [:]))
        #expect(text(false, [:]) == "a" && text(true, ["NO_COLOR": "1"]) == "a" && text(true, ["TERM": "dumb"]) == "a")
    }
}
