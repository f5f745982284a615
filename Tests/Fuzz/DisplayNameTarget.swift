import PasteboardWire

/// The bytes are the value of DISPLAY. The first one says which files there are.
func checkDisplayName(_ bytes: [UInt8]) throws(BrokenInvariant) {
    guard let first = bytes.first else { return }
    let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
    let isThere = !first.isMultiple(of: 2)
    guard let name = DisplayName(text, exists: { _ in isThere }) else { return }
    let key = name.key
    try expect(!key.isEmpty && key != DisplayName.keyOfNone, "a display has a key of its own")
    try expect(!key.hasPrefix(".") && key.utf8.allSatisfy { isPlain($0) }, "a key is a name of a file")
    try expect(key.utf8.count <= 3 * name.canonical.utf8.count, "a key is little longer than the name")
    // What is canonical has no screen; a path may look as if it had one, if there is no such file.
    let again = DisplayName(name.canonical, exists: { _ in true })
    try expect(again?.key == key, "a canonical name is its own")
    if let path = name.socketPath { try expect(path.hasPrefix("/") || text.hasPrefix("/"), "a socket has a path") }
}

private func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "%:._-".utf8.contains(byte)
    }
}
