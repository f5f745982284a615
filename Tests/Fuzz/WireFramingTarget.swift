import PasteboardWire

/// The first byte says into how small pieces the rest is cut, which is a stream of messages.
func checkFraming(_ bytes: [UInt8]) throws(BrokenInvariant) {
    guard let size = bytes.first else { return }
    let stream = Array(bytes.dropFirst())
    let whole = messages(in: stream, pieces: max(stream.count, 1))
    let cut = messages(in: stream, pieces: Int(size) + 1)
    try expect(cut.messages.starts(with: whole.messages), "a message does not depend on how its stream is cut")
    try expect(
        cut.messages.allSatisfy { $0.count <= framingLimit && !$0.contains(0) }, "a message is within its bounds")
    try expect(cut.most <= framingLimit + Int(size) + 1, "no more is held than a message and what came with it")
    guard !whole.isTooLong else { return try expect(cut.isTooLong, "what is too long is so however it is cut") }
    try expect(!cut.isTooLong && cut.messages == whole.messages, "all messages come, however the stream is cut")
    let ends = stream.count { $0 == 0 }
    try expect(whole.messages.count == ends, "each NUL ends a message")
    try expect(
        whole.messages.joined(separator: [0]).elementsEqual(stream.prefix(length(stream))),
        "the messages are the stream")
}

private let framingLimit = 512

/// Without what follows the last NUL, and without that.
private func length(_ stream: [UInt8]) -> Int { stream.lastIndex(of: 0) ?? 0 }

private func messages(
    in stream: [UInt8], pieces: Int
) -> (messages: [[UInt8]], isTooLong: Bool, most: Int) {
    var framer = MessageFramer(limit: framingLimit)
    var found: [[UInt8]] = []
    var most = 0
    for start in stride(from: 0, to: stream.count, by: pieces) {
        framer.append(Array(stream[start..<min(start + pieces, stream.count)]))
        do throws(WireFault) {
            while let message = try framer.next() { found.append(message) }
        } catch {
            return (found, true, most)
        }
        if pieces < stream.count { most = max(most, framer.count) }
    }
    return (found, false, most)
}
