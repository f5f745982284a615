import LinuxSystem
import PasteboardWire
import SystemPackage

/// The end of the bridge that a client is connected to.
extension BridgeClient {
    /// Tells the bridge to end, and waits until it has.
    ///
    /// - Returns: Whether it has. It has contents handed on, which is other programs' time, and not its silence.
    package func stop() throws(PasteboardError) -> Bool {
        do {
            _ = try connection.call(Methods.Stop.self, .init(), silence: timeout + Self.grace)
        } catch ClientFault.timedOut {
            return false
        } catch ClientFault.closed {
            return true
        } catch {
            throw PasteboardError(wire: error)
        }
        return awaitEnd(until: .now + max(timeout, .seconds(10)) + Self.grace)
    }

    /// The process that listens on the socket; for a socket of a service manager's that is this manager.
    package var listener: Int32? { try? PeerCredentials.of(connection.fileDescriptor).process }

    /// Kills a bridge that does not end, once it is certain that its process is meant: the one that listens on the socket
    /// that this client is connected to, and that has the lock beside it. What it has stored is kept.
    ///
    /// - Returns: Its process.
    package func kill() throws(PasteboardError) -> Int32 {
        let lock = FilePath(path).removingLastComponent().string + "/" + key + ".lock"
        do {
            let process = try PeerCredentials.of(connection.fileDescriptor).process
            guard try FileLock.holder(of: lock) == process else {
                throw PasteboardError(
                    code: .refused,
                    message: "process \(process), which listens at \(path), is no bridge, or a service manager that "
                        + "listens for one (systemctl --user kill -s KILL xpbd.service); nothing was killed")
            }
            // Looked at behind the handle was made: where nobody listens any more, the number may be another process's.
            guard let handle = try Self.handle(of: process), isOpen else { return process }
            try handle.kill()
            guard try handle.awaitEnd(until: .now + .seconds(10)) else {
                throw PasteboardError(
                    code: .silent,
                    message: "process \(process) was killed and has not ended; the disk may keep it waiting")
            }
            return process
        } catch let error as PasteboardError {
            throw error
        } catch {
            throw PasteboardError(code: .refused, message: "the bridge cannot be killed: \(error)")
        }
    }

    /// Nil where there is none of that number any more.
    private static func handle(of process: Int32) throws(Errno) -> ProcessHandle? {
        do throws(Errno) {
            return try ProcessHandle(process)
        } catch .noSuchProcess {
            return nil
        }
    }

    private var key: String { FilePath(path).stem ?? "" }

    /// Whether somebody is at the other end, or has this connection waiting.
    private var isOpen: Bool {
        do {
            guard try waitReadable(connection.fileDescriptor, until: .now) else { return true }
            return try !connection.fileDescriptor.readBytes(atMost: 4096).isEmpty
        } catch {
            return false
        }
    }
}
