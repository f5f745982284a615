#if !canImport(Darwin)

import Foundation
import Pasteboard

/// The work of this module at the exit of the program.
///
/// Collected changes are written. Then promised data is written as well, so that it outlives the program: AppKit asks
/// for it when an application terminates.
enum ExitHandler {
    /// Installs the handler, once.
    static let install: Void = {
        atexit {
            MainThread.attach()
            for board in Board.all { board.send() }
            Pasteboard.keepPromises()
        }
    }()
}

#endif
