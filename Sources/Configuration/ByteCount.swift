/// A number of bytes as people write it.
package enum ByteCount {
    private static let units: [(name: String, bytes: Int)] = [
        ("", 1), ("b", 1), ("kb", 1000), ("mb", 1_000_000), ("gb", 1_000_000_000), ("k", 1 << 10), ("m", 1 << 20),
        ("g", 1 << 30), ("kib", 1 << 10), ("mib", 1 << 20), ("gib", 1 << 30),
    ]

    /// `67108864`, `64 MiB`, `64M`, `64 MB`, in any case; nil for what is none or is too large for an `Int`.
    package static func parse(_ text: String) -> Int? {
        let digits = text.utf8.prefix { $0 >= 0x30 && $0 <= 0x39 }
        let unit = text.utf8.dropFirst(digits.count).drop { $0 == UInt8(ascii: " ") }
        let name = String(decoding: unit, as: UTF8.self).lowercased()
        guard let number = Int(String(decoding: digits, as: UTF8.self)),
            let factor = units.first(where: { $0.name == name })?.bytes,
            case let (bytes, overflows) = number.multipliedReportingOverflow(by: factor), !overflows
        else { return nil }
        return bytes
    }
}
