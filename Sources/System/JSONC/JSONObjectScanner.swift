/// A scanner for the members of an object, which continues after damaged members where it can.
struct JSONObjectScanner {
    private(set) var members: [JSONObject.Member] = []
    private(set) var faults: [JSONObject.Fault] = []
    private(set) var opening: Int?
    private(set) var closing: Int?

    /// The maximum nesting of brackets.
    private static let maxDepth = 64

    /// The kind of text before the next token, since the last comma.
    private enum Before {
        case nothing, member, damage
    }

    private let bytes: [UInt8]
    private var tokens: JSONTokens
    private var before = Before.nothing
    /// True if a limit was reached, so the rest of the text is skipped.
    private var isStopped = false

    /// - Parameter line: The line on which the range begins.
    init(_ bytes: [UInt8], in range: Range<Int>, line: Int) {
        self.bytes = bytes
        tokens = JSONTokens(bytes, in: range, line: line)
        scan()
        if let line = tokens.openComment { add("the comment that begins here has no end", line: line) }
    }

    /// Makes the result for text that is not scanned.
    init(failing reason: String) {
        bytes = []
        tokens = JSONTokens([], in: 0..<0, line: 1)
        add(reason, line: 1)
    }

    private mutating func add(_ message: String, line: Int, isStructural: Bool = true) {
        // A structural fault is reported even beyond the limit, because an editor must not write into such a file.
        let isFirst = isStructural && !faults.contains(where: \.isStructural)
        guard faults.count < JSONObject.maxFaults || isFirst else { return }
        faults.append(JSONObject.Fault(line: line, message: message, isStructural: isStructural))
    }

    private mutating func scan() {
        switch tokens.next() {
        case .open(UInt8(ascii: "{")): opening = tokens.range.lowerBound
        case .end: return
        default: return add("an object in braces is expected here", line: tokens.tokenLine)
        }
        let line = tokens.tokenLine
        while closing == nil {
            switch tokens.next() {
            case .close(UInt8(ascii: "}")): closing = tokens.range.lowerBound
            case .close: takeDamage("there is no '[' for this ']'")
            case .comma: takeComma()
            case .end:
                if !isStopped { add("the '{' is not closed", line: line) }
                return
            case .string: takeMember()
            case .brokenString: takeDamage("a string has no end on its line")
            case .word, .colon:
                let text = String(decoding: bytes[tokens.range].prefix(64), as: UTF8.self)
                takeDamage("a key in double quotes is expected here, not '\(text)'")
                skipValue()
            case .open(let bracket):
                takeDamage("a key in double quotes is expected here, not a bracket")
                _ = takeBrackets(bracket, line: tokens.tokenLine)
            }
        }
        if tokens.next() != .end { add("there is text after the object's end", line: tokens.tokenLine) }
    }

    private mutating func takeComma() {
        switch before {
        case .nothing: add("there is no member before this comma", line: tokens.tokenLine, isStructural: false)
        case .member: members[members.count - 1].comma = tokens.range.lowerBound
        case .damage: break
        }
        before = .nothing
    }

    /// Reports text that is not a member and has been consumed.
    private mutating func takeDamage(_ message: String) {
        add(message, line: tokens.tokenLine)
        before = .damage
    }

    private mutating func stop(_ message: String) {
        add(message, line: tokens.tokenLine)
        isStopped = true
        tokens.skipToEnd()
    }

    /// Consumes the member whose key is the last token.
    private mutating func takeMember() {
        let (range, line) = (tokens.range, tokens.tokenLine)
        if before == .member, members.last?.isDamaged == false {
            add("there is no comma before this", line: line, isStructural: false)
        }
        guard members.count < JSONObject.maxMembers else {
            return stop("there are more than \(JSONObject.maxMembers) members; those from here on are ignored")
        }
        let key = JSONObject.decode(String.self, bytes[range])
        if key == nil { add("the key is not a valid string", line: line) }
        var member = JSONObject.Member(
            key: key ?? "", keyRange: range, line: line, valueRange: range.upperBound..<range.upperBound,
            valueLine: line, isDamaged: key == nil)
        guard tokens.peek() == .colon else {
            takeDamage("there is no colon after \(member.quotedKey)")
            return skipValue()
        }
        _ = tokens.next()
        takeValue(of: &member)
        members.append(member)
        before = .member
    }

    private mutating func takeValue(of member: inout JSONObject.Member) {
        switch tokens.peek() {
        case .comma, .close, .end, .colon:
            add("\(member.quotedKey) has no value", line: member.line)
            member.isDamaged = true
        case .brokenString:
            _ = tokens.next()
            add("a string has no end on its line", line: tokens.tokenLine)
            member.isDamaged = true
        case .string, .word:
            _ = tokens.next()
            member.valueRange = tokens.range
            member.valueLine = tokens.tokenLine
        case .open(let bracket):
            _ = tokens.next()
            let start = tokens.range.lowerBound
            member.valueLine = tokens.tokenLine
            if !takeBrackets(bracket, line: tokens.tokenLine) { member.isDamaged = true }
            member.valueRange = start..<tokens.range.upperBound
        }
        switch tokens.peek() {
        case .comma, .end, .close(UInt8(ascii: "}")): return
        // The comma is missing, which is reported with the next member.
        case .string where !member.isDamaged: return
        default:
            if !member.isDamaged { add("\(member.quotedKey) has more than one value", line: member.line) }
            member.isDamaged = true
            skipValue()
        }
    }

    /// Skips the rest of a damaged member: up to a comma, a brace or the next key.
    private mutating func skipValue() {
        while true {
            switch tokens.peek() {
            case .comma, .end, .close(UInt8(ascii: "}")): return
            case .string where isAtKey: return
            case .open(let bracket):
                _ = tokens.next()
                _ = takeBrackets(bracket, line: tokens.tokenLine)
            default: _ = tokens.next()
            }
        }
    }

    /// Consumes the text up to the bracket that closes the last opened bracket, or up to the place where it is
    /// expected.
    ///
    /// - Returns: true if every bracket is closed.
    private mutating func takeBrackets(_ bracket: UInt8, line: Int) -> Bool {
        var open = [(bracket: bracket, line: line)]
        var isWhole = true
        while let innermost = open.last {
            // A closing brace that closes no open bracket here closes the object itself.
            if tokens.peek() == .close(UInt8(ascii: "}")), !open.contains(where: { $0.bracket == UInt8(ascii: "{") }) {
                addUnclosed(innermost)
                return false
            }
            switch tokens.next() {
            case .open(let bracket):
                guard open.count < Self.maxDepth else {
                    stop("brackets are more than \(Self.maxDepth) deep")
                    return false
                }
                open.append((bracket, tokens.tokenLine))
            case .close(let closing):
                // In ASCII, each closing bracket is the second after its opening one.
                let match = open.lastIndex { $0.bracket + 2 == closing }
                if match == nil { add("there is no '[' for this ']'", line: tokens.tokenLine) }
                if let match, match < open.count - 1 { addUnclosed(innermost) }
                isWhole = isWhole && match == open.count - 1
                if let match { open.removeSubrange(match...) }
            case .brokenString:
                add("a string has no end on its line", line: tokens.tokenLine)
                isWhole = false
            case .end:
                addUnclosed(innermost)
                return false
            case .colon, .comma, .string, .word: break
            }
        }
        return isWhole
    }

    private var isAtKey: Bool {
        var ahead = tokens
        return ahead.next() == .string && ahead.next() == .colon
    }

    private mutating func addUnclosed(_ open: (bracket: UInt8, line: Int)) {
        add("the '\(Character(Unicode.Scalar(open.bracket)))' is not closed", line: open.line)
    }
}
