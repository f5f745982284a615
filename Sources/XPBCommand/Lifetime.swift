import ArgumentParser

/// How long contents live: a number with decimals and a unit, `s`, `m`, `h` or `d`; seconds without one. More than nothing,
/// at most 10,000 days.
struct Lifetime: Equatable, Sendable, ExpressibleByArgument {
    /// Rounded up.
    let milliseconds: Int

    private static let units: [Character: Double] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
    private static let maxSeconds = 10_000 * 86_400.0

    init?(argument: String) {
        let unit = argument.last.flatMap { Self.units[$0] }
        let number = unit == nil ? argument[...] : argument.dropLast()
        // No sign, no exponent, no "inf": a number as people write it.
        guard number.first?.isASCIIDigitOrPoint == true, number.allSatisfy(\.isASCIIDigitOrPoint),
            let value = Double(number)
        else { return nil }
        let seconds = value * (unit ?? 1)
        guard seconds > 0, seconds <= Self.maxSeconds else { return nil }
        milliseconds = Int((seconds * 1000).rounded(.up))
    }
}

extension Character {
    fileprivate var isASCIIDigitOrPoint: Bool {
        asciiValue.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".") } ?? false
    }
}
