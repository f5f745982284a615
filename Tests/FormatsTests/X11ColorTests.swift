import Formats
import TestRandom
import Testing

@Suite struct X11ColorTests {
    @Test("Four 16-bit numbers in the machine's byte order are a color, and three are an opaque color")
    func bytes() {
        let numbers: [UInt16] = [0x1234, 0, 0xFFFF, 0x8000]
        let bytes = numbers.flatMap { number in
            var bytes: [UInt8] = [UInt8(number >> 8), UInt8(number & 0xFF)]
            if number.littleEndian == number { bytes.reverse() }
            return bytes
        }
        let color = X11Color(red: 0x1234, green: 0, blue: 0xFFFF, alpha: 0x8000)
        #expect(X11Color(bytes) == color)
        #expect(color.bytes == bytes)
        #expect(X11Color(Array(bytes.prefix(6))) == X11Color(red: 0x1234, green: 0, blue: 0xFFFF))
    }

    @Test("Bytes of any other length are not a color", arguments: [0, 1, 2, 4, 5, 7, 9, 16])
    func length(count: Int) {
        #expect(X11Color([UInt8](repeating: 0, count: count)) == nil)
    }

    @Test("8-bit components are restored from 16 bits, and 16 bits round to the nearest 8")
    func widths() {
        for part in UInt8.min...UInt8.max {
            let color = X11Color(red8: part, green: 0, blue: 255, alpha: part)
            #expect(color.components8 == [part, 0, 255, part])
            #expect(color.red == UInt16(part) << 8 | UInt16(part))
        }
        for part in UInt16.min...UInt16.max {
            let narrow = X11Color(red: part, green: 0, blue: 0).components8[0]
            let distance = abs(Int(part) - Int(narrow) * 257)
            if distance > 128 { Issue.record("\(part) became \(narrow)") }
        }
    }

    @Test(
        "Every CSS notation of a color is read",
        arguments: [
            ("#123", "#112233"), ("#1234", "#11223344"), ("#A1b2C3", "#a1b2c3"), ("#a1b2c3d4", "#a1b2c3d4"),
            ("#fff", "#ffffff"), ("#ffff", "#ffffff"), ("rgb(1, 2, 3)", "#010203"), ("rgb(1,2,3,0.5)", "#01020380"),
            ("RGBA( 1 , 2 , 3 , 50% )", "#01020380"), ("rgb(1 2 3)", "#010203"), ("rgb(1 2 3 / 0)", "#01020300"),
            ("rgb(100% 0% 50%/1)", "#ff0080"), ("rgb(-5, 300, 1e2)", "#00ff64"), ("rgb(none 0 .5)", "#000001"),
            ("rgb(12.4 0 0 / 200%)", "#0c0000"), (" red\n", "#ff0000"), ("RebeccaPurple", "#663399"),
            ("transparent", "#00000000"), ("lightgoldenrodyellow", "#fafad2"), ("aqua", "#00ffff"),
        ])
    func css(text: String, written: String) {
        #expect(X11Color(css: text)?.css == written)
        #expect(X11Color(css: written)?.css == written)
    }

    @Test(
        "Any other text is not a color",
        arguments: [
            "", "#", "#1", "#12", "#12345", "#1234567", "#123456789", "#ggg", "123", "rgb", "rgb(", "rgb()", "rgb(1,2)",
            "rgb(1,2,3,4,5)", "rgb(1 2)", "rgb(1 2 3 4)", "rgb(1 2 3 / 4 / 5)", "rgb(1 2 3 /)", "rgb(,,)",
            "rgb(nan 0 0)",
            "rgb(inf 0 0)", "rgb(0x1 0 0)", "rgb(1. 0 0)", "rgb(e 0 0)", "hsl(1 2 3)", "rgb(1 2 3", "rgb 1 2 3)",
            "redd", "rgb(%, 0, 0)", "rgb (1,2,3)", "#é12", "rgb(1;2;3)",
        ])
    func noColor(text: String) {
        #expect(X11Color(css: text) == nil)
    }

    @Test("A number beyond the range of Double is clamped")
    func beyond() {
        #expect(X11Color(css: "rgb(1e999 -1e999 1e-999)")?.css == "#ff0000")
    }

    @Test("Text that is too long is rejected")
    func long() {
        #expect(X11Color(css: "#123" + String(repeating: " ", count: 10_000)) == nil)
    }

    @Test("A random color is restored from its bytes, and from CSS in 8 bits", arguments: 0..<4 as Range<UInt64>)
    func roundTrip(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let parts = (0..<4).map { _ in UInt16.random(in: 0...UInt16.max, using: &generator) }
            let color = X11Color(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3])
            #expect(X11Color(color.bytes) == color, "seed \(seed)")
            #expect(X11Color(css: color.css)?.components8 == color.components8, "seed \(seed)")
        }
    }

    @Test("Random text is rejected, or gives a color that its own CSS restores")
    func anyText() {
        var generator = SeededGenerator(seed: 11)
        let alphabet = Array("rgba(),/ %.+-e019#none".utf8)
        for _ in 0..<5000 {
            let text = "rgb(" + String(decoding: generator.bytes(upTo: 16, from: alphabet), as: UTF8.self) + ")"
            guard let color = X11Color(css: text) else { continue }
            #expect(X11Color(css: color.css)?.components8 == color.components8, "\(text)")
        }
    }
}
