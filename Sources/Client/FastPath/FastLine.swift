/// A simple command line of `xpb`, with nothing to look up, to check against a table or to explain.
///
/// Its grammar is a subset of the argument library's, with the same meaning.
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
        case file([UInt8])
    }

    package let command: Command
    /// The canonical name.
    package private(set) var pasteboard = Array("general".utf8)
    package private(set) var types: [[UInt8]] = []
    package private(set) var quiet = false
    /// True if `get` converts nothing.
    package private(set) var exact = false
    package var source: Source { hasWords ? .text(words) : named }
    /// True if the source is words that contain a dot or a slash, as most file paths do.
    package var mayNameFile: Bool {
        hasWords && !words.contains(UInt8(ascii: "\n"))
            && words.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "/") }
    }
    /// True if one newline is removed from the end of the source.
    package private(set) var trim = false

    private var hasPasteboard = false
    /// True after a source other than words.
    private var hasSource = false
    private var named = Source.standardInput
    private var hasWords = false
    /// The words, joined by spaces.
    private var words: [UInt8] = []
    /// True after `--`.
    private var hasOnlyWords = false
    /// The option whose value is the next argument.
    private var option: [UInt8] = []

    /// Creates a line that has only a command's name so far.
    package init(_ command: Command) {
        self.command = command
    }

    /// Fails for a line that is not simple or is wrong. `arguments` do not include the program's name.
    package init?(_ arguments: [[UInt8]]) {
        guard let name = arguments.first, let command = Command(name) else { return nil }
        self.init(command)
        for argument in arguments.dropFirst() {
            guard read(argument) else { return nil }
        }
        guard isComplete else { return nil }
    }

    /// True unless the last option lacks its value.
    package var isComplete: Bool { option.isEmpty }

    /// Reads the next argument. Returns false if the line is not simple or is wrong.
    package mutating func read(_ argument: [UInt8]) -> Bool {
        if !option.isEmpty {
            // Only --text takes a value that looks like an option; a single dash after -f is standard input.
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
        guard hasSources, !hasSource, types.allSatisfy(FastName.isTextType) else { return false }
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
                guard types.allSatisfy(FastName.isTextType) else { return false }
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

/// The simple names of pasteboards and types, which need no escape in JSON.
enum FastName {
    /// Returns the canonical name of a pasteboard; nil if it is not simple.
    static func pasteboard(_ name: [UInt8]) -> [UInt8]? {
        if name.isText("general") || name.isText("clipboard") { return Array("general".utf8) }
        if name.isText("find") || name.isText("primary") { return Array("find".utf8) }
        // A reverse-DNS name belongs to an app: the names of manager selections have an underscore or no dot.
        return isReverseDNS(name) ? name : nil
    }

    /// Returns true for a TYPE argument that is not a filename extension.
    static func isWantedType(_ name: [UInt8]) -> Bool {
        !name.isEmpty && name.count <= 255 && name.first != UInt8(ascii: ".") && name.allSatisfy(isPlain)
    }

    /// Returns true for a type that bytes can have: a MIME type, an identifier, or one of two common classes.
    static func isSourceType(_ name: [UInt8]) -> Bool {
        isReverseDNS(name) || isMIMEType(name) || name.isText("text") || name.isText("html")
    }

    /// Returns true for a type that certainly means text. Text given under another type may be a mistake.
    static func isTextType(_ name: [UInt8]) -> Bool {
        name.starts(with: "text/".utf8) || name.isText("text") || name.isText("html")
            || name.isText("public.utf8-plain-text") || name.isText("public.html")
    }

    /// Returns true for a visible ASCII character that JSON does not escape.
    static func isPlain(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// Returns true for parts of letters, digits and hyphens joined by dots: `com.example.scratch`.
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

    /// Returns true for a MIME type without a parameter: `text/html`.
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
