import LinuxSystem

/// The next piece of a file that is not mapped, read while the requestor still takes the piece before: read when it is asked
/// for, it would have the requestor wait for that. There is one, for the one transfer that is under way.
package struct ReadAhead {
    private var prepared: (file: MemoryFile, range: Range<Int>, bytes: [UInt8])?

    /// Gives a part of the bytes: what was read ahead, if it is that, or as ``Offer/Bytes/withBytes(in:_:)`` does.
    package mutating func withBytes(
        in part: Range<Int>, of bytes: Offer.Bytes, _ body: (RawSpan) -> Void
    ) throws {
        let range = bytes.inFile(part)
        guard let prepared, prepared.file === bytes.held.file, prepared.range.lowerBound == range.lowerBound,
            prepared.range.upperBound >= range.upperBound
        else { return try bytes.withBytes(in: part, body) }
        self.prepared = nil
        unsafe prepared.bytes.prefix(range.count).withUnsafeBytes { unsafe body($0.bytes) }
    }

    /// Reads as much as the part has, from its end on. What cannot be read is found out when it is asked for.
    package mutating func prepare(after part: Range<Int>, of bytes: Offer.Bytes) {
        prepared = nil
        let range = bytes.inFile(part.upperBound..<min(part.upperBound + part.count, bytes.range.count))
        guard let file = bytes.held.file, file.kind != .sealed, !range.isEmpty, let read = try? file.bytes(in: range)
        else {
            return
        }
        prepared = (file, range, read)
    }

    /// Lets go of it, and of its file.
    package mutating func drop() {
        prepared = nil
    }
}
