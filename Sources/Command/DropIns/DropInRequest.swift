package import Commands
package import FastPath
import LinuxSystem
package import PasteboardModel
import SystemPackage

/// A command line of a program that `xpb` replaces, as steps that ``DropIn`` carries out in order.
package struct DropInRequest: Equatable, Sendable {
    package enum Step: Equatable, Sendable {
        case copy(DropInCopy)
        case paste(DropInPaste)
        /// Writes the names under which X11 programs can request the contents, one per line.
        ///
        /// - Parameter withProtocol: True to include the names that every owner of a selection offers.
        case listTargets(withProtocol: Bool)
        case clear
        /// Exchanges the text of PRIMARY and SECONDARY.
        case exchange
        /// Runs a command for the present contents and for each change of them.
        case watch(command: [String], choice: TargetChoice)
        /// Writes the program's own text.
        case say(DropInMessage)
    }

    package let program: DropInName
    package var pasteboard = PasteboardName.general
    package var display: String?
    /// The timeout for an owner, in milliseconds; nil for the usual timeout.
    package var timeout: Int?
    package var steps: [Step] = []

    package init(_ program: DropInName, _ pasteboard: PasteboardName, _ steps: [Step] = []) {
        self.program = program
        self.pasteboard = pasteboard
        self.steps = steps
    }

    /// Parses a command line by the program's rules.
    ///
    /// - Parameter arguments: The arguments without the program's name.
    package init(_ program: DropInName, _ arguments: [String], _ streams: DropInStreams) {
        switch program {
        case .xclip: self = XclipLine.parse(arguments, streams)
        case .xsel: self = XselLine.parse(arguments, streams)
        case .pbcopy, .pbpaste: self = PasteboardLine.parse(program, arguments)
        case .wlCopy: self = WaylandCopyLine.parse(arguments)
        case .wlPaste: self = WaylandPasteLine.parse(arguments, streams)
        }
    }

    /// Returns the request for a line that only prints text.
    static func saying(_ program: DropInName, _ messages: DropInMessage...) -> DropInRequest {
        DropInRequest(program, .general, messages.map { .say($0) })
    }
}

/// The facts about the standard streams that decide what a line means.
package struct DropInStreams: Equatable, Sendable {
    package var inputIsTerminal = false
    package var outputIsTerminal = false
    /// The filename extension of standard output, if it is a file.
    package var outputExtension: String?

    package init(inputIsTerminal: Bool = false, outputIsTerminal: Bool = false, outputExtension: String? = nil) {
        self.inputIsTerminal = inputIsTerminal
        self.outputIsTerminal = outputIsTerminal
        self.outputExtension = outputExtension
    }

    static var current: DropInStreams {
        DropInStreams(
            inputIsTerminal: StandardDescriptors.isTerminal(.standardInput),
            outputIsTerminal: StandardDescriptors.isTerminal(.standardOutput),
            outputExtension: StandardDescriptors.fileExtension(.standardOutput))
    }
}

extension StandardDescriptors {
    /// Returns the filename extension of a regular file.
    fileprivate static func fileExtension(_ fileDescriptor: FileDescriptor) -> String? {
        guard let status = try? FileStatus(of: fileDescriptor), status.isRegular,
            let path = try? ThisProcess.path(of: fileDescriptor), let name = path.split(separator: "/").last,
            let dot = name.lastIndex(of: "."), dot > name.startIndex
        else { return nil }
        return String(name[name.index(after: dot)...])
    }
}

/// Contents to write.
package struct DropInCopy: Equatable, Sendable {
    package enum Growth: Equatable, Sendable {
        /// The contents are all bytes read so far.
        case appending
        /// The contents are the bytes read after the last NUL.
        case fromZero
    }

    /// The origins, read one after another.
    package var origins: [Source.Origin] = [.standardInput]
    /// The X11 names of the bytes; empty if the bytes determine them.
    package var targets: [String] = []
    /// True if the beginning of standard input decides whether it is RTF, PostScript or text.
    package var detectsFormat = false
    /// True if the bytes are offered under exactly these names, without conversion.
    package var exact = false
    /// The text that is offered under STRING.
    package var alternative: String?
    /// True if an LF at the end is removed.
    package var trims = false
    /// True if standard input is also written to standard output.
    package var tees = false
    /// True if the present text precedes the new text.
    package var appends = false
    /// True if empty contents clear the pasteboard.
    package var clearsIfEmpty = false
    /// The way to follow standard input as it grows; nil if it is read to its end first.
    package var growth: Growth?
    package var once = false
    package var isSecret = false
    /// The lifetime in milliseconds.
    package var expires: Int?
    /// True if the program ends when the contents are replaced.
    package var waits = false
    /// The message to write to standard error before the program waits.
    package var waitMessage: String?
    /// True if the cut buffer of the X server is used instead of a pasteboard.
    package var isCutBuffer = false

    package init() {}
}

/// One representation to read.
package struct DropInPaste: Equatable, Sendable {
    package var choice: TargetChoice
    /// True if an LF at the end is removed.
    package var trims = false
    /// True if a newline follows text.
    package var addsNewline = false
    /// True if a remark follows text without a newline on a terminal.
    package var remarksMissingNewline = false
    /// True if the pasteboard is cleared after it was read.
    package var clears = false
    package var isCutBuffer = false

    package init(_ choice: TargetChoice) {
        self.choice = choice
    }
}

/// The program's own text.
package struct DropInMessage: Equatable, Sendable {
    package let text: String
    package let toStandardError: Bool
    /// The exit status; with 0, the program continues.
    package let status: Int32

    package init(_ text: String, toStandardError: Bool = false, status: Int32 = 0) {
        self.text = text
        self.toStandardError = toStandardError
        self.status = status
    }

    static func error(_ text: String) -> DropInMessage {
        DropInMessage(text, toStandardError: true, status: 1)
    }
}

/// The rule by which a program chooses among the names on offer.
package enum TargetChoice: Equatable, Sendable {
    /// The first of these names that is on offer.
    case first([String])
    /// The rules of `wl-paste`, for the type on its command line or the type of its output file.
    case wayland(type: String?, inferred: String?)

    /// The names of plain text, most faithful first.
    package static let text = [
        "UTF8_STRING", "text/plain;charset=utf-8", "STRING", "text/plain", "TEXT", "COMPOUND_TEXT",
    ]

    /// Returns the name to request; nil if none is suitable.
    package func name(among offered: [String]) -> String? {
        switch self {
        case .first(let names): names.first(where: offered.contains)
        case .wayland(let type, let inferred): Self.waylandName(type, inferred, offered)
        }
    }

    private static func waylandName(_ type: String?, _ inferred: String?, _ offered: [String]) -> String? {
        func text() -> String? {
            ["text/plain;charset=utf-8", "text/plain"].first(where: offered.contains) ?? offered.first(where: isText)
        }
        if let type {
            if type == "text" { return text() }
            if offered.contains(type) { return type }
            let isClass = !type.contains("/") && !(type.first?.isUppercase ?? true)
            return isClass ? offered.first { $0.hasPrefix(type) } : nil
        }
        guard let inferred else { return text() ?? offered.first }
        if offered.contains(inferred) { return inferred }
        return isText(inferred) ? text() : nil
    }

    /// Returns true for a name that `wl-copy` and `wl-paste` treat as text.
    package static func isText(_ name: String) -> Bool {
        name.hasPrefix("text/") || ["TEXT", "STRING", "UTF8_STRING"].contains(name) || name.contains("json")
            || ["script", "xml", "yaml", "csv", "ini", "pgp-keys"].contains(where: name.hasSuffix)
            || name.contains("application/vnd.ms-publisher")
    }
}
