#if !canImport(Darwin)

import Foundation
import Pasteboard

/// The work of this module at the exit of the program.
///
/// Collected changes are written. Then promised data is written as well, so that it outlives the program: AppKit asks
/// for it when an application terminates. An owner that is asked may copy again, and so the work is done twice.
enum ExitHandler {
    /// Installs the handler, once.
    static let install: Void = {
        atexit {
            MainThread.serving {
                for _ in 0..<2 {
                    for board in Board.all { board.send() }
                    Pasteboard.keepPromises()
                }
            }
        }
    }()
}

#endif
