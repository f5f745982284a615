package import BridgeClient
import FoundationEssentials
package import LinuxSystem
package import SystemPackage

/// Standard output. Every failed write throws an error.
package final class StandardOutput {
    private let fileDescriptor = FileDescriptor.standardOutput
    private var isUsed: Bool

    /// - Parameter isUsed: True if standard output has already been written to.
    package init(isUsed: Bool = false) {
        self.isUsed = isUsed
    }

    package var isTerminal: Bool { StandardDescriptors.isTerminal(fileDescriptor) }

    /// True if standard output is this job's controlling terminal, and the job is in the foreground.
    var isControllingTerminal: Bool { TerminalDevice.isForeground(on: fileDescriptor) }

    /// The size of the terminal; nil if standard output is not a terminal, or its size is unknown.
    var terminalSize: TerminalSize? { TerminalDevice.size(of: fileDescriptor) }

    /// The width of the terminal; nil if standard output is not a terminal, or its width is unknown.
    package var columns: Int? { terminalSize?.columns }

    /// The height of the terminal; nil if standard output is not a terminal, or its height is unknown.
    package var rows: Int? { terminalSize.flatMap { $0.rows > 0 ? $0.rows : nil } }

    /// Writes at once, without a buffer. Characters that stand for invalid UTF-8 are written as the original bytes.
    package func write(_ text: String) throws(Failure) {
        try writing { () throws(Errno) in try fileDescriptor.writeBytes(LosslessText.bytes(of: text)) }
    }

    package func write(_ bytes: [UInt8]) throws(Failure) {
        try writing { () throws(Errno) in try fileDescriptor.writeBytes(bytes) }
    }

    package func write(_ bytes: ImmutableBytes, _ range: Range<Int>) throws(Failure) {
        try writing { () throws(Errno) in try Transfer.copy(from: bytes, range: range, to: fileDescriptor) }
    }

    /// Writes bytes as they arrive, and returns their number.
    package func write(_ stream: RepresentationStream) throws(Failure) -> Int {
        isUsed = true
        do {
            return try stream.write(to: fileDescriptor)
        } catch let error as Errno {
            throw Self.failure(error)
        } catch {
            throw Failure(reporting: error)
        }
    }

    /// Writes each row as a line, or ended by NUL for `-0`, with a TAB between the fields.
    package func write(rows: [[String]], endingWithNUL: Bool = false) throws(Failure) {
        try write(rows.map { Line.text($0, endingWithNUL: endingWithNUL) }.joined())
    }

    /// Writes rows as ``write(rows:endingWithNUL:)`` does; on a terminal, in columns below a header.
    package func write(table rows: [[String]], header: [String], endingWithNUL: Bool = false) throws(Failure) {
        guard isTerminal, !endingWithNUL else { return try write(rows: rows, endingWithNUL: endingWithNUL) }
        try write(Table.lines([header] + rows).map { $0 + "\n" }.joined())
    }

    /// Writes `key: value` lines, without keys that have no value; on a terminal, with the values in a column.
    package func write(keys: [(String, String?)]) throws(Failure) {
        let found = keys.compactMap { key, value in value.map { (key: key, value: $0) } }
        guard isTerminal else { return try write(rows: found.map { ["\($0.key): \($0.value)"] }) }
        try write(Table.lines(found.map { ["\($0.key):", $0.value] }).map { $0 + "\n" }.joined())
    }

    /// Closes standard output; only then do some file systems report that they could not store the output.
    package func finish() throws(Failure) {
        guard isUsed else { return }
        try writing { () throws(Errno) in try StandardDescriptors.closeOutput() }
    }

    /// From now on, ends the process as soon as its output pipe has lost its reader, not at the next write.
    package func endProcessWithoutReader() {
        // Without the thread, the next write ends the process.
        _ = try? WorkerThread.start(name: "output") {
            var output = PollSet()
            output.append(.standardOutput, [])
            guard (try? output.wait(until: nil)) != nil, output.result(at: 0).contains(.error) else { return }
            ThisProcess.end(status: ExitStatus.brokenPipe.rawValue)
        }
    }

    private func writing(_ body: () throws(Errno) -> Void) throws(Failure) {
        isUsed = true
        do {
            try body()
        } catch {
            throw Self.failure(error)
        }
    }

    package static func failure(_ error: Errno) -> Failure {
        guard error != .brokenPipe else { return Failure(.brokenPipe, "") }
        return Failure(.broken, "standard output cannot be written: \(error); the output is incomplete")
    }
}

/// An object that `--json` writes on one line, with the version of the format.
package struct JSONOutput<Body: Encodable>: Encodable {
    package let body: Body

    package init(body: Body) { self.body = body }

    private enum Keys: String, CodingKey { case version = "v" }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(1, forKey: .version)
        try body.encode(to: encoder)
    }
}

extension StandardOutput {
    package func write(json body: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try write(String(decoding: try encoder.encode(JSONOutput(body: body)), as: UTF8.self) + "\n")
    }

    /// Writes the change counts of pasteboards as JSON.
    package func write(counts: [Int], of names: [String]) throws {
        try write(json: ["counts": Dictionary(zip(names, counts)) { _, later in later }])
    }
}
