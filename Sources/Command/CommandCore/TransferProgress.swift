import BridgeClient
import LinuxSystem
package import PasteboardWire
import SystemPackage
import Terminal

/// The progress of a transfer.
package struct TransferProgress: Equatable, Sendable {
    /// The transfer in a few words, such as `reading standard input`.
    package let label: String
    /// The bytes moved so far; nil if they are not known.
    package let bytes: Int?
    /// The total number of bytes; nil if it is not known.
    package let length: Int?

    package init(label: String, bytes: Int? = nil, length: Int? = nil) {
        self.label = label
        self.bytes = bytes
        self.length = length
    }

    /// Returns a line such as `reading a.iso: 312 MiB of 1.2 GiB, 25%, 98 MiB/s`, cut to the columns.
    package func line(after time: Duration, columns: Int) -> String {
        var parts: [String] = []
        if let bytes {
            parts.append(ByteSize.text(bytes))
            if let length, length > 0 {
                parts[0] += " of \(ByteSize.text(length))"
                // A file that grows does not exceed 100%.
                parts.append("\(min(bytes, length) * 100 / length)%")
            }
            let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
            if seconds > 0, bytes > 0 { parts.append("\(ByteSize.text(Int(Double(bytes) / seconds)))/s") }
        }
        let text = parts.isEmpty ? "\(label) …" : "\(label): \(parts.joined(separator: ", "))"
        // A line that fills the width would move the cursor to the next line.
        return Columns.cut(Preview.oneLine(text), to: columns - 1)
    }
}

extension Console {
    /// The time after which a transfer counts as long.
    private static let progressDelay = Duration.seconds(1)
    private static let progressInterval = Duration.milliseconds(250)

    /// Runs `body`, and after one second shows its progress on standard error, if that is a terminal and the user wants
    /// messages. The line is removed at the end.
    ///
    /// - Parameter progress: Called on another thread; nil if nothing is known at the moment.
    package func showingProgress<Result, Failure: Error>(
        _ progress: @escaping @Sendable () -> TransferProgress?, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let terminal = Environment.bytes(of: "TERM").map { String(decoding: $0, as: UTF8.self) }
        guard !isQuiet, StandardDescriptors.isTerminal(.standardError), ![nil, "", "dumb"].contains(terminal),
            let end = try? EventDescriptor(),
            let thread = try? WorkerThread.start(name: "progress", { Self.show(progress, until: end) })
        else { return try body() }
        defer {
            end.signal()
            thread.join()
        }
        return try body()
    }

    private static func show(_ progress: () -> TransferProgress?, until end: EventDescriptor) {
        let start = ContinuousClock.now
        var next = start + progressDelay
        var isShown = false
        while (try? waitReadable(end.fileDescriptor, until: next)) == false {
            next = .now + progressInterval
            guard let progress = progress() else { continue }
            let columns = TerminalDevice.size(of: .standardError)?.columns ?? 80
            let line = progress.line(after: start.duration(to: .now), columns: columns)
            isShown = (try? FileDescriptor.standardError.writeBytes(Array("\r\(line)\u{1B}[K".utf8))) != nil || isShown
        }
        if isShown { try? FileDescriptor.standardError.writeBytes(Array("\r\u{1B}[K".utf8)) }
    }
}

extension Session {
    /// Runs `body`, which waits for contents of a pasteboard, and shows the progress of the transfer from their owner.
    package func showingTransfer<Result, Failure: Error>(
        of pasteboard: String, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let (display, environment) = (common.display, environment)
        return try console.showingProgress(
            {
                // A separate connection, since the other one waits for the contents.
                let client = try? BridgeClient.connect(
                    display: display, environment: environment, timeout: .seconds(1), start: .never)
                let status = try? client?.call(Methods.Status.self, .init()).reply
                return status.flatMap { TransferProgress(of: pasteboard, in: $0.underway) }
            }, body)
    }
}

extension TransferProgress {
    /// The longest transfer from a program to the bridge for this pasteboard; nil if there is none.
    package init?(of pasteboard: String, in transfers: [WireTransfer]) {
        let selections = ["general": "CLIPBOARD", "find": "PRIMARY", "secondary": "SECONDARY"]
        let selection = selections[pasteboard] ?? pasteboard
        let received = transfers.filter { $0.selection == selection && $0.direction == .receiving }
        guard let transfer = received.max(by: { $0.bytes < $1.bytes }) else { return nil }
        self.init(
            label: transfer.program.map { "receiving from \($0)" } ?? "receiving", bytes: transfer.bytes,
            length: transfer.length)
    }
}
