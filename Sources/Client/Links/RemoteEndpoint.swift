import BridgeClient
import FoundationEssentials
import LinuxSystem
import PasteboardWire
import SystemPackage

/// The part of a link that runs on the other machine, started by ssh: it chooses the paths of the forwarded sockets,
/// writes them as one line, and removes the sockets when its standard input ends.
package struct RemoteEndpoint {
    /// The line that the endpoint writes. Programs of the login shell may write other lines before it.
    package struct Announcement: Codable, Equatable, Sendable {
        /// The version of xpb.
        package var version: String
        /// The path at which sshd listens for programs of this machine.
        package var socket: String
        /// The path of the socket of this machine's bridge; nil unless the path was requested.
        package var bridge: String?
        /// True if this is the machine from which the link was made.
        package var isSameMachine: Bool
        /// The name of the X display that was started for the link; nil unless it was requested.
        package var display: String?
        /// The path of the file with the display's cookie.
        package var authority: String?

        private static let prefix = "xpb-link "
        /// The maximum length of a path, in bytes.
        private static let maxPath = UnixSocket.maxPathLength

        package init(
            version: String, socket: String, bridge: String? = nil, isSameMachine: Bool = false,
            display: String? = nil, authority: String? = nil
        ) {
            self.version = version
            self.socket = socket
            self.bridge = bridge
            self.isSameMachine = isSameMachine
            self.display = display
            self.authority = authority
        }

        /// - Returns: nil for any other line, and for paths that cannot be forwarded or shown.
        package init?(line: String) {
            guard line.hasPrefix(Self.prefix),
                let read = try? JSONDecoder().decode(Self.self, from: Data(line.dropFirst(Self.prefix.count).utf8)),
                [read.socket, read.bridge, read.authority].compactMap(\.self).allSatisfy(Self.isForwardable),
                read.display.map(VirtualDisplay.isName) ?? true
            else { return nil }
            self = read
        }

        package func line() throws -> String {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return Self.prefix + String(decoding: try encoder.encode(self), as: UTF8.self)
        }

        /// Returns true for a path that ssh takes literally. A colon would end the path, and ssh expands `%` and
        /// `${NAME}`, which could reveal this process's variables to the other machine. Scalars are checked, not
        /// Characters, since a letter and a sign after it may form one Character.
        private static func isForwardable(_ path: String) -> Bool {
            path.hasPrefix("/") && path.utf8.count <= maxPath
                && path.unicodeScalars.allSatisfy {
                    $0.properties.isAlphabetic || $0.properties.numericType == .decimal
                        || "/._~-+@,=".unicodeScalars.contains($0)
                }
        }
    }

    private let environment: [String: String]
    private let machine: String
    private let sharesBridge: Bool
    private let startsDisplay: Bool
    /// The name of a file in the link folder of the machine that made this link.
    private let origin: String

    /// - Parameters:
    ///   - machine: The name of the machine that made the link.
    ///   - origin: The name of a file in that machine's link folder.
    ///   - sharesBridge: True if the path of this machine's bridge is requested.
    ///   - startsDisplay: True if that bridge is the bridge of a display without a screen, which this machine starts.
    package init(
        machine: String, origin: String, sharesBridge: Bool, startsDisplay: Bool, environment: [String: String]
    ) {
        self.machine = machine
        self.origin = origin
        self.sharesBridge = sharesBridge
        self.startsDisplay = startsDisplay
        self.environment = environment
    }

    /// Writes the announcement, and waits for the end of standard input.
    ///
    /// - Throws: ``BridgeClientError`` with code `unavailable` if there is no folder for the sockets, or no bridge.
    package func run(write: (String) throws -> Void) throws {
        let folder = try LinkFolder.opened(environment: environment)
        let socket = folder.newPath(for: machine)
        var announcement = Announcement(version: ProgramVersion.number, socket: socket)
        announcement.isSameMachine = Folder.contains(origin, in: folder.path)
        defer { Folder.removeFile(socket) }
        guard sharesBridge else { return try announce(announcement, write) }
        let display =
            startsDisplay
            ? try VirtualDisplay.opened(for: machine, in: folder, environment: environment) : nil
        (announcement.display, announcement.authority) = (display?.name, display?.authority)
        let bridge = try display?.bridge ?? BridgeClient.connect(environment: environment, start: .never).path
        // If no bridge is running here, the client may find a link to a third machine's bridge.
        guard !LinkFolder.isLink(bridge) else {
            throw BridgeClientError(
                code: .unavailable,
                message: "no bridge is running here; there is only a link to another machine's bridge",
                context: .init(cause: .noBridge))
        }
        // The socket's path has the colon of a display's name, which ssh would take for the end of the path.
        let link = folder.newPath(for: machine, suffix: ".bridge")
        do {
            try Folder.makeLink(link, to: bridge)
        } catch {
            throw BridgeClientError(code: .unavailable, message: "\(link) cannot be made: \(error)")
        }
        announcement.bridge = link
        defer { Folder.removeFile(link) }
        try announce(announcement, write)
        Folder.removeFile(link)
        display?.awaitNextEndpoint()
    }

    private func announce(_ announcement: Announcement, _ write: (String) throws -> Void) throws {
        try write(try announcement.line() + "\n")
        while !(try FileDescriptor.standardInput.readBytes(atMost: 4_096)).isEmpty {}
    }
}
