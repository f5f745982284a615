import LinuxSystem
import PasteboardWire
import SystemPackage

/// The place where clients find the bridge of one display: a socket, and the lock that says it is the only one.
final class ListeningSocket {
    enum Failure: Error {
        /// Another bridge has the lock; its process, where the lock tells.
        case busy(process: Int32?)
        /// The place cannot be used; a sentence for the user.
        case unusable(String)
    }

    let listener: Descriptor
    private let lock: FileLock
    private let path: String
    /// Another bridge may have put its own in this place, where the folder with the lock was removed.
    /// Nil for a socket that somebody else takes away.
    private let identity: UnixSocket.Identity?

    /// Takes the lock, then puts the socket in its place: whoever sees the lock taken finds the socket a moment later,
    /// and never one that refuses.
    ///
    /// - Parameter handed: A socket that listens in this place already, and is not this bridge's to take away.
    init(at key: String, in rendezvous: Rendezvous, handed: Descriptor? = nil) throws(Failure) {
        path = rendezvous.socketPath(key)
        let lockPath = rendezvous.lockPath(key)
        do {
            lock = try FileLock.open(lockPath)
            guard try lock.tryLock() else { throw Failure.busy(process: lock.holder()) }
            listener = try handed ?? UnixSocket.listen(at: path)
            identity = handed == nil ? UnixSocket.identity(of: path) : nil
        } catch let failure as Failure {
            throw failure
        } catch {
            throw .unusable("\(path) cannot be used: \(error)")
        }
    }

    /// Takes the socket away: no new client finds this bridge.
    func withdraw() {
        UnixSocket.remove(path, identity)
    }
}
