import BridgeClient
import CommandCore
import LinuxSystem
import PasteboardWire
import SystemPackage

/// The state of the bridge that a command would use.
enum FoundBridge {
    struct Answering {
        let connection: ClientConnection
        let key: String
        let path: String
        let status: Methods.Status.Reply
    }

    /// No folder exists in which a bridge could be found.
    case nowhere
    /// No bridge is running.
    case absent
    /// Several bridges are running, and DISPLAY does not select one.
    case several([String])
    /// Another user listens on the bridge's socket.
    case foreign(path: String)
    /// The bridge accepts connections but does not answer. The process is the one in its lock, if known.
    case silent(path: String, process: Int32?)
    /// The bridge sends an invalid reply.
    case strange(path: String)
    case answering(Answering)

    static func find(in examination: Examination) -> FoundBridge {
        guard case .success(let runtimeDirectory?) = examination.folder else {
            if case .success(nil) = examination.folder { return .absent }
            return .nowhere
        }
        if let name = examination.display.name {
            let own = ask(name.key, runtimeDirectory, examination.timeout)
            guard case .absent = own else { return own }
            if let wayland = examination.wayland {
                let other = ask(wayland.key, runtimeDirectory, examination.timeout)
                guard case .absent = other else { return other }
            }
            let other = ask(DisplayName.keyWithoutDisplay, runtimeDirectory, examination.timeout)
            // The bridge attaches to this display at the next command, unless it has another display.
            if case .answering(let found) = other, let display = found.status.display, DisplayName(display) != name {
                return .absent
            }
            return other
        }
        if let name = examination.wayland {
            let own = ask(name.key, runtimeDirectory, examination.timeout)
            guard case .absent = own else { return own }
        }
        var found: [(key: String, state: FoundBridge)] = []
        for key in runtimeDirectory.sockets() {
            let state = ask(key, runtimeDirectory, examination.timeout)
            if case .absent = state { continue }
            found.append((key, state))
        }
        guard let first = found.first else { return .absent }
        let processes = Set(found.map { $0.state.process })
        return processes.count == 1 ? first.state : .several(found.map(\.key))
    }

    /// The process of the bridge, if known.
    private var process: Int? {
        switch self {
        case .answering(let answering): answering.status.process
        case .silent(_, let process): process.map { Int($0) }
        default: nil
        }
    }

    private static func ask(_ key: String, _ runtimeDirectory: RuntimeDirectory, _ timeout: Duration) -> FoundBridge {
        let path = runtimeDirectory.socketPath(key)
        let connection: ClientConnection
        do throws(Errno) {
            connection = try ClientConnection.connect(path: path, timeout: timeout)
        } catch .notPermitted {
            return .foreign(path: path)
        } catch  where error.isWouldBlock {
            return .silent(path: path, process: holder(of: runtimeDirectory.lockPath(key)))
        } catch {
            return .absent
        }
        do {
            let status = try connection.call(Methods.Status.self, .init(), idleTimeout: timeout).reply
            return .answering(Answering(connection: connection, key: key, path: path, status: status))
        } catch ClientFault.timedOut {
            return .silent(path: path, process: holder(of: runtimeDirectory.lockPath(key)))
        } catch ClientFault.closed {
            return .absent
        } catch {
            return .strange(path: path)
        }
    }

    /// Returns the process that wrote its number to the lock, if the process is still running.
    private static func holder(of lock: String) -> Int32? {
        guard let process = try? FileLock.holder(of: lock), ProcessName.of(process) != nil else { return nil }
        return process
    }
}
