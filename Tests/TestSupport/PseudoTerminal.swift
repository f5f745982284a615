import CTestLinux
import Glibc
import Testing

/// A terminal for a single program, with a test as its user.
package final class PseudoTerminal {
    private let main: Int32
    /// The program's side, which the test keeps open: poll(2) would report a hangup whenever no program has it open.
    private let side: Int32
    /// The path of the device that the program opens.
    package let path: String
    /// The bytes that the program has written so far.
    package private(set) var output: [UInt8] = []
    /// The screen after ``output``.
    package private(set) var screen: TerminalScreen

    package init(columns: Int, rows: Int) throws {
        main = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        try #require(main >= 0 && grantpt(main) == 0 && unlockpt(main) == 0)
        path = unsafe String(cString: try #require(ptsname(main)))
        side = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(side >= 0)
        screen = TerminalScreen(columns: columns, rows: rows)
        resize(columns: columns, rows: rows)
    }

    deinit {
        close(side)
        close(main)
    }

    /// Returns the command line that runs a program with this controlling terminal.
    ///
    /// - Parameter streams: The redirections, in which `$0` is the terminal.
    package func command(_ line: [String], streams: String = #"<"$0" >"$0" 2>"$0""#) -> [String] {
        // The first terminal that the leader of a session opens becomes its controlling terminal.
        ["setsid", "-w", "sh", "-c", #"exec \#(streams); exec "$@""#, path] + line
    }

    package func resize(columns: Int, rows: Int) {
        var size = winsize()
        size.ws_col = UInt16(columns)
        size.ws_row = UInt16(rows)
        size.ws_xpixel = UInt16(10 * columns)
        size.ws_ypixel = UInt16(20 * rows)
        _ = unsafe ioctl(main, UInt(TIOCSWINSZ), &size)
        screen = TerminalScreen(columns: columns, rows: rows)
    }

    /// Types keys, or replies to a query.
    package func type(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(unsafe write(main, bytes, bytes.count) == bytes.count)
    }

    /// True while the terminal echoes what is typed, as it does outside of programs with a screen.
    package var echoes: Bool {
        var mode = termios()
        return unsafe tcgetattr(main, &mode) == 0 && mode.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Reads the program's output until a condition holds.
    ///
    /// There is no timeout: suites that run programs have a `.timeLimit`.
    package func until(_ condition: (PseudoTerminal) -> Bool) async throws {
        while true {
            readAvailable()
            if condition(self) { return }
            try Task.checkCancellation()
            var descriptor = pollfd(fd: main, events: Int16(POLLIN), revents: 0)
            // A condition may become true without output.
            _ = unsafe poll(&descriptor, 1, 100)
        }
    }

    /// Reads the program's output until a row of the screen contains the text.
    package func until(_ text: String) async throws {
        try await until { terminal in terminal.screen.lines.contains { $0.contains(text) } }
    }

    package func readAvailable() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe read(main, &buffer, buffer.count)
            guard count > 0 else { return }
            output += buffer[..<count]
            screen.write(buffer[..<count])
        }
    }
}

/// The text on a terminal's screen, after the control sequences that xpb uses. Each character takes one cell.
package struct TerminalScreen {
    private let columns: Int
    private let rows: Int
    private var cells: [[Unicode.Scalar]]
    private var row = 0
    private var column = 0
    private var pending: [UInt8] = []

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    }

    package var lines: [String] {
        cells.map { line in
            var text = String.UnicodeScalarView()
            text.append(contentsOf: line)
            return String(text)
        }
    }

    mutating func write(_ bytes: some Sequence<UInt8>) {
        pending += bytes
        while let length = step() { pending.removeFirst(length) }
    }

    /// Carries out the first control sequence or character, and returns its length; nil if it is incomplete.
    private mutating func step() -> Int? {
        guard let first = pending.first else { return nil }
        switch first {
        case 0x1B: return escape()
        case 0x0D: column = 0
        case 0x0A: newline()
        case 0x00..<0x20: break
        default: return character(first)
        }
        return 1
    }

    private mutating func newline() {
        row += 1
        guard row == rows else { return }
        row -= 1
        cells.removeFirst()
        cells.append(Array(repeating: " ", count: columns))
    }

    private mutating func character(_ first: UInt8) -> Int? {
        let length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard pending.count >= length else { return nil }
        let text = String(decoding: pending[..<length], as: UTF8.self)
        if column < columns, let scalar = text.unicodeScalars.first { cells[row][column] = scalar }
        column += 1
        return length
    }

    private mutating func escape() -> Int? {
        guard pending.count >= 2 else { return nil }
        switch pending[1] {
        case UInt8(ascii: "["):
            guard let end = pending[2...].firstIndex(where: { (0x40...0x7E).contains($0) }) else { return nil }
            control(String(decoding: pending[2..<end], as: UTF8.self), pending[end])
            return end + 1
        case UInt8(ascii: "_"), UInt8(ascii: "]"), UInt8(ascii: "P"):
            let end = pending.indices.dropFirst(2).first { index in
                pending[index] == 0x07 || pending[index] == UInt8(ascii: "\\") && pending[index - 1] == 0x1B
            }
            return end.map { $0 + 1 }
        default: return 2
        }
    }

    private mutating func control(_ parameters: String, _ final: UInt8) {
        let numbers = parameters.split(separator: ";").map { Int($0) ?? 0 }
        switch final {
        case UInt8(ascii: "H"):
            row = min(max((numbers.first ?? 1) - 1, 0), rows - 1)
            column = max((numbers.dropFirst().first ?? 1) - 1, 0)
        case UInt8(ascii: "J"):
            cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
        case UInt8(ascii: "A"): row = max(row - (numbers.first ?? 1), 0)
        case UInt8(ascii: "B"): row = min(row + (numbers.first ?? 1), rows - 1)
        default: break
        }
    }
}
