#if !canImport(Darwin)

import Synchronization

/// The collecting of calls that write, for tests.
package enum Collecting {
    /// Sets the time that calls are collected.
    package static func pause(_ time: Duration) { Board.pause.withLock { $0 = time } }
}

#endif
