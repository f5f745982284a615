/// A number of bytes as people read it: `312 KiB`, `1.2 MiB`.
enum ByteSize {
    /// With one decimal below ten, rounded to the nearest.
    static func text(_ bytes: Int) -> String {
        guard bytes >= 1_024 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
        var tenths = Double(bytes) / 102.4
        for unit in ["KiB", "MiB", "GiB"] {
            // What would be written as 1024 is one of the next unit.
            if tenths.rounded() < 100 {
                let number = Int(tenths.rounded())
                return number.isMultiple(of: 10) ? "\(number / 10) \(unit)" : "\(number / 10).\(number % 10) \(unit)"
            }
            if (tenths / 10).rounded() < 1_024 { return "\(Int((tenths / 10).rounded())) \(unit)" }
            tenths /= 1_024
        }
        return "\(Int((tenths / 10).rounded())) TiB"
    }
}
