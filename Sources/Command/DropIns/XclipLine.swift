import Commands
import FastPath
import PasteboardModel

/// The command line of `xclip`: options with one dash, which can be shortened while they are unambiguous. Any other
/// argument is a file, even if it begins with a dash.
///
/// The options are those of xclip 0.13 and those added later.
enum XclipLine {
    private enum Option {
        case value(WritableKeyPath<Options, String?>)
        case flag(WritableKeyPath<Options, Bool>)
        case level(Level)
        case direction(isOut: Bool)
        case print(Print)
    }

    private enum Level { case silent, quiet, verbose, debug }

    private enum Print { case help, version }

    private struct Options {
        var loops: String?
        var display: String?
        var selection: String?
        var target: String?
        var alternative: String?
        var wait: String?
        var filter = false
        var trims = false
        var isLegacy = false
        var isSensitive = false
        var level = Level.silent
        var isOut: Bool?
        var print: Print?
        var files: [String] = []
    }

    /// The options of 0.13. An abbreviation that is unambiguous among them remains valid.
    private static var options: [(name: String, option: Option)] {
        [
            ("-loops", .value(\.loops)), ("-display", .value(\.display)), ("-selection", .value(\.selection)),
            ("-filter", .flag(\.filter)), ("-in", .direction(isOut: false)), ("-out", .direction(isOut: true)),
            ("-version", .print(.version)), ("-help", .print(.help)), ("-silent", .level(.silent)),
            ("-quiet", .level(.quiet)), ("-verbose", .level(.verbose)), ("-noutf8", .flag(\.isLegacy)),
            ("-target", .value(\.target)), ("-rmlastnl", .flag(\.trims)),
        ]
    }

    /// The options added to xclip since.
    private static var laterOptions: [(name: String, option: Option)] {
        [
            ("-debug", .level(.debug)), ("-alt-text", .value(\.alternative)), ("-sensitive", .flag(\.isSensitive)),
            ("-wait", .value(\.wait)),
        ]
    }

    static func parse(_ arguments: [String], _ streams: DropInStreams) -> DropInRequest {
        // Later versions also accept the common spelling, as the first argument.
        if arguments.first == "--help" { return help }
        let options = read(arguments)
        switch options.print {
        case .help: return help
        case .version:
            return .saying(.xclip, DropInMessage("xclip version 0.13 (\(DropIn.version))\n", toStandardError: true))
        case nil: break
        }
        var request = DropInRequest(.xclip, pasteboard(options.selection))
        request.display = options.display
        let isCutBuffer = options.selection?.lowercased().first == "b"
        // As in later versions, a terminal as input means a paste: users pipe contents, and do not type them.
        let isOut = options.isOut ?? (options.files.isEmpty && streams.inputIsTerminal)
        request.steps = [isOut ? paste(options, isCutBuffer) : .copy(copy(options, isCutBuffer))]
        return request
    }

    private static func read(_ arguments: [String]) -> Options {
        var options = Options()
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch option(argument) {
            case .value(let path):
                // An option that lacks its value is a file.
                guard let value = rest.popFirst() else {
                    options.files.append(argument)
                    break
                }
                options[keyPath: path] = value
            case .flag(let path): options[keyPath: path] = true
            case .level(let level): options.level = level
            case .direction(let isOut): options.isOut = isOut
            case .print(let print): options.print = print
            case nil: options.files.append(argument)
            }
        }
        return options
    }

    /// Returns nil if the argument is a file.
    private static func option(_ argument: String) -> Option? {
        if argument.isEmpty { return nil }
        for table in [options, laterOptions] {
            if let exact = table.first(where: { $0.name == argument }) { return exact.option }
            let matches = table.filter { $0.name.hasPrefix(argument) }
            if !matches.isEmpty { return matches.count == 1 ? matches[0].option : nil }
        }
        return nil
    }

    private static func pasteboard(_ selection: String?) -> PasteboardName {
        switch selection?.lowercased().first {
        case "c": .general
        case "s": .secondary
        default: .find
        }
    }

    private static func paste(_ options: Options, _ isCutBuffer: Bool) -> DropInRequest.Step {
        if options.target == "TARGETS", !options.isLegacy, !isCutBuffer { return .listTargets(withProtocol: true) }
        let names = options.isLegacy ? ["STRING"] : options.target.map { [$0] } ?? TargetChoice.text
        var paste = DropInPaste(.first(names))
        paste.trims = options.trims
        paste.clears = options.isSensitive
        paste.isCutBuffer = isCutBuffer
        return .paste(paste)
    }

    private static func copy(_ options: Options, _ isCutBuffer: Bool) -> DropInCopy {
        var copy = DropInCopy()
        if !options.files.isEmpty { copy.origins = options.files.map { $0 == "-" ? .standardInput : .file($0) } }
        // xclip answers every name with the same bytes. Under STRING they would be read as Latin-1.
        let isLatin = options.isLegacy || options.target == "STRING"
        copy.targets = isLatin ? ["STRING", "UTF8_STRING"] : [options.target ?? "UTF8_STRING"]
        copy.exact = isLatin
        copy.alternative = options.alternative
        copy.trims = options.trims
        copy.tees = options.filter && options.level == .silent && options.files.isEmpty
        copy.isSecret = options.isSensitive
        let loops = options.loops.flatMap(number) ?? 0
        copy.once = loops == 1 || options.isSensitive || (options.wait.flatMap(number) ?? 0) > 0
        copy.waits = options.level != .silent
        if copy.waits { copy.waitMessage = waitMessage(loops) }
        copy.isCutBuffer = isCutBuffer
        return copy
    }

    /// Returns a number as atoi(3) reads it; nil if there is none.
    private static func number(_ text: String) -> Int? {
        Int(text.drop(while: \.isWhitespace).prefix { $0.isASCII && ($0.isNumber || $0 == "-") })
    }

    private static func waitMessage(_ loops: Int) -> String {
        switch loops {
        case 1: "Waiting for one selection request.\n"
        case ..<1: "Waiting for selection requests, Control-C to quit\n"
        default: "Waiting for \(loops) selection requests, Control-C to quit\n"
        }
    }

    private static let help = DropInRequest.saying(
        .xclip,
        DropInMessage(
            """
            Usage: xclip [OPTION] [FILE]...
            xpb, acting as xclip: copies to an X11 selection, or pastes from it.

              -i, -in          copy standard input or the files (default)
              -o, -out         paste
              -selection NAME  primary (default), clipboard, secondary or buffer-cut
              -t, -target      the target: UTF8_STRING (default), image/png, TARGETS to list them
              -alt-text TEXT   the text for programs that ask for STRING
              -f, -filter      also write standard input to standard output
              -r, -rmlastnl    remove one newline from the end
              -l, -loops N     1: remove the contents after one paste
              -wait MS         remove the contents after one paste
              -sensitive       the same, and keep the contents out of histories and files
              -silent          return at once (default)
              -quiet, -verbose, -debug
                               return when other contents have replaced these
              -noutf8          offer the bytes as STRING
              -d, -display     the X display
              -version, -h, -help

            """, toStandardError: true))
}
