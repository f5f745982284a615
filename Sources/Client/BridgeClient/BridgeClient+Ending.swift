import LinuxSystem
package import PasteboardWire
import SystemPackage

/// Ending the bridge that a client is connected to.
extension BridgeClient {
    /// Asks the bridge to end, and waits until it has ended.
    ///
    /// Before it ends, the bridge hands its contents to the display's clipboard manager. The timeout is at least ten
    /// seconds, since the time that this takes depends on that program.
    ///
    /// - Parameter successor: True if another bridge, which restores the stored contents, will be started at once.
    /// - Returns: True if the bridge has ended.
    package func stop(forSuccessor successor: Bool = false) throws(BridgeClientError) -> Bool {
        let process = try? bridgeProcess().flatMap { try Self.handle(of: $0) }
        do {
            let parameters = Methods.Stop.Parameters(successor: successor ? true : nil)
            _ = try connection.call(Methods.Stop.self, parameters, idleTimeout: timeout + Self.grace)
        } catch ClientFault.timedOut {
            return false
        } catch ClientFault.closed {
            // The bridge was already ending.
        } catch {
            throw BridgeClientError(wire: error)
        }
        let deadline = ContinuousClock.now + max(timeout, .seconds(10)) + Self.grace
        guard awaitEnd(until: deadline) else { return false }
        // The process keeps some files open for a while after its last connection closes, and the user may want to
        // unmount the disk with those files.
        _ = try? process?.awaitEnd(until: deadline)
        return true
    }

    /// Waits until the bridge closes the connection, as it does when it ends.
    ///
    /// - Returns: True if the connection was closed before `deadline`.
    package func awaitEnd(until deadline: ContinuousClock.Instant) -> Bool {
        do {
            while try waitReadable(connection.fileDescriptor, until: deadline) {
                if try connection.fileDescriptor.readBytes(atMost: 4096).isEmpty { return true }
            }
            return false
        } catch {
            return true
        }
    }

    /// True if the bridge runs outside this container.
    package var isOutside: Bool { Self.isOutside(connection) }

    /// Returns true for a connection to a bridge outside this container: its process has no number here, or sees other
    /// files.
    package static func isOutside(_ connection: ClientConnection) -> Bool {
        guard let process = try? PeerCredentials.of(connection.fileDescriptor).process else { return false }
        guard process > 0 else { return true }
        guard let there = try? ThisProcess.target(of: "/proc/\(process)/ns/mnt"),
            let here = try? ThisProcess.target(of: "/proc/self/ns/mnt")
        else { return false }
        return there != here
    }

    /// The process that listens on the socket. If a service manager made the socket, this is the service manager.
    package var listener: Int32? { try? PeerCredentials.of(connection.fileDescriptor).process }

    /// Returns the process of the bridge, which both listens on the socket of this connection and holds the lock beside
    /// it; nil if the listener is another process.
    private func bridgeProcess() throws -> Int32? {
        let lock = FilePath(path).removingLastComponent().string + "/" + key + ".lock"
        let process = try PeerCredentials.of(connection.fileDescriptor).process
        return try FileLock.holder(of: lock) == process ? process : nil
    }

    /// Kills a bridge that does not end. Its stored contents are kept.
    ///
    /// - Returns: The process that was killed.
    package func kill() throws(BridgeClientError) -> Int32 {
        do {
            guard let process = try bridgeProcess() else {
                throw BridgeClientError(
                    code: .refused,
                    message: "process \(listener ?? 0), which listens at \(path), is not a bridge, or is a service "
                        + "manager that listens for one (systemctl --user kill -s KILL xpbd.service); nothing was "
                        + "killed")
            }
            // The connection is checked after the handle is made: if no process is listening any longer, the process id
            // may have been given to another process.
            guard let handle = try Self.handle(of: process), isOpen else { return process }
            try handle.kill()
            guard try handle.awaitEnd(until: .now + .seconds(10)) else {
                throw BridgeClientError(
                    code: .silent,
                    message: "process \(process) was killed but has not exited; it may be waiting for the disk")
            }
            return process
        } catch let error as BridgeClientError {
            throw error
        } catch {
            throw BridgeClientError(code: .refused, message: "the bridge cannot be killed: \(error)")
        }
    }

    /// Returns a handle of a process; nil if the process has ended.
    private static func handle(of process: Int32) throws(Errno) -> ProcessHandle? {
        do throws(Errno) {
            return try ProcessHandle(process)
        } catch .noSuchProcess {
            return nil
        }
    }

    private var key: String { FilePath(path).stem ?? "" }

    /// True while the other end of the connection is open, or has not yet accepted the connection.
    private var isOpen: Bool {
        do {
            guard try waitReadable(connection.fileDescriptor, until: .now) else { return true }
            return try !connection.fileDescriptor.readBytes(atMost: 4096).isEmpty
        } catch {
            return false
        }
    }
}
