/// A number of bytes for people.
enum Size {
    private static let units = ["KiB", "MiB", "GiB"]

    /// `1 byte`, `340 bytes`, `3 KiB`: in the largest unit of which there are so many, rounded up.
    static func text(_ bytes: Int) -> String {
        guard bytes >= 1024 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
        var (number, unit) = (bytes, -1)
        while unit < 0 || number >= 1024 && unit + 1 < units.count {
            number = (number + 1023) / 1024
            unit += 1
        }
        return "\(number) \(units[unit])"
    }
}
