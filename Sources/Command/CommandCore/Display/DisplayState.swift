package import BridgeClient
package import LinuxSystem
import PasteboardWire
import SystemPackage

/// The state of the display that a command would use.
package enum DisplayState {
    case unset
    /// The value is not the name of a display.
    case noName(String)
    case answering(RequestedDisplay, XServer)
    /// - Parameter place: The path or the port on which the display's server listens.
    case failing(RequestedDisplay, XServer.Failure, place: String)

    package init(option: String?, environment: [String: String], timeout: Duration) {
        let wanted: RequestedDisplay?
        do throws(BridgeClientError) {
            wanted = try RequestedDisplay.chosen(option: option, environment: environment)
        } catch {
            self = .noName(option ?? environment["DISPLAY"] ?? "")
            return
        }
        guard let wanted else {
            self = .unset
            return
        }
        let place = Self.place(of: wanted.name)
        do throws(XServer.Failure) {
            self = .answering(wanted, try Self.ask(wanted, place, environment, timeout))
        } catch {
            self = .failing(wanted, error, place: place)
        }
    }

    package static func place(of display: DisplayName) -> String {
        switch display.server {
        case .remote(let host, let number): "TCP port \(firstPort + number) of \(host)"
        case .local, .socket: display.socketPath ?? ""
        }
    }

    /// The port of display number 0.
    private static let firstPort = 6_000

    private static func ask(
        _ wanted: RequestedDisplay, _ place: String, _ environment: [String: String], _ timeout: Duration
    ) throws(XServer.Failure) -> XServer {
        guard case .remote(let host, let number) = wanted.name.server else {
            let cookie = entry(for: wanted, environment)?.data
            return try XServer(of: wanted.name, at: place, cookie: cookie, timeout: timeout)
        }
        guard let port = UInt16(exactly: firstPort + number) else { throw .absent }
        guard let addresses = HostAddresses.of(host, environment: environment, until: .now + timeout) else {
            throw .unresolved
        }
        let authority = XAuthority(environment: environment)
        return try XServer(of: wanted.name, at: addresses, port: port, timeout: timeout) { address in
            authority?.entry(forRemote: number, at: address, host: ThisProcess.hostName)?.data
        }
    }

    package var wanted: RequestedDisplay? {
        switch self {
        case .unset, .noName: nil
        case .answering(let wanted, _), .failing(let wanted, _, _): wanted
        }
    }

    package var name: DisplayName? { wanted?.name }

    package var server: XServer? { if case .answering(_, let server) = self { server } else { nil } }

    /// Returns the entry for the display in the file of cookies.
    package static func entry(for wanted: RequestedDisplay, _ environment: [String: String]) -> XAuthority.Entry? {
        let authority = XAuthority(environment: environment)
        return switch wanted.name.server {
        case .local(let number): authority?.entry(forLocal: number, host: ThisProcess.hostName)
        case .remote(let host, let number):
            authority?.entry(forRemote: number, at: TCPSocket.Address(host), host: ThisProcess.hostName)
        case .socket: authority?.entries?.first
        }
    }
}

/// The X servers of this machine.
package enum LocalDisplays {
    /// Returns the displays with a listening server: up to eight, lowest numbers first.
    package static func present(in folder: String = "/tmp/.X11-unix") -> [String] {
        let names = (try? Folder.names(in: folder)) ?? []
        let numbers = names.compactMap { $0.first == "X" ? Int($0.dropFirst()) : nil }.sorted()
        var present: [String] = []
        // A machine used for testing may have hundreds of stale sockets. Each is tried once; its server may have ended.
        for number in numbers.prefix(256) where present.count < 8 {
            let socket = try? UnixSocket.connect(to: "\(folder)/X\(number)", timeout: .milliseconds(200))
            if socket != nil { present.append(":\(number)") }
        }
        return present
    }
}
