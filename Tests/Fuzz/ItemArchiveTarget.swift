import PasteboardModel

/// The bytes are a stream of items: all of it, a part of a longer one, what a pipe has given so far, and a manifest.
func checkItemArchive(_ bytes: [UInt8]) throws(BrokenInvariant) {
    for length in [bytes.count, bytes.count &* 1_000, .max, 0, nil] { try checkStream(bytes, length: length) }
    guard !bytes.contains(UInt8(ascii: "\n")) else { return }
    try checkStream(Array("xpb-items 1\n".utf8) + bytes + [UInt8(ascii: "\n")], length: nil)
}

private func checkStream(_ bytes: [UInt8], length: Int?) throws(BrokenInvariant) {
    switch Result(catching: { () throws(ItemArchiveError) in try ItemArchive(header: bytes, length: length) }) {
    case .success(let archive): try check(archive, of: bytes)
    case .failure(let error):
        try expect(!error.message.isEmpty, "a fault says what it is")
        switch error {
        case .truncated(let missing): try expect(missing > 0, "some byte is missing")
        case .trailing(let count): try expect(count > 0 && length != nil, "some byte is too many")
        case .newerVersion(let version): try expect(version > 1, "a newer version is newer")
        case .notAnArchive, .damaged: break
        }
    }
}

private func check(_ archive: ItemArchive, of bytes: [UInt8]) throws(BrokenInvariant) {
    try expect(bytes.starts(with: archive.header), "a header is what the stream begins with")
    var end = archive.header.count
    let (parts, ranges) = (Array(archive.items.joined()), Array(archive.ranges.joined()))
    try expect(archive.ranges.map(\.count) == archive.items.map(\.count), "each representation has a range")
    for (part, range) in zip(parts, ranges) {
        try expect(range.lowerBound == end && range.count == part.length, "ranges lie one behind the other")
        end = range.upperBound
    }
    try expect(end == archive.length, "the last range ends the stream")
    // A header that is written anew may be longer, and the whole then have no length.
    guard archive.length <= .max >> 1 else { return }
    let again = ItemArchive(items: archive.items)
    try expect((try? ItemArchive(header: again.header, length: again.length)) == again, "an archive comes back")
}
