/// A command line of `xpb` that is plain enough to be carried out at once: nothing in it has to be looked up, checked
/// against a table or explained.
///
/// It is a part of what the ordinary reading of the line understands, in the same sense.
package struct FastLine: Sendable {
    package enum Command: Sendable {
        case get, set, add, count

        package init?(_ name: [UInt8]) {
            if name.isText("get") || name.isText("paste") {
                self = .get
            } else if name.isText("set") || name.isText("copy") {
                self = .set
            } else if name.isText("add") {
                self = .add
            } else if name.isText("count") {
                self = .count
            } else {
                return nil
            }
        }
    }

    package enum Source: Equatable, Sendable {
        case standardInput
        case text([UInt8])
        /// By its path.
        case file([UInt8])
    }

    package let command: Command
    /// In its one spelling.
    package private(set) var pasteboard = Array("general".utf8)
    /// As they were given.
    package private(set) var types: [[UInt8]] = []
    /// No messages.
    package private(set) var quiet = false
    /// Of `get`: only what is there, nothing made of it.
    package private(set) var exact = false
    /// Of `set` and `add`.
    package var source: Source { hasWords ? .text(words) : named }
    /// Leave out one newline at the end of the source.
    package private(set) var trim = false

    private var hasPasteboard = false
    /// Other than words.
    private var hasSource = false
    private var named = Source.standardInput
    private var hasWords = false
    /// With spaces between them.
    private var words: [UInt8] = []
    private var hasOnlyWords = false
    /// The option whose value is the next argument.
    private var option: [UInt8] = []

    /// A line that has nothing but a command's name yet.
    package init(_ command: Command) {
        self.command = command
    }

    /// - Parameter arguments: Without the program's name.
    /// - Returns: nil for a line that is not plain, or wrong.
    package init?(_ arguments: [[UInt8]]) {
        guard let name = arguments.first, let command = Command(name) else { return nil }
        self.init(command)
        for argument in arguments.dropFirst() {
            guard read(argument) else { return nil }
        }
        guard isWhole else { return nil }
    }

    /// Whether no value is missing.
    package var isWhole: Bool { option.isEmpty }

    /// Takes the next argument.
    ///
    /// - Returns: false where the line is not plain, or wrong.
    package mutating func read(_ argument: [UInt8]) -> Bool {
        if !option.isEmpty {
            // What looks like an option is a value behind --text only; a dash alone is standard input to -f.
            guard argument.first != UInt8(ascii: "-") || argument.count == 1 else { return false }
            let name = option
            option = []
            return read(option: name[...], argument)
        }
        if hasOnlyWords || argument.first != UInt8(ascii: "-") { return read(word: argument) }
        if argument.isText("--") {
            hasOnlyWords = true
            return true
        }
        guard let mark = argument.firstIndex(of: UInt8(ascii: "=")) else {
            if !read(flag: argument) { option = argument }
            return true
        }
        return read(option: argument[..<mark], Array(argument[(mark + 1)...]))
    }

    private var hasSources: Bool { command == .set || command == .add }

    private mutating func read(word: [UInt8]) -> Bool {
        guard hasSources, !hasSource else { return false }
        if hasWords { words.append(UInt8(ascii: " ")) }
        hasWords = true
        words += word
        return true
    }

    private mutating func read(flag: [UInt8]) -> Bool {
        if flag.isText("-q") || flag.isText("--quiet") {
            quiet = true
        } else if command == .get, flag.isText("--exact") {
            exact = true
        } else if hasSources, flag.isText("-n") || flag.isText("--trim") {
            trim = true
        } else {
            return false
        }
        return true
    }

    private mutating func read(option name: ArraySlice<UInt8>, _ value: [UInt8]) -> Bool {
        if name.isText("-p") || name.isText("--pasteboard") {
            guard !hasPasteboard, let pasteboard = FastName.pasteboard(value) else { return false }
            hasPasteboard = true
            self.pasteboard = pasteboard
        } else if name.isText("-t") || name.isText("--type") {
            guard command != .count, !hasSource, !hasWords,
                command == .get ? FastName.isWantedType(value) : FastName.isSourceType(value)
            else { return false }
            types.append(value)
        } else {
            guard hasSources, !hasSource, !hasWords else { return false }
            hasSource = true
            if name.isText("--text") {
                named = .text(value)
            } else if name.isText("-f") || name.isText("--file") {
                named = value.isText("-") ? .standardInput : .file(value)
            } else {
                return false
            }
        }
        return true
    }
}

/// The names of pasteboards and types that are what they look like. They need no escape in JSON.
enum FastName {
    /// The one spelling of a pasteboard's name.
    static func pasteboard(_ name: [UInt8]) -> [UInt8]? {
        if name.isText("general") || name.isText("clipboard") { return Array("general".utf8) }
        if name.isText("find") || name.isText("primary") { return Array("find".utf8) }
        // An app's own. Managers' selections have an underscore, or no dot.
        return isReverseDNS(name) ? name : nil
    }

    /// A TYPE to ask for, of any kind but an extension.
    static func isWantedType(_ name: [UInt8]) -> Bool {
        !name.isEmpty && name.count <= 255 && name.first != UInt8(ascii: ".") && name.allSatisfy(isPlain)
    }

    /// A TYPE that bytes can have: a MIME type, an identifier, or the commonest classes of text.
    static func isSourceType(_ name: [UInt8]) -> Bool {
        isReverseDNS(name) || isMIMEType(name) || name.isText("text") || name.isText("html")
    }

    /// Whether each is a character that is seen, and that stands for itself in JSON.
    static func isPlain(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// `com.example.scratch`: parts of letters, digits and hyphens, a dot between them.
    private static func isReverseDNS(_ name: [UInt8]) -> Bool {
        guard name.count <= 255, name.contains(UInt8(ascii: ".")) else { return false }
        var length = 0
        for byte in name {
            if byte == UInt8(ascii: "."), length > 0 {
                length = 0
            } else if isLetterOrDigit(byte) || byte == UInt8(ascii: "-") {
                length += 1
            } else {
                return false
            }
        }
        return length > 0
    }

    /// `text/html`, without a parameter.
    private static func isMIMEType(_ name: [UInt8]) -> Bool {
        guard name.count <= 255, let mark = name.firstIndex(of: UInt8(ascii: "/")), mark > 0, mark < name.count - 1
        else {
            return false
        }
        return name[..<mark].allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
            && name[(mark + 1)...].allSatisfy {
                isLetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: ".")
            }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }
}

extension Collection<UInt8> {
    func isText(_ text: String) -> Bool { elementsEqual(text.utf8) }
}
