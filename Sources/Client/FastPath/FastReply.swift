/// The parser of the usual replies to simple calls. All other replies are left to the ordinary path.
package enum FastReply {
    /// Returns the range of the representation in the only descriptor of the reply.
    package static func bytes(in message: [UInt8]) -> Range<Int>? {
        var descriptor: Int?
        var offset: Int?
        var length: Int?
        func member(_ name: ArraySlice<UInt8>, _ scanner: inout ReplyScanner) -> Bool {
            let number = scanner.number()
            if name.isText("descriptor") {
                descriptor = number
            } else if name.isText("offset") {
                offset = number
            } else if name.isText("length") {
                length = number
            } else {
                return false
            }
            return number != nil
        }
        var others = 0
        let isPlain = parameters(of: message) { name, scanner in
            if name.isText("target") { return scanner.skipString() }
            if name.isText("bytes") { return scanner.object(member) }
            others += 1
            if name.isText("type") { return scanner.skipString() }
            return (name.isText("count") || name.isText("item")) && scanner.number() != nil
        }
        guard isPlain, others == 3, descriptor == 0, let offset, let length else { return nil }
        return offset..<offset + length
    }

    /// Returns true for a reply that reports a change by its counts only.
    package static func isChange(_ message: [UInt8]) -> Bool {
        var hasCounts = false
        let isPlain = parameters(of: message) { name, scanner in
            hasCounts = name.isText("counts")
            return hasCounts && scanner.numbers()
        }
        return isPlain && hasCounts
    }

    package static func count(in message: [UInt8]) -> Int? {
        var count: Int?
        let isPlain = parameters(of: message) { name, scanner in
            guard name.isText("count") else { return false }
            count = scanner.number()
            return count != nil
        }
        return isPlain ? count : nil
    }

    /// Returns the line that `count` writes.
    package static func line(_ count: Int) -> [UInt8] {
        var line: [UInt8] = []
        FastCall.append(count, to: &line)
        line.append(UInt8(ascii: "\n"))
        return line
    }

    /// Reads a message that consists of parameters alone.
    private static func parameters(
        of message: [UInt8], _ member: (_ name: ArraySlice<UInt8>, _ scanner: inout ReplyScanner) -> Bool
    ) -> Bool {
        var scanner = ReplyScanner(message)
        let isPlain = scanner.object { name, scanner in
            name.isText("parameters") && scanner.object(member)
        }
        return isPlain && scanner.isAtEnd
    }
}

/// A scanner of the subset of JSON in simple replies, which the bridge writes without spaces.
package struct ReplyScanner {
    private let bytes: [UInt8]
    private var position = 0

    /// - Parameter bytes: One message with its NUL.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// True if only the NUL is left.
    package var isAtEnd: Bool { position == bytes.count - 1 && bytes[position] == 0 }

    /// Reads an object of at least one member. `member` reads a member's value, and returns false if it cannot.
    package mutating func object(_ member: (_ name: ArraySlice<UInt8>, _ scanner: inout ReplyScanner) -> Bool) -> Bool {
        guard skip(UInt8(ascii: "{")) else { return false }
        repeat {
            guard let name = stringRange(), skip(UInt8(ascii: ":")), member(bytes[name], &self) else { return false }
        } while skip(UInt8(ascii: ","))
        return skip(UInt8(ascii: "}"))
    }

    /// Reads a number that is neither negative nor longer than 18 digits.
    package mutating func number() -> Int? {
        let start = position
        var number = 0
        while position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10 {
            number = number * 10 + Int(digit)
            position += 1
            if position - start > 18 { return nil }
        }
        // A number of several digits does not begin with zero.
        return position - start == 1 || position > start && bytes[start] != UInt8(ascii: "0") ? number : nil
    }

    /// Reads an array of at least one number.
    mutating func numbers() -> Bool {
        guard skip(UInt8(ascii: "[")) else { return false }
        repeat {
            guard number() != nil else { return false }
        } while skip(UInt8(ascii: ","))
        return skip(UInt8(ascii: "]"))
    }

    package mutating func skipString() -> Bool { stringRange() != nil }

    /// Reads a string without escapes, and returns the range between its quotation marks.
    private mutating func stringRange() -> Range<Int>? {
        guard skip(UInt8(ascii: "\"")) else { return nil }
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            if bytes[position] == UInt8(ascii: "\\") || bytes[position] < 0x20 { return nil }
            position += 1
        }
        let range = start..<position
        return skip(UInt8(ascii: "\"")) ? range : nil
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }
}
