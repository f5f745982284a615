import Glibc

/// The command-line options.
struct Options {
    static let help = """
        usage: xpb-board [--history | --board] [--document NAME] [--standalone]

          --history        show the history of the clipboard (the default)
          --board          show the board
          --document NAME  the pasteboard that holds the tiles (default: org.xpb.board)
          --standalone     run in addition to a program that shows the same board, instead of presenting its window
        """

    /// A usage error.
    struct Misuse: Error {
        let message: String
    }

    var page = "history"
    var document = "org.xpb.board"
    var isStandalone = false
    var wantsHelp = false

    init(_ arguments: some Sequence<String>) throws(Misuse) {
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--history": page = "history"
            case "--board": page = "board"
            case "--standalone": isStandalone = true
            case "-h", "--help": wantsHelp = true
            case "--document":
                guard let name = rest.popFirst() else { throw Misuse(message: "--document needs a name") }
                document = name
            default: throw Misuse(message: "unknown argument: \(argument)")
            }
        }
    }
}

/// The standard streams and the exit status.
enum Standard {
    static func fail(_ message: String, status: Int32) -> Never {
        var text = Array("xpb-board: \(message)\n".utf8)[...]
        while !text.isEmpty {
            let count = unsafe text.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            text = text.dropFirst(count)
        }
        exit(status)
    }
}
