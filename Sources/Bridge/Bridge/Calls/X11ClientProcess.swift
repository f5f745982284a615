import Glibc
import LinuxSystem
import PasteboardWire
import SelectionProtocol
import X11Bridge

/// The process that has a connection to the X server. The server knows only the process that opened the connection. A
/// program such as xclip leaves the connection to a child and exits. If the program's process number has been reused
/// since, the result is the process that has the number now.
package enum X11ClientProcess: Equatable {
    case process(Int32, program: String)
    /// An unknown process: the opener has ended, and its process group has no running process, or several.
    case child(of: Int32)

    package init(openedBy process: Int32) {
        if !ProcessState.hasEnded(process), let program = ProcessName.whole(of: process) {
            self = .process(process, program: program)
            return
        }
        let left = ProcessState.group(of: process, user: getuid())
        if left.count == 1, let child = left.first, let program = ProcessName.whole(of: child) {
            self = .process(child, program: program)
        } else {
            self = .child(of: process)
        }
    }

    package var process: Int? { if case .process(let process, _) = self { Int(process) } else { nil } }
    package var program: String? { if case .process(_, let program) = self { program } else { nil } }
    package var ended: Int? { if case .child(let opener) = self { Int(opener) } else { nil } }
}

extension DisplayProxy {
    /// Returns an owner with the process and the program of its window, if they are known in time.
    ///
    /// - Parameter findsChild: True to look for a child that has the connection if the process has ended. The search
    ///   reads the state of all of the user's processes.
    func identified(_ owner: WireOwner, within timeout: Duration, findsChild: Bool = false) async -> WireOwner {
        guard let window = owner.window, let process = await process(of: WindowID(UInt32(window)), within: timeout)
        else { return owner }
        guard findsChild || !ProcessState.hasEnded(process) else { return owner }
        let client = X11ClientProcess(openedBy: process)
        var owner = owner
        (owner.process, owner.program, owner.ended) = (client.process, client.program, client.ended)
        return owner
    }
}
