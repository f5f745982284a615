import LinuxSystem
import Pasteboard
import PasteboardWire
import SystemPackage

/// How the display is that a command would take.
enum DisplayState {
    case unset
    /// A value that no display has.
    case noName(String)
    /// Another machine's, or reached by TCP all the same: it is not asked here.
    case remote(WantedDisplay)
    case answering(WantedDisplay, XServer)
    case failing(WantedDisplay, XServer.Failure, path: String)

    init(option: String?, environment: [String: String], patience: Duration) {
        let wanted: WantedDisplay?
        do throws(PasteboardError) {
            wanted = try WantedDisplay.chosen(option: option, environment: environment)
        } catch {
            self = .noName(option ?? environment["DISPLAY"] ?? "")
            return
        }
        guard let wanted else {
            self = .unset
            return
        }
        guard let path = wanted.name.socketPath else {
            self = .remote(wanted)
            return
        }
        let cookie = Self.entry(for: wanted, environment)?.data
        do throws(XServer.Failure) {
            self = .answering(wanted, try XServer(at: path, cookie: cookie, patience: patience))
        } catch {
            self = .failing(wanted, error, path: path)
        }
    }

    var wanted: WantedDisplay? {
        switch self {
        case .unset, .noName: nil
        case .remote(let wanted), .answering(let wanted, _), .failing(let wanted, _, _): wanted
        }
    }

    var name: DisplayName? { wanted?.name }

    var server: XServer? { if case .answering(_, let server) = self { server } else { nil } }

    /// What the file of cookies has for it.
    static func entry(for wanted: WantedDisplay, _ environment: [String: String]) -> XAuthority.Entry? {
        let authority = XAuthority(environment: environment)
        guard case .local(let number) = wanted.name.server else { return authority?.entries?.first }
        return authority?.entry(forLocal: number, host: hostName)
    }

    private static var hostName: String {
        guard
            let file = try? FileDescriptor.open(
                FilePath("/proc/sys/kernel/hostname"), .readOnly, options: .closeOnExec)
        else { return "" }
        let descriptor = Descriptor(adopting: file)
        let bytes = (try? descriptor.fileDescriptor.readBytes(atMost: 256)) ?? []
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// Displays of this machine at whose sockets somebody listens, the lowest numbers.
    static func present() -> [String] {
        let folder = "/tmp/.X11-unix"
        let names = (try? Folder.names(in: folder)) ?? []
        let numbers = names.compactMap { $0.first == "X" ? Int($0.dropFirst()) : nil }.sorted()
        // A machine where many were tested has hundreds of sockets that are left of them.
        let present = numbers.prefix(256).lazy.filter { number in
            (try? UnixSocket.connect(to: "\(folder)/X\(number)", patience: .milliseconds(200))) != nil
        }
        return present.prefix(8).map { ":\($0)" }
    }
}
