/// What a starting bridge says through the pipe it was given: one line, then it closes the pipe.
package enum LauncherReport: Equatable, Sendable {
    /// It answers on its socket.
    case ready
    /// Another bridge has the lock.
    case busy
    /// Why it gave up: the exit status and a message.
    case failed(status: Int, message: String)
    /// It ended without a word.
    case none

    /// - Parameter text: All that came through the pipe.
    package init(_ text: String) {
        let line = text.prefix { $0 != "\n" }
        let words = line.split(separator: " ", maxSplits: 2)
        switch words.first {
        case "ready": self = .ready
        case "busy": self = .busy
        case "error" where words.count == 3:
            self = Int(words[1]).map { .failed(status: $0, message: String(words[2])) } ?? .none
        default: self = .none
        }
    }
}
