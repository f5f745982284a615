import Formats

func checkColor(_ bytes: [UInt8]) throws(BrokenInvariant) {
    if let color = X11Color(bytes) {
        try expect(bytes.count == 6 || bytes.count == 8, "a color has three or four numbers")
        try expect(color.bytes.starts(with: bytes) && color.bytes.count == 8, "a color comes back in its bytes")
        try check(color)
    }
    if let color = X11Color(css: String(decoding: bytes, as: UTF8.self)) { try check(color) }
}

private func check(_ color: X11Color) throws(BrokenInvariant) {
    try expect(X11Color(color.bytes) == color, "a color comes back from its bytes")
    try expect(X11Color(css: color.css)?.components8 == color.components8, "a color comes back from CSS in 8 bits")
}
