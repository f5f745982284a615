import LinuxSystem
import PasteboardWire

/// A word in the environment of the commands that a watcher runs, by which the bridge recognizes their copies.
package struct WatchMark {
    private let word: String

    package init(_ word: String) { self.word = word }

    /// The maximum number of ancestors that are searched.
    private static let maxDepth = 16

    /// Returns true if a process was started with the mark. If the environment of a process is not accessible, since it
    /// holds secrets, the nearest accessible ancestor counts.
    package func isOn(_ process: Int32) -> Bool {
        var next = process
        for _ in 0..<Self.maxDepth where next > 1 {
            if let environment = ProcessState.environment(of: next) {
                let words = environment[Methods.Monitor.markVariable]?.split(separator: " ") ?? []
                return words.contains { $0 == word }
            }
            guard let parent = ProcessState.parent(of: next) else { return false }
            next = parent
        }
        return false
    }
}
