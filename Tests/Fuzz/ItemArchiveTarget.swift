import PasteboardModel

/// Checks the bytes as an archive of items: as a complete archive, a part of a longer archive, the beginning of an
/// archive from a pipe, and the manifest of an archive.
func checkItemArchive(_ bytes: [UInt8]) throws(BrokenInvariant) {
    for length in [bytes.count, bytes.count &* 1_000, .max, 0, nil] { try checkStream(bytes, length: length) }
    guard !bytes.contains(UInt8(ascii: "\n")) else { return }
    try checkStream(Array("xpb-items 1\n".utf8) + bytes + [UInt8(ascii: "\n")], length: nil)
}

private func checkStream(_ bytes: [UInt8], length: Int?) throws(BrokenInvariant) {
    switch Result(catching: { () throws(ItemArchiveError) in try ItemArchive(header: bytes, length: length) }) {
    case .success(let archive): try check(archive, of: bytes)
    case .failure(let error):
        try expect(!error.message.isEmpty, "an error has a message")
        switch error {
        case .truncated(let missing): try expect(missing > 0, "at least one byte is missing")
        case .trailing(let count): try expect(count > 0 && length != nil, "there is at least one additional byte")
        case .newerVersion(let version): try expect(version > 1, "a newer version is newer")
        case .notAnArchive, .damaged: break
        }
    }
}

private func check(_ archive: ItemArchive, of bytes: [UInt8]) throws(BrokenInvariant) {
    try expect(bytes.starts(with: archive.header), "the stream begins with the header")
    var end = archive.header.count
    let (parts, ranges) = (Array(archive.items.joined()), Array(archive.ranges.joined()))
    try expect(archive.ranges.map(\.count) == archive.items.map(\.count), "each representation has a range")
    for (part, range) in zip(parts, ranges) {
        try expect(range.lowerBound == end && range.count == part.length, "ranges are contiguous and in order")
        end = range.upperBound
    }
    try expect(end == archive.length, "the last range ends the stream")
    // A header that is written again may be longer, so that the length of the stream would overflow.
    guard archive.length <= .max >> 1 else { return }
    let again = ItemArchive(items: archive.items)
    try expect((try? ItemArchive(header: again.header, length: again.length)) == again, "an archive is restored")
}
