/// The replies to plain calls that say nothing unusual. Any other is for who understands all of them.
package enum FastReply {
    /// Where the bytes of a representation are in the only descriptor that came with the reply.
    package static func bytes(in message: [UInt8]) -> Range<Int>? {
        var descriptor: Int?
        var offset: Int?
        var length: Int?
        var others = 0
        let isPlain = parameters(of: message) { name, scanner in
            if name.isText("target") { return scanner.skipString() }
            if name.isText("bytes") {
                return scanner.object { name, scanner in
                    guard let number = scanner.number() else { return false }
                    if name.isText("descriptor") {
                        descriptor = number
                    } else if name.isText("offset") {
                        offset = number
                    } else if name.isText("length") {
                        length = number
                    } else {
                        return false
                    }
                    return true
                }
            }
            others += 1
            if name.isText("type") { return scanner.skipString() }
            return (name.isText("count") || name.isText("item")) && scanner.number() != nil
        }
        guard isPlain, others == 3, descriptor == 0, let offset, let length else { return nil }
        return offset..<offset + length
    }

    /// Whether a change was made, and nothing else is told than the counts.
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

    /// How a count is written.
    package static func line(_ count: Int) -> [UInt8] {
        var line: [UInt8] = []
        FastCall.append(count, to: &line)
        line.append(UInt8(ascii: "\n"))
        return line
    }

    /// Reads a whole message that has parameters and nothing else.
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
