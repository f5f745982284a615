import Commands
import FastPath
import PasteboardModel
import UniformTypes

/// The command line of `wl-copy`.
enum WaylandCopyLine {
    private static let options = GetoptLong(
        program: DropInName.wlCopy.rawValue,
        options: [
            .init(letter: "v", name: "version"), .init(letter: "h", name: "help"),
            .init(letter: "p", name: "primary"), .init(letter: "n", name: "trim-newline"),
            .init(letter: "o", name: "paste-once"), .init(letter: "f", name: "foreground"),
            .init(letter: "c", name: "clear"), .init(letter: "t", name: "type", takesValue: true),
            .init(letter: "S", name: "sensitive"), .init(letter: "s", name: "seat", takesValue: true),
        ], longOnly: ["S"])

    static func parse(_ arguments: [String]) -> DropInRequest {
        let (found, words): ([(letter: Character, value: String)], [String])
        switch options.parse(arguments) {
        case .failed(let message): return .saying(.wlCopy, .error(message + usage))
        case .found(let options, let others): (found, words) = (options, others)
        case .ended(let options, let others): (found, words) = (options, others)
        }
        var copy = DropInCopy()
        var request = DropInRequest(.wlCopy, .general)
        var clears = false
        for (letter, value) in found {
            switch letter {
            case "v": return .saying(.wlCopy, WaylandText.version)
            case "h": return .saying(.wlCopy, DropInMessage(usage))
            case "p": request.pasteboard = .find
            case "n": copy.trims = true
            case "o": copy.once = true
            case "f": copy.waits = true
            case "c": clears = true
            case "t": copy.targets = [value]
            case "S": copy.isSecret = true
            // X11 has one seat.
            default: break
            }
        }
        if !words.isEmpty {
            copy.origins = [.text(words.joined(separator: " "))]
            // Words have no newline of their own.
            copy.trims = false
        }
        request.steps = [clears ? .clear : .copy(copy)]
        return request
    }

    private static let usage = """
        Usage:
        \twl-copy [options] text to copy
        \twl-copy [options] < file-to-copy

        xpb, acting as wl-copy.

        \t-o, --paste-once\tRemove the contents after one paste.
        \t-f, --foreground\tReturn when other contents have replaced these.
        \t-c, --clear\t\tRemove the contents.
        \t-p, --primary\t\tUse the primary selection.
        \t-n, --trim-newline\tRemove one newline from the end.
        \t-t, --type mime/type\tName the type of the contents.
        \t    --sensitive\t\tKeep the contents out of histories and files.
        \t-s, --seat seat-name\tIgnored.
        \t-v, --version
        \t-h, --help

        """
}

/// The command line of `wl-paste`.
enum WaylandPasteLine {
    private static let options = GetoptLong(
        program: DropInName.wlPaste.rawValue,
        options: [
            .init(letter: "v", name: "version"), .init(letter: "h", name: "help"),
            .init(letter: "p", name: "primary"), .init(letter: "n", name: "no-newline"),
            .init(letter: "l", name: "list-types"), .init(letter: "w", name: "watch", takesValue: true),
            .init(letter: "t", name: "type", takesValue: true), .init(letter: "s", name: "seat", takesValue: true),
        ], last: "w")

    static func parse(_ arguments: [String], _ streams: DropInStreams) -> DropInRequest {
        let (found, rest): ([(letter: Character, value: String)], [String])
        switch options.parse(arguments) {
        case .failed(let message): return .saying(.wlPaste, .error(message + usage))
        case .found(let options, let words):
            if let word = words.first {
                return printed(options) ?? .saying(.wlPaste, .error("Unexpected argument: \(word)\n" + usage))
            }
            (found, rest) = (options, [])
        case .ended(let options, let others): (found, rest) = (options, others)
        }
        if let printed = printed(found) { return printed }
        var request = DropInRequest(.wlPaste, .general)
        var type: String?
        var (lists, addsNewline) = (false, true)
        var command: String?
        for (letter, value) in found {
            switch letter {
            case "p": request.pasteboard = .find
            case "n": addsNewline = false
            case "l": lists = true
            case "t": type = value
            case "w": command = value
            default: break
            }
        }
        if let command, command.hasPrefix("-") {
            let message = "Expected a subcommand instead of an argument after --watch\n"
            return .saying(.wlPaste, .error(message + usage))
        }
        let inferred = type == nil && command == nil ? streams.outputExtension.flatMap(mimeType) : nil
        let choice = TargetChoice.wayland(type: type, inferred: inferred)
        if let command {
            request.steps = [.watch(command: [command] + rest, choice: choice)]
        } else if lists {
            request.steps = [.listTargets(withProtocol: false)]
        } else {
            var paste = DropInPaste(choice)
            paste.addsNewline = addsNewline
            request.steps = [.paste(paste)]
        }
        return request
    }

    /// Returns the request of an option that only prints text. Such an option takes precedence over an invalid word.
    private static func printed(_ found: [(letter: Character, value: String)]) -> DropInRequest? {
        switch found.first(where: { $0.letter == "v" || $0.letter == "h" })?.letter {
        case "v": .saying(.wlPaste, WaylandText.version)
        case "h": .saying(.wlPaste, DropInMessage(usage))
        default: nil
        }
    }

    private static func mimeType(ofExtension name: String) -> String? {
        UniformType(filenameExtension: name).flatMap { $0.isDeclared ? $0.preferredMIMEType : nil }
    }

    private static let usage = """
        Usage:
        \twl-paste [options]

        xpb, acting as wl-paste.

        \t-n, --no-newline\tAdd no newline to text.
        \t-l, --list-types\tList the types.
        \t-p, --primary\t\tUse the primary selection.
        \t-w, --watch command\tRun a command for each change.
        \t-t, --type mime/type\tName the type, or a class such as text or image.
        \t-s, --seat seat-name\tIgnored.
        \t-v, --version
        \t-h, --help

        """
}

enum WaylandText {
    static let version = DropInMessage("wl-clipboard 2.3.0 (\(DropIn.version))\n")
}
