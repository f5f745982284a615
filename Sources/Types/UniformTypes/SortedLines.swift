import Synchronization

/// A table in a string literal: lines sorted by the bytes of their first field, in ASCII. `|` separates fields, and a
/// space separates the names in a field.
///
/// A literal is part of the program file and needs no initialization at run time. A lookup is a binary search over its
/// bytes.
package struct SortedLines: Sendable {
    package let text: String
    /// The offset of each line, and of the end, in five decimal digits each.
    private let starts: String

    package init(_ text: String, starts: String) {
        self.text = text
        self.starts = starts
    }

    /// Returns the line whose first field is `key`.
    ///
    /// - Parameter ignoringCase: True to compare capitals in the table as lower case. The table must be sorted
    ///   accordingly, and `key` must be in lower case.
    package func line(of key: String, ignoringCase: Bool = false) -> Line? {
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

    package func contains(_ key: String) -> Bool { line(of: key) != nil }

    /// Compares `key` with the first field of the line at `start`.
    ///
    /// - Returns: A negative number if `key` precedes the field, 0 if they are equal, a positive number otherwise.
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
    package struct Line {
        fileprivate let text: String
        fileprivate let bytes: Range<Int>

        /// Returns the field at `index`, counted from 0.
        package func field(_ index: Int) -> String { string(range(ofField: index)) }

        /// Returns the names in the field at `index`.
        package func names(_ index: Int) -> [String] {
            var names: [String] = []
            _ = first(in: index) { bytes in
                names.append(string(bytes))
                return false
            }
            return names
        }

        /// Returns the first accepted name in the field at `index`.
        package func firstName(_ index: Int, where accepts: (String) -> Bool) -> String? {
            var found: String?
            _ = first(in: index) { bytes in
                let name = string(bytes)
                guard accepts(name) else { return false }
                found = name
                return true
            }
            return found
        }

        /// Returns true if the field at `index` contains a name in lower case. Capitals in the table are compared as
        /// lower case.
        package func has(_ key: String, in index: Int) -> Bool {
            let table = text.utf8Span.span
            let wanted = key.utf8Span.span
            return first(in: index) { bytes in
                guard bytes.count == wanted.count else { return false }
                for offset in wanted.indices
                where table[bytes.lowerBound + offset].asciiLowercased != wanted[offset] { return false }
                return true
            }
        }

        /// Calls `body` with the range of each name in a field, until it returns true.
        ///
        /// - Returns: true if `body` returned true.
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

/// An entry of the built-in table of types.
struct DeclaredType {
    private let line: SortedLines.Line

    /// The identifier that was found last, and its line: a type is compared with many others, one after the other.
    private static let last = Mutex<(key: String, line: SortedLines.Line)?>(nil)

    /// Looks up an identifier in lower case; nil if the type is not built in.
    init?(key: String) {
        if let last = Self.last.withLock(\.self), last.key == key {
            line = last.line
            return
        }
        guard let line = SortedLines.declaredTypes.line(of: key, ignoringCase: true) else { return nil }
        self.line = line
        Self.last.withLock { $0 = (key, line) }
    }

    /// The identifier in its usual spelling.
    var identifier: String { line.field(0) }
    var parents: [String] { line.names(1) }
    /// All ancestors once, nearest first.
    var ancestors: [String] { line.names(1) + line.names(2) }
    /// The MIME types, in order of preference.
    var mimeTypes: [String] { line.names(3) }
    /// The filename extensions, in order of preference.
    var filenameExtensions: [String] { line.names(4) }
    /// The X11 targets under which the type is offered, in order of preference.
    var targets: [String] { line.names(5) }
    var description: String? {
        let description = line.field(6)
        return description.isEmpty ? nil : description
    }

    /// Returns true if the type with an identifier in lower case is an ancestor.
    func descends(from key: String) -> Bool { line.has(key, in: 1) || line.has(key, in: 2) }
}
