import Glibc
import Pasteboard

/// Prints a line for each change of the general pasteboard, the first one for the present state: the change count, the
/// owner, the types on offer, and those that came and went, parted by tabs.
///
/// Ends with standard input, or by a signal.
@main enum ClipboardLog {
    static func main() {
        // On another thread than the one that waits for the end of the input.
        Task.detached {
            do {
                try await log()
            } catch {
                print("clipboard-log: \(error)")
                exit(1)
            }
        }
        // Not by readLine, which would hold standard input's lock, for which fflush waits.
        var byte: UInt8 = 0
        while unsafe read(STDIN_FILENO, &byte, 1) > 0 {}
    }

    private static func log() async throws {
        // Every count has passed -1: the present state comes at once, then every step since.
        for try await change in Pasteboard.general.changes(since: -1) {
            let fields = [
                "\(change.count)", owner(change.owner), list(change.types), list(change.typesAdded),
                list(change.typesRemoved),
            ]
            print(fields.joined(separator: "\t") + (change.afterRestart ? "\tafter a restart" : ""))
            fflush(nil)
        }
    }

    private static func owner(_ owner: PasteboardOwner) -> String {
        switch owner.kind {
        case .nobody: "nobody"
        case .client: owner.program ?? "a program"
        case .window(let window): owner.program ?? "window \(window)"
        }
    }

    private static func list(_ types: [String]) -> String {
        types.isEmpty ? "-" : types.joined(separator: ",")
    }
}
