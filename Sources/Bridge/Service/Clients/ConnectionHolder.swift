import Glibc
import LinuxSystem

/// Who has a connection to the X server: the server knows who opened it. xclip leaves its work to a child and ends, and
/// its number is another's some day.
enum ConnectionHolder: Equatable {
    case process(Int32, program: String)
    /// A child of the one that opened it has it, and it is not to be seen which.
    case child(of: Int32)

    init(openedBy process: Int32) {
        if !ProcessState.hasEnded(process), let program = ProcessName.of(process) {
            self = .process(process, program: program)
            return
        }
        let left = ProcessState.group(of: process, user: getuid())
        if left.count == 1, let child = left.first, let program = ProcessName.of(child) {
            self = .process(child, program: program)
        } else {
            self = .child(of: process)
        }
    }

    var process: Int? { if case .process(let process, _) = self { Int(process) } else { nil } }
    var program: String? { if case .process(_, let program) = self { program } else { nil } }
    var ended: Int? { if case .child(let opener) = self { Int(opener) } else { nil } }
}
