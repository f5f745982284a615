import FastPath
import PasteboardModel

/// The command lines of `pbcopy` and `pbpaste`.
enum PasteboardLine {
    static let richText = ["text/rtf", "application/rtf", "text/richtext"]
    static let postScript = [
        "application/postscript", "image/x-eps", "application/eps", "application/x-eps", "image/eps",
    ]

    static func parse(_ program: DropInName, _ arguments: [String]) -> DropInRequest {
        var request = DropInRequest(program, .general)
        var formats = [TargetChoice.text, postScript, richText]
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "-help", "--help", "-h": return .saying(program, DropInMessage(usage(program)))
            case "-pboard":
                guard let pasteboard = rest.popFirst().flatMap(pasteboard) else { return refusal(program) }
                request.pasteboard = pasteboard
            case "-Prefer" where program == .pbpaste, "-prefer" where program == .pbpaste:
                guard let format = rest.popFirst().flatMap(format) else { return refusal(program) }
                formats = [format] + formats
            // Words are ignored: pyperclip calls `pbcopy w` and `pbpaste r`.
            case let word where !word.hasPrefix("-"): break
            default: return refusal(program)
            }
        }
        if program == .pbcopy {
            var copy = DropInCopy()
            copy.detectsFormat = true
            request.steps = [.copy(copy)]
        } else {
            request.steps = [.paste(DropInPaste(.first(formats.flatMap(\.self))))]
        }
        return request
    }

    private static func pasteboard(_ name: String) -> PasteboardName? {
        switch name {
        case "general": .general
        case "find": .find
        // Nothing else on this system has pasteboards for these.
        case "font": .app("org.xpb.font")
        case "ruler": .app("org.xpb.ruler")
        default: nil
        }
    }

    private static func format(_ name: String) -> [String]? {
        switch name {
        case "txt", "ascii", "text": TargetChoice.text
        case "rtf": richText
        case "ps": postScript
        default: nil
        }
    }

    private static func refusal(_ program: DropInName) -> DropInRequest {
        .saying(program, .error(usage(program)))
    }

    private static func usage(_ program: DropInName) -> String {
        let prefer = program == .pbpaste ? " [-Prefer {txt | rtf | ps}]" : ""
        return "usage: \(program.rawValue) [-help] [-pboard {general | ruler | find | font}]\(prefer)\n"
    }
}
