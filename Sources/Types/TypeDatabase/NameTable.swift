/// A table from names to names, with several values for a key. All names share one array of bytes, so a thousand names
/// cost two allocations.
struct NameTable: Sendable {
    private struct Entry {
        let start: UInt32
        let keyLength: UInt16
        let valueLength: UInt16
    }

    private var bytes: [UInt8] = []
    /// The entries in the order of their keys, those of one key in the order in which they were added.
    private var entries: [Entry] = []

    /// - Parameter fill: Adds the names. Values of one key keep the order in which they are added. Names of more than
    ///   1,024 bytes are left out.
    init(_ fill: (_ add: (_ key: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Void) -> Void) {
        var bytes: [UInt8] = []
        var entries: [Entry] = []
        fill { key, value in
            guard key.count <= 1024, value.count <= 1024, let start = UInt32(exactly: bytes.count) else { return }
            entries.append(Entry(start: start, keyLength: UInt16(key.count), valueLength: UInt16(value.count)))
            bytes += key
            bytes += value
        }
        entries.sort { left, right in
            let (leftKey, rightKey) = (Self.key(of: left, in: bytes), Self.key(of: right, in: bytes))
            if leftKey.lexicographicallyPrecedes(rightKey) { return true }
            return left.start < right.start && leftKey.elementsEqual(rightKey)
        }
        self.bytes = bytes
        self.entries = entries
    }

    /// Returns the values of a key, each once, in the order in which they were added.
    func values(of key: String) -> [String] {
        var values: [String] = []
        for entry in self.entries(of: key) {
            let start = Int(entry.start) + Int(entry.keyLength)
            let value = String(decoding: bytes[start..<start + Int(entry.valueLength)], as: UTF8.self)
            if !values.contains(where: { $0.utf8.elementsEqual(value.utf8) }) { values.append(value) }
        }
        return values
    }

    func contains(_ key: String) -> Bool { !entries(of: key).isEmpty }

    private func entries(of key: String) -> ArraySlice<Entry> {
        let key = Array(key.utf8)
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if Self.key(of: entries[middle], in: bytes).lexicographicallyPrecedes(key) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return entries[low...].prefix { Self.key(of: $0, in: bytes).elementsEqual(key) }
    }

    private static func key(of entry: Entry, in bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes[Int(entry.start)..<Int(entry.start) + Int(entry.keyLength)]
    }
}
