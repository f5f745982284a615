import FoundationEssentials
import Glibc
import Pasteboard

/// A program for the tests, with one Xlib window and a poll(2) loop. The loop's three sources are the window's
/// connection, ``PasteboardEvents`` and standard input. The program reads a command from each line of input, and prints
/// the values that the closures of the events receive. Its argument is the timeout of its calls, in milliseconds.
@main final class WindowHost {
    private let window: HostWindow
    private let events: PasteboardEvents
    private let thread = pthread_self()
    /// The counts of the changes since ``observe(_:)``.
    private var counts: [Int] = []
    /// The count at which ``reportIfComplete()`` prints the counts.
    private var awaited: Int?
    private var turns = 0
    private var longestTurn = Duration.zero
    private var isEnded = false

    static func main() throws {
        guard let window = HostWindow() else { return say("no display") }
        let timeout = Duration.milliseconds(CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 5_000)
        let client = Client(environment: ProcessInfo.processInfo.environment, timeout: timeout)
        try Client.$current.withValue(client) { try WindowHost(window).run() }
    }

    private init(_ window: HostWindow) throws {
        self.window = window
        events = try PasteboardEvents()
    }

    // MARK: The loop

    private func run() {
        Self.say("ready")
        while !isEnded {
            // snippet: poll
            // Xlib may have read events while it sent requests, and poll(2) does not know of those.
            window.handleEvents()
            var sources = [window.connection, events.descriptor, STDIN_FILENO].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            guard unsafe poll(&sources, nfds_t(sources.count), -1) > 0 else { continue }
            // end
            let start = ContinuousClock.now
            window.handleEvents()
            events.dispatch()
            if sources[2].revents != 0 { readCommand() }
            turns += 1
            longestTurn = max(longestTurn, ContinuousClock.now - start)
        }
    }

    private func readCommand() {
        // Unbuffered: a buffered line would not make the descriptor readable.
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while unsafe read(STDIN_FILENO, &byte, 1) == 1 {
            guard byte != UInt8(ascii: "\n") else {
                let words = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 1).map(String.init)
                return perform(words.first ?? "", words.count > 1 ? words[1] : "")
            }
            line.append(byte)
        }
        isEnded = true
    }

    // MARK: Commands

    private func perform(_ command: String, _ argument: String) {
        switch command {
        case "observe": observe(since: Int(argument) ?? 0)
        case "await":
            awaited = Int(argument)
            reportIfComplete()
        case "read":
            events.read(.general, types: [.text]) { [unowned self] result in
                switch result {
                case .success(let read): say("read", read.map { String(decoding: $0.data, as: UTF8.self) } ?? "nothing")
                case .failure(let error): say("failed", (error as? PasteboardError).map { "\($0.code)" } ?? "\(error)")
                }
            }
        case "write":
            events.write([PasteboardItem(Data(argument.utf8), type: .plainText)], to: .general) {
                [unowned self] result in
                say("wrote", (try? result.get()).map(String.init) ?? "\(result)")
            }
        case "promise":
            var item = PasteboardItem()
            item.setPromise(
                forType: .plainText,
                provider: events.provider { [unowned self] in
                    say("asked", argument)
                    return Data(argument.utf8)
                })
            events.write([item], to: .general) { [unowned self] _ in say("promised", argument) }
        case "ping": say("pong", argument)
        case "draw":
            window.draw { [unowned self] in say("drawn", argument) }
        case "turns": Self.say("turns \(turns) longest \(longestTurn.components.attoseconds / 1_000_000_000_000) us")
        default: Self.say("unknown \(command)")
        }
    }

    private func observe(since count: Int) {
        events.observe(.general, since: count) { [unowned self] error in
            say("failed", "\(error)")
        } change: { [unowned self] change in
            if pthread_equal(pthread_self(), thread) == 0 { say("thread", "another") }
            counts.append(change.count)
            reportIfComplete()
        }
    }

    /// Prints the counts once the awaited count has come, as a range if no count is missing from it.
    private func reportIfComplete() {
        guard let awaited, let first = counts.first, let last = counts.last, last >= awaited else { return }
        self.awaited = nil
        say("changes", counts == Array(first...last) ? "\(first)...\(last)" : "\(counts)")
    }

    /// Prints a line. If the current thread is not the loop's thread, the line says so instead.
    private func say(_ word: String, _ text: String) {
        Self.say(pthread_equal(pthread_self(), thread) != 0 ? "\(word) \(text)" : "\(word) on another thread")
    }

    private static func say(_ line: String) {
        print(line)
        fflush(nil)
    }
}
