import Glibc
import Pasteboard

/// A program that prints the current state of the general pasteboard, and then each change, one per line: the change
/// count, the owner, the types on offer, the added types and the removed types, separated by tabs.
///
/// The program exits at the end of standard input, or on a signal.
@main enum ClipboardLog {
    static func main() {
        // The main thread waits for the end of the input.
        Task.detached {
            do {
                try await log()
            } catch {
                print("clipboard-log: \(error)")
                exit(1)
            }
        }
        // readLine would hold the lock of standard input, which fflush waits for.
        var byte: UInt8 = 0
        while unsafe read(STDIN_FILENO, &byte, 1) > 0 {}
    }

    private static func log() async throws {
        // Every change count is above -1, so the current state comes at once, and then each change.
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
        case .wayland: "a Wayland program"
        case .window(let window): owner.program ?? "window \(window)"
        }
    }

    private static func list(_ types: [String]) -> String {
        types.isEmpty ? "-" : types.joined(separator: ",")
    }
}
