import Terminal

func checkPNG(_ bytes: [UInt8]) throws(BrokenInvariant) {
    let limit = (width: 40, height: 30)
    guard let pixels = PNGReader.pixels(of: bytes, fitting: limit) else { return }
    try expect(1...limit.width ~= pixels.width && 1...limit.height ~= pixels.height, "a picture fits its place")
    let again = PNGReader.pixels(of: PNGWriter.file(pixels), fitting: limit)
    let isOpaque = stride(from: 3, to: pixels.bytes.count, by: 4).allSatisfy { pixels.bytes[$0] == 255 }
    try expect(again != nil && (!isOpaque || again == pixels), "a picture is read as it was written")
    let sixel = Sixel.encode(pixels, colors: 16)
    try expect(sixel.dropFirst().dropLast(2).allSatisfy { 0x20...0x7E ~= $0 }, "sixel has no control characters")
}

func checkTerminal(_ bytes: [UInt8]) throws(BrokenInvariant) {
    var decoder = KeyDecoder()
    var replies = TerminalReplies()
    var keys: [Key] = []
    for byte in bytes {
        keys += decoder.feed([byte])
        replies.feed([byte])
    }
    var whole = KeyDecoder()
    try expect(whole.feed(bytes) == keys, "keys do not depend on how the bytes are read")
    _ = decoder.flush()
    try expect(!decoder.isPending, "nothing is pending after the wait has ended")
    for case .text(let text) in keys {
        let hasControl = text.unicodeScalars.contains { $0.properties.generalCategory == .control }
        try expect(!hasControl, "text has no control characters")
    }
}
