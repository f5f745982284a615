import LinuxSystem
import PasteboardWire

// MARK: Framing

/// Checks the framing of messages. The first byte selects the size of the pieces in which the other bytes, a stream of
/// messages, arrive.
func checkFraming(_ bytes: [UInt8]) throws(BrokenInvariant) {
    guard let size = bytes.first else { return }
    let stream = Array(bytes.dropFirst())
    let whole = framed(stream, pieceSize: max(stream.count, 1))
    let split = framed(stream, pieceSize: Int(size) + 1)
    try expect(split.messages.starts(with: whole.messages), "messages do not depend on how the stream is split")
    try expect(
        split.messages.allSatisfy { $0.count <= framingLimit && !$0.contains(0) }, "a message is bounded and has no NUL"
    )
    try expect(
        split.maxBuffered <= framingLimit + Int(size) + 1,
        "no more is buffered than a message and the piece that completes it")
    guard !whole.isTooLong else {
        return try expect(split.isTooLong, "a message is too long, however the stream is split")
    }
    try expect(
        !split.isTooLong && split.messages == whole.messages, "all messages arrive, however the stream is split")
    let ends = stream.count { $0 == 0 }
    try expect(whole.messages.count == ends, "each NUL ends a message")
    try expect(
        whole.messages.joined(separator: [0]).elementsEqual(stream.prefix(stream.lastIndex(of: 0) ?? 0)),
        "the messages are the stream up to the last NUL")
}

private let framingLimit = 512

private func framed(
    _ stream: [UInt8], pieceSize: Int
) -> (messages: [[UInt8]], isTooLong: Bool, maxBuffered: Int) {
    var framer = MessageFramer(limit: framingLimit)
    var messages: [[UInt8]] = []
    var maxBuffered = 0
    for start in stride(from: 0, to: stream.count, by: pieceSize) {
        framer.append(Array(stream[start..<min(start + pieceSize, stream.count)]))
        do throws(WireFault) {
            while let message = try framer.next() { messages.append(message) }
        } catch {
            return (messages, true, maxBuffered)
        }
        if pieceSize < stream.count { maxBuffered = max(maxBuffered, framer.count) }
    }
    return (messages, false, maxBuffered)
}

// MARK: Names of displays

/// Checks the parsing of DISPLAY, whose value follows the first byte. The first byte selects whether files exist.
func checkDisplayName(_ bytes: [UInt8]) throws(BrokenInvariant) {
    guard let first = bytes.first else { return }
    let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
    let filesExist = !first.isMultiple(of: 2)
    guard let name = DisplayName(text, exists: { _ in filesExist }) else { return }
    let key = name.key
    try expect(!key.isEmpty && key != DisplayName.keyWithoutDisplay, "a display has its own key")
    try expect(!key.hasPrefix(".") && key.utf8.allSatisfy { isFileNameByte($0) }, "a key can be the name of a file")
    try expect(key.utf8.count <= 3 * name.canonical.utf8.count, "the length of a key is bounded")
    // A canonical name has no screen. A path may seem to have one if the file does not exist.
    let again = DisplayName(name.canonical, exists: { _ in true })
    try expect(again?.key == key, "the canonical name of a canonical name is the same")
    if let path = name.socketPath { try expect(path.hasPrefix("/") || text.hasPrefix("/"), "a socket has a path") }
}

private func isFileNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "%:._-".utf8.contains(byte)
    }
}
