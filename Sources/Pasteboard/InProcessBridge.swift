package import LinuxSystem
import Synchronization

/// The bridge that runs inside this program, if one does: what connects to pasteboards connects to it.
package enum InProcessBridge {
    /// Makes a connection: a connected stream socket whose other end a bridge serves.
    package typealias Connect = @Sendable () throws(PasteboardError) -> Descriptor

    /// What is in use, and how often that has changed: connections made before are of a bridge that is not meant any
    /// more.
    struct Choice: Sendable {
        var connect: Connect?
        var generation = 0
    }

    private static let choice = Mutex(Choice())

    /// From now on connections are made by `connect`; by nil they are made to the user's bridge, which is found or
    /// started.
    package static func use(_ connect: (@Sendable () throws(PasteboardError) -> Descriptor)?) {
        choice.withLock { choice in
            choice.connect = connect
            choice.generation += 1
        }
        Client.shared.lookAgain()
    }

    static var current: Choice { choice.withLock { $0 } }
}
