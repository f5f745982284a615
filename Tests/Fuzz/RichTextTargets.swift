import RichText

func checkHTML(_ bytes: [UInt8]) throws(BrokenInvariant) {
    let text = RichText.plainText(fromHTML: bytes)
    try expect(String(validating: text, as: UTF8.self) != nil, "the text of HTML is UTF-8")
    try expect(text.count <= 64 * bytes.count + 64, "the text of HTML is not much longer")
    let rest = HTMLEncoding.withoutMetaPrefix(bytes)
    try expect(bytes.suffix(rest.count) == rest, "only what stands before is left out")
    let encoding = HTMLEncoding(detectedIn: bytes)
    if let decoded = encoding.decoded(bytes) {
        try expect(String(validating: decoded, as: UTF8.self) != nil, "what is decoded is UTF-8")
        try expect(decoded.count <= 4 * bytes.count + 4, "decoding adds little")
    }
}

func checkRTF(_ bytes: [UInt8]) throws(BrokenInvariant) {
    guard let text = RichText.plainText(fromRTF: bytes) else { return }
    try expect(String(validating: text, as: UTF8.self) != nil, "the text of RTF is UTF-8")
    try expect(text.count <= 8 * bytes.count + 64, "the text of RTF is not much longer")
}
