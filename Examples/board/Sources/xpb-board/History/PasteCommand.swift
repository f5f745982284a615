import Glibc

/// The command `xpb history restore --paste`, which copies an entry and pastes it into the window that was active
/// before the window of this program. Its methods block.
@safe
final class PasteCommand: @unchecked Sendable {
    enum Outcome {
        case pasted
        /// The entry was copied, and not pasted, for the reason in the message.
        case copied(String)
        case failed(String)
        /// The command is not installed.
        case notFound
    }

    /// The messages of the command.
    private let messages: UnsafeMutablePointer<FILE>
    private var last = ""

    /// Starts the command; nil if no process can be started.
    init?(entry: Int) {
        // No compositor reveals that the active window is this program's.
        let options = "--paste --from-own-window --verbose"
        guard let messages = unsafe popen("exec xpb history restore \(entry) \(options) 2>&1", "re") else {
            return nil
        }
        unsafe self.messages = messages
    }

    /// Waits until the command has found the window. Returns false if it ends without having found one.
    func findsWindow() -> Bool {
        while readMessage() {
            if last.contains("pastes into") { return true }
        }
        return false
    }

    /// Waits for the end of the command. Nothing may be called afterwards.
    func awaitEnd() -> Outcome {
        while readMessage() {}
        let status = unsafe pclose(messages)
        // The status of a shell that does not find the command is 127.
        if status == 127 << 8 { return .notFound }
        if status == 0 { return .pasted }
        return last.hasPrefix("the entry is copied") ? .copied(last) : .failed(last)
    }

    private func readMessage() -> Bool {
        var line = [CChar](repeating: 0, count: 4_096)
        guard unsafe fgets(&line, Int32(line.count), messages) != nil else { return false }
        last = String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if last.hasPrefix("xpb: ") { last.removeFirst(5) }
        return true
    }
}
