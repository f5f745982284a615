/// Invalid UTF-8 and what becomes of it.
enum UTF8Repair {
    /// U+FFFD.
    static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

    static func isValid(_ bytes: [UInt8]) -> Bool {
        (try? UTF8Span(validating: bytes.span)) != nil
    }

    /// The same bytes when they are valid; else with U+FFFD for each maximal ill-formed part (Unicode, section 3.9).
    static func repaired(_ bytes: [UInt8]) -> [UInt8] {
        isValid(bytes) ? bytes : Array(String(decoding: bytes, as: UTF8.self).utf8)
    }
}
