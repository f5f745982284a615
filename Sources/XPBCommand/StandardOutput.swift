import LinuxSystem
import SystemPackage

/// Standard output, of which every failure is noticed.
final class StandardOutput {
    private let fileDescriptor = FileDescriptor.standardOutput
    private var isUsed: Bool

    /// - Parameter isUsed: Whether something has been written to it.
    init(isUsed: Bool = false) {
        self.isUsed = isUsed
    }

    var isTerminal: Bool { StandardDescriptors.isTerminal(fileDescriptor) }

    /// Of the terminal; nil where it is none, or does not tell.
    var columns: Int? { StandardDescriptors.columns(fileDescriptor) }

    /// At once: who reads from a pipe sees it. What stands for bytes that are no UTF-8 becomes these again.
    func write(_ text: String) throws(Failure) {
        try writing { () throws(Errno) in try fileDescriptor.writeBytes(LosslessText.bytes(of: text)) }
    }

    func write(_ bytes: [UInt8]) throws(Failure) {
        try writing { () throws(Errno) in try fileDescriptor.writeBytes(bytes) }
    }

    func write(_ bytes: HeldBytes, _ range: Range<Int>) throws(Failure) {
        try writing { () throws(Errno) in try Transfer.copy(from: bytes, range: range, to: fileDescriptor) }
    }

    /// Rows of fields with a TAB between them, each row a line, or with `-0` ended by NUL.
    func write(rows: [[String]], endingWithNUL: Bool = false) throws(Failure) {
        try write(rows.map { Line.text($0, endingWithNUL: endingWithNUL) }.joined())
    }

    /// Some file systems say only here that they could not keep what was written.
    func finish() throws(Failure) {
        guard isUsed else { return }
        try writing { () throws(Errno) in try StandardDescriptors.closeOutput() }
    }

    private func writing(_ body: () throws(Errno) -> Void) throws(Failure) {
        isUsed = true
        do {
            try body()
        } catch {
            throw Self.failure(error)
        }
    }

    static func failure(_ error: Errno) -> Failure {
        guard error != .brokenPipe else { return Failure(.brokenPipe, "") }
        return Failure(.broken, "standard output cannot be written: \(error); what came through is incomplete")
    }
}
