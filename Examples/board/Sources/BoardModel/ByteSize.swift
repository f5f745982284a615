/// Byte counts as human-readable text.
public enum ByteSize {
    /// Returns a number of bytes in the largest unit that fits at least once: `13 B`, `312 KiB`, `1.5 GiB`.
    public static func text(_ bytes: Int) -> String {
        var (value, unit) = (Double(bytes), "B")
        for larger in ["KiB", "MiB", "GiB", "TiB"] where value >= 1_024 { (value, unit) = (value / 1_024, larger) }
        let tenths = Int((value * 10).rounded())
        let isWhole = unit == "B" || tenths >= 100 || tenths.isMultiple(of: 10)
        return isWhole ? "\(Int(value.rounded())) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
    }
}
