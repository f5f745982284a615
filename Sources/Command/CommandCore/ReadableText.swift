package import FoundationEssentials
import PasteboardWire
package import UniformTypes

/// Numbers of bytes for people to read: `312 KiB`, `1.2 MiB`.
package enum ByteSize {
    /// Rounds to the nearest number, with one decimal below ten.
    package static func text(_ bytes: Int) -> String {
        guard bytes >= 1_024 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
        var tenths = Double(bytes) / 102.4
        for unit in ["KiB", "MiB", "GiB"] {
            // 1024 of one unit are 1 of the next.
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

/// Ages in one unit: `12s`, `5m`, `3h`, `2d`, `7w`, `1y`.
package enum Age {
    /// Each unit with the age in seconds from which it is used.
    private static let units: [(name: String, seconds: Int, from: Int)] = [
        ("y", 31_556_952, 31_556_952), ("w", 604_800, 1_209_600), ("d", 86_400, 86_400), ("h", 3_600, 3_600),
        ("m", 60, 60),
    ]

    /// - Parameter moment: Milliseconds since the Unix epoch. A moment in the future, after a clock was set back,
    ///   counts as now.
    package static func text(since moment: Int, at now: Date) -> String {
        let seconds = max(now.timeIntervalSince1970 - Double(moment) / 1_000, 0)
        guard let unit = units.first(where: { seconds >= Double($0.from) }) else { return "\(Int(seconds))s" }
        return "\(Int(min(seconds / Double(unit.seconds), 1e9)))\(unit.name)"
    }
}

/// Points in time.
package enum Moment {
    /// Returns a time in UTC, to the second, as in ISO 8601. `milliseconds` count from the Unix epoch.
    package static func text(_ milliseconds: Int) -> String {
        Date(timeIntervalSince1970: Double(milliseconds / 1000)).formatted(.iso8601)
    }
}

extension UniformType {
    /// Returns the MIME type of a representation: its target if that is a MIME type (`application/rtf` stays so), else
    /// the usual MIME type of its type.
    package func mimeName(target: String?) -> String? {
        let names = [target].compactMap(\.self) + X11Targets.names(for: self, given: nil, exact: false)
        return names.first { UniformType(mimeType: $0) != nil } ?? preferredMIMEType
    }
}
