import LinuxSystem
import PasteboardWire
import X11Bridge

/// The bridge that is there already, told to end.
struct RunningBridge {
    /// How long it may take: it hands on what it can (``Service/longestWindUp``), and ends what it is sending.
    static let timeout = ManagerSelection.successionTimeout

    private let path: String

    init(at path: String) {
        self.path = path
    }

    /// Asks it to end, and returns when its connection does, or when it does not in time: then its lock tells.
    func end() {
        guard let connection = try? ClientConnection.connect(path: path),
            (try? connection.call(Methods.Stop.self, NoParameters(), silence: Self.timeout)) != nil
        else { return }
        // Its lock goes before its connections do.
        _ = try? waitReadable(connection.fileDescriptor, until: .now + Self.timeout)
    }
}
