/// A table in a string literal: lines sorted by the bytes of their first field. Fields are joined by `|`, the names
/// within one by spaces; all of it is ASCII.
///
/// A literal lies in the program's file ready for use. Nothing is built or copied before the first lookup, and a lookup
/// is a bisection over its bytes.
struct SortedLines: Sendable {
    let text: String
    /// Where each line begins, and where one more would, in five decimal digits each.
    private let starts: String

    init(_ text: String, starts: String) {
        self.text = text
        self.starts = starts
    }

    /// The line whose first field is `key`.
    ///
    /// - Parameter ignoringCase: Capitals in the table count as small letters. They must do so in its order as well, and
    ///   `key` must have none.
    func line(of key: String, ignoringCase: Bool = false) -> Line? {
        let table = text.utf8Span.span
        let digits = starts.utf8Span.span
        let wanted = key.utf8Span.span
        var low = 0
        var high = digits.count / Self.digits - 1
        while low < high {
            let middle = low + (high - low) / 2
            let start = Self.number(middle, of: digits)
            switch Self.order(of: wanted, and: table, at: start, ignoringCase: ignoringCase) {
            case 0: return Line(text: text, bytes: start..<Self.number(middle + 1, of: digits) - 1)
            case 1...: low = middle + 1
            default: high = middle
            }
        }
        return nil
    }

    func contains(_ key: String) -> Bool { line(of: key) != nil }

    /// Negative where `key` comes before the first field of the line at `start`, positive where it comes behind.
    private static func order(
        of key: borrowing Span<UInt8>, and table: borrowing Span<UInt8>, at start: Int, ignoringCase: Bool
    ) -> Int {
        for index in key.indices {
            let position = start + index
            guard position < table.count, table[position] != separator, table[position] != lineEnd else { return 1 }
            let byte = ignoringCase ? table[position].asciiLowercased : table[position]
            if key[index] != byte { return key[index] < byte ? -1 : 1 }
        }
        let end = start + key.count
        return end == table.count || table[end] == separator || table[end] == lineEnd ? 0 : -1
    }

    private static func number(_ index: Int, of digits: borrowing Span<UInt8>) -> Int {
        var number = 0
        for position in index * Self.digits..<(index + 1) * Self.digits {
            number = number * 10 + Int(digits[position] - UInt8(ascii: "0"))
        }
        return number
    }

    private static let digits = 5
    fileprivate static let lineEnd = UInt8(ascii: "\n")
    fileprivate static let separator = UInt8(ascii: "|")
    fileprivate static let nameEnd = UInt8(ascii: " ")
}

extension SortedLines {
    /// A line of a table.
    struct Line {
        fileprivate let text: String
        fileprivate let bytes: Range<Int>

        /// The field at `index`, counted from 0.
        func field(_ index: Int) -> String { string(range(ofField: index)) }

        /// The names of the field at `index`.
        func names(_ index: Int) -> [String] {
            var names: [String] = []
            _ = first(in: index) { bytes in
                names.append(string(bytes))
                return false
            }
            return names
        }

        /// The first name of the field at `index` that is accepted.
        func firstName(_ index: Int, where accepts: (String) -> Bool) -> String? {
            var found: String?
            _ = first(in: index) { bytes in
                let name = string(bytes)
                guard accepts(name) else { return false }
                found = name
                return true
            }
            return found
        }

        /// Whether the field at `index` has that name. Capitals in the table count as small letters.
        func has(_ key: String, in index: Int) -> Bool {
            let table = text.utf8Span.span
            let wanted = key.utf8Span.span
            return first(in: index) { bytes in
                guard bytes.count == wanted.count else { return false }
                for offset in wanted.indices
                where table[bytes.lowerBound + offset].asciiLowercased != wanted[offset] { return false }
                return true
            }
        }

        /// Calls `body` with where each name of a field is, until it returns true.
        private func first(in index: Int, where body: (Range<Int>) -> Bool) -> Bool {
            let field = range(ofField: index)
            let table = text.utf8Span.span
            var start = field.lowerBound
            while start < field.upperBound {
                var end = start
                while end < field.upperBound, table[end] != nameEnd { end += 1 }
                if body(start..<end) { return true }
                start = end + 1
            }
            return false
        }

        private func range(ofField index: Int) -> Range<Int> {
            let table = text.utf8Span.span
            var start = bytes.lowerBound
            for _ in 0..<index {
                while start < bytes.upperBound, table[start] != separator { start += 1 }
                start = min(start + 1, bytes.upperBound)
            }
            var end = start
            while end < bytes.upperBound, table[end] != separator { end += 1 }
            return start..<end
        }

        private func string(_ range: Range<Int>) -> String {
            let utf8 = text.utf8
            let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
            return String(text[start..<utf8.index(start, offsetBy: range.count)])
        }
    }
}

extension UInt8 {
    /// With `A` to `Z` made small.
    var asciiLowercased: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }
}
