/// A custom format of a web page, of which there is any number: `application/web;type="custom/format0"` on Linux,
/// `org.w3.web-custom-format.type-0` on Apple's systems (W3C Clipboard API, "web custom formats").
struct WebCustomFormat {
    /// Decimal digits without a leading zero.
    private let number: String

    var identifier: String { Self.identifierPrefix + number }
    var mimeType: String { Self.mimePrefix + number + "\"" }

    init?(key: String) {
        self.init(number: key.utf8, behind: Self.identifierPrefix)
    }

    init?(mimeType normalized: String) {
        guard normalized.utf8.last == UInt8(ascii: "\"") else { return nil }
        self.init(number: normalized.utf8.dropLast(), behind: Self.mimePrefix)
    }

    private init?(number bytes: some Collection<UInt8>, behind prefix: String) {
        guard bytes.starts(with: prefix.utf8) else { return nil }
        let digits = bytes.dropFirst(prefix.utf8.count)
        guard (1...9).contains(digits.count), digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
            digits.count == 1 || digits.first != 0x30
        else { return nil }
        number = String(decoding: digits, as: UTF8.self)
    }

    private static var identifierPrefix: String { "org.w3.web-custom-format.type-" }
    private static var mimePrefix: String { "application/web;type=\"custom/format" }
}
