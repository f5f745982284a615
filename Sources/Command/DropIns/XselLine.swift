import FastPath
import PasteboardModel

/// The command line of `xsel`: short options can be combined, long ones cannot be shortened, and the mode depends on
/// the terminals unless an option names it.
enum XselLine {
    private struct Options {
        var selection = PasteboardName.find
        var isClipboard = false
        var display: String?
        var timeout = 0
        var reads = false
        var writes = false
        var appends = false
        var clears = false
        var keeps = false
        var exchanges = false
        var growth: DropInCopy.Growth?
        var waits = false
        var trims = false
        var showsVersion = false
        var showsHelp = false
    }

    static func parse(_ arguments: [String], _ streams: DropInStreams) -> DropInRequest {
        // A malformed line prints the usage without an error: programs probe for options in this way.
        guard let options = read(expanded(arguments), streams) else { return .saying(.xsel, usage) }
        if options.showsVersion || options.showsHelp {
            let version = DropInMessage("xsel version 1.2.0 (\(DropIn.version))\n")
            return DropInRequest(
                .xsel, .general,
                (options.showsVersion ? [.say(version)] : []) + (options.showsHelp ? [.say(usage)] : []))
        }
        var request = DropInRequest(.xsel, options.isClipboard ? .general : options.selection)
        request.display = options.display
        if options.timeout > 0 { request.timeout = options.timeout }
        request.steps = steps(options, streams)
        return request
    }

    /// Returns the arguments with combined short options split. xsel splits even values.
    private static func expanded(_ arguments: [String]) -> [String] {
        arguments.flatMap { argument in
            argument.hasPrefix("-") && !argument.hasPrefix("--") && argument.utf8.count > 2
                ? argument.dropFirst().map { "-\($0)" } : [argument]
        }
    }

    /// Returns the options of a line; nil if it is malformed.
    private static func read(_ arguments: [String], _ streams: DropInStreams) -> Options? {
        var options = Options()
        if streams.inputIsTerminal, streams.outputIsTerminal {
            options.writes = true
        } else {
            (options.reads, options.writes) = (!streams.inputIsTerminal, !streams.outputIsTerminal)
        }
        // A mode from an option takes precedence over one from a terminal.
        var (mustRead, mustWrite) = (false, false)
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": options.showsHelp = true
            case "--version": options.showsVersion = true
            case "--verbose", "-v": break
            case "--input", "-i": (mustRead, options.writes) = (true, false)
            case "--append", "-a": (mustRead, options.writes, options.appends) = (true, false, true)
            case "--follow", "-f":
                (mustRead, options.writes) = (true, false)
                options.growth = options.growth ?? .appending
            case "--zeroflush", "-z": (mustRead, options.writes, options.growth) = (true, false, .fromZero)
            case "--output", "-o": (mustWrite, options.reads) = (true, false)
            case "--clear", "-c", "--delete", "-d": (options.clears, options.writes) = (true, false)
            case "--primary", "-p": options.selection = .find
            case "--secondary", "-s": options.selection = .secondary
            case "--clipboard", "-b": options.isClipboard = true
            case "--keep", "-k": options.keeps = true
            case "--exchange", "-x": options.exchanges = true
            case "--nodetach", "-n": options.waits = true
            case "--trim": options.trims = true
            case "--display", "--selectionTimeout", "-t", "--logfile", "-l", "--name", "-m":
                guard let value = rest.popFirst() else { return nil }
                if argument == "--display" { options.display = value }
                if argument == "--selectionTimeout" || argument == "-t" { options.timeout = Int(value) ?? 0 }
            default: return nil
            }
        }
        options.reads = options.reads || mustRead
        options.writes = options.writes || mustWrite
        return options
    }

    private static func steps(_ options: Options, _ streams: DropInStreams) -> [DropInRequest.Step] {
        // The bridge keeps the selections after their programs have ended.
        if options.keeps { return [] }
        if options.exchanges { return [.exchange] }
        var steps: [DropInRequest.Step] = []
        if options.writes {
            var paste = DropInPaste(.first(TargetChoice.text))
            paste.trims = options.trims
            paste.remarksMissingNewline = streams.outputIsTerminal && !options.appends
            steps.append(.paste(paste))
        }
        if options.clears {
            steps.append(.clear)
        } else if options.reads {
            var copy = DropInCopy()
            copy.targets = ["UTF8_STRING"]
            copy.trims = options.trims
            copy.appends = options.appends
            copy.clearsIfEmpty = true
            copy.growth = options.growth
            copy.expires = options.timeout > 0 ? options.timeout : nil
            copy.waits = options.waits
            steps.append(.copy(copy))
        }
        return steps
    }

    private static let usage = DropInMessage(
        """
        Usage: xsel [options]
        xpb, acting as xsel: copies to an X11 selection, or pastes from it.

        Without -i, -o and the like, standard input is copied unless it is a terminal, and the selection is pasted
        unless standard output is a terminal, or if both are terminals.

          -i, --input               copy standard input
          -a, --append              add standard input to the present text
          -f, --follow              copy standard input as it grows, until it ends
          -z, --zeroflush           the same, starting over after each NUL
          -o, --output              paste
          -c, --clear               empty the selection
          -d, --delete              the same
          -p, --primary             the selection PRIMARY (default)
          -s, --secondary           the selection SECONDARY
          -b, --clipboard           the selection CLIPBOARD
          -k, --keep                do nothing: xpb keeps the selections in any case
          -x, --exchange            exchange the text of PRIMARY and SECONDARY
          --display NAME            the X display
          -t, --selectionTimeout MS how long to wait for the owner; with -i, how long to keep the contents
          --trim                    remove one newline from the end
          -l, --logfile FILE        ignored, as are -m, --name NAME and -v, --verbose
          -n, --nodetach            return when other contents have replaced these
          -h, --help
          --version

        """)
}
