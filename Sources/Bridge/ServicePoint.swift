import LinuxSystem
import PasteboardWire
import SystemPackage

/// The place where clients find the bridge of one display: a socket, and the lock that says it is the only one.
final class ServicePoint {
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
    private let identity: UnixSocket.Identity?

    /// Takes the lock, then puts the socket in its place: whoever sees the lock taken finds the socket a moment later,
    /// and never one that refuses.
    init(at key: String, in rendezvous: Rendezvous) throws(Failure) {
        path = rendezvous.socketPath(key)
        let lockPath = rendezvous.lockPath(key)
        do {
            lock = try FileLock.open(lockPath)
            guard try lock.tryLock() else { throw Failure.busy(process: lock.holder()) }
            listener = try UnixSocket.listen(at: path)
            identity = UnixSocket.identity(of: path)
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
