/// An editor of the members in the text of an object. All other text, including comments, keeps its bytes.
///
/// The object must have no structural fault: see ``JSONObject/structuralFault``.
package struct JSONObjectEditor {
    private let object: JSONObject
    private var bytes: [UInt8] { object.bytes }

    package init(_ object: JSONObject) { self.object = object }

    /// Returns the text with another value of a member.
    package func replacing(_ member: JSONObject.Member, with value: String) -> [UInt8] {
        replacing([(member.valueRange, value)])
    }

    /// Returns the text with another member at the end.
    package func adding(_ key: String, _ value: String) -> [UInt8] {
        let member = "\(indentation)\(JSONObject.quoted(key)): \(value)"
        guard let opening = object.opening, let closing = object.closing else {
            // The text has no members.
            let separator = bytes.isEmpty || bytes.last == UInt8(ascii: "\n") ? "" : newline
            return bytes + Array("\(separator){\(newline)\(member)\(newline)}\(newline)".utf8)
        }
        let last = object.members.last
        let ending = last?.comma == nil ? newline : ",\(newline)"
        var edits: [(Range<Int>, String)] = []
        if let last, last.comma == nil { edits.append((last.valueRange.upperBound..<last.valueRange.upperBound, ",")) }
        let blanks = Self.blanks(before: closing, in: bytes)
        if blanks.lowerBound > opening + 1, bytes[blanks.lowerBound - 1] == UInt8(ascii: "\n") {
            edits.append((blanks.lowerBound..<blanks.lowerBound, member + ending))
        } else {
            edits.append((blanks, newline + member + ending))
        }
        return replacing(edits)
    }

    /// Returns the text without some members, and without the lines that hold nothing else.
    package func removing(_ removed: [JSONObject.Member]) -> [UInt8] {
        let remaining = object.members.filter { !removed.contains($0) }
        var edits: [(Range<Int>, String)] = removed.flatMap(ranges).map { ($0, "") }
        // If the last member had no comma, the new last member gets no comma either.
        if object.members.last?.comma == nil, let comma = remaining.last?.comma {
            edits.append((comma..<comma + 1, ""))
        }
        return replacing(edits)
    }

    package var newline: String {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")), end > 0 else { return "\n" }
        return bytes[end - 1] == UInt8(ascii: "\r") ? "\r\n" : "\n"
    }

    /// The indentation of the first member that begins a line.
    package var indentation: String {
        for member in object.members {
            let blanks = Self.blanks(before: member.keyRange.lowerBound, in: bytes)
            if blanks.lowerBound > 0, bytes[blanks.lowerBound - 1] == UInt8(ascii: "\n") {
                return String(decoding: bytes[blanks], as: UTF8.self)
            }
        }
        return "  "
    }

    /// Applies edits.
    ///
    /// - Parameter edits: The ranges, which do not overlap, and their replacements. Insertions at the same place keep
    ///   their order.
    private func replacing(_ edits: [(range: Range<Int>, text: String)]) -> [UInt8] {
        let order = edits.indices.sorted {
            let (left, right) = (edits[$0].range, edits[$1].range)
            return (left.lowerBound, left.upperBound, $0) < (right.lowerBound, right.upperBound, $1)
        }
        var result = bytes
        // Edits are made from the end, so that the ranges before an edit stay valid.
        for index in order.reversed() { result.replaceSubrange(edits[index].range, with: edits[index].text.utf8) }
        return result
    }

    /// Returns the ranges of a member and its comma, or the range of their whole line if the line holds nothing else.
    private func ranges(of member: JSONObject.Member) -> [Range<Int>] {
        let entry = member.keyRange.lowerBound..<member.valueRange.upperBound
        let comma = member.comma.map { $0..<$0 + 1 }
        let before = Self.blanks(before: entry.lowerBound, in: bytes)
        var end = entry.upperBound
        while end < bytes.count, Self.isBlank(bytes[end]) || end == member.comma { end += 1 }
        let passesComma = member.comma.map { $0 < end } ?? true
        if passesComma, end < bytes.count, bytes[end] == UInt8(ascii: "\n"), before.lowerBound > 0,
            bytes[before.lowerBound - 1] == UInt8(ascii: "\n")
        {
            return [before.lowerBound..<end + 1]
        }
        return [entry] + [comma].compactMap(\.self)
    }

    private static func blanks(before index: Int, in bytes: [UInt8]) -> Range<Int> {
        var start = index
        while start > 0, isBlank(bytes[start - 1]) { start -= 1 }
        return start..<index
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }
}
