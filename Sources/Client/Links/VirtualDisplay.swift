import BridgeClient
import LinuxSystem
import SystemPackage

/// An X display without a screen, served by Xvfb on the machine that a link leads to, for programs there that read the
/// clipboard through X11 themselves.
///
/// Programs keep their DISPLAY over a break of the link: the next endpoint of the same link finds the display by a
/// file. Xvfb ends with its last client. The bridge is its client until the link is stopped, or has not come back for
/// an hour.
struct VirtualDisplay {
    /// The value of DISPLAY.
    let name: String
    /// The value of XAUTHORITY: a file with the cookie, without which other users of the machine could connect.
    let authority: String
    private let client: BridgeClient
    /// The file with the name and the claim of the endpoint that keeps the bridge.
    private let file: String
    private let claim: String

    /// The time for which the bridge waits for the next endpoint.
    private static let breakTimeout = Duration.seconds(3_600)
    /// The timeout for the start of Xvfb.
    private static let startTimeout = Duration.seconds(20)

    /// Returns the display of the links from a machine, and starts Xvfb and a bridge unless they run.
    ///
    /// - Throws: ``BridgeClientError`` with code `unavailable` if Xvfb or the bridge cannot be started.
    static func opened(
        for machine: String, in folder: LinkFolder, environment: [String: String]
    ) throws(BridgeClientError) -> VirtualDisplay {
        let file = "\(folder.path)/\(LinkFolder.fileName(of: machine))"
        let claim = String(UInt64.random(in: .min ... .max), radix: 36)
        var environment = environment
        environment["XAUTHORITY"] = file + ".xauth"
        environment["WAYLAND_DISPLAY"] = nil
        let name: String
        do {
            // Two links must not start two servers.
            let lock = try Folder.lock(FilePath(folder.path))
            name = try running(file + ".display") ?? start(file, environment)
            try write(Array("\(name) \(claim)\n".utf8), to: file + ".display")
            _ = consume lock
        } catch let error as BridgeClientError {
            throw error
        } catch {
            throw BridgeClientError(code: .unavailable, message: "Xvfb cannot be started: \(error)")
        }
        let client = try BridgeClient.connect(display: name, environment: environment)
        return VirtualDisplay(
            name: name, authority: file + ".xauth", client: client, file: file + ".display", claim: claim)
    }

    /// The path of the bridge's socket.
    var bridge: String { client.path }

    /// Waits for the next endpoint of the link, after a break, and stops the bridge if there is none.
    func awaitNextEndpoint() {
        guard !client.awaitEnd(until: .now + Self.breakTimeout),
            let line = try? Descriptor.open(FilePath(file)).firstLine(), line.hasSuffix(" \(claim)")
        else { return }
        _ = try? client.stop()
    }

    /// Returns the name of a display that was started before and still accepts connections.
    private static func running(_ file: String) -> String? {
        guard let name = try? Descriptor.open(FilePath(file)).firstLine()?.split(separator: " ").first.map(String.init),
            isName(name), (try? UnixSocket.connect(to: "/tmp/.X11-unix/X\(name.dropFirst())")) != nil
        else { return nil }
        return name
    }

    static func isName(_ text: String) -> Bool {
        text.first == ":" && Int(text.dropFirst()).map { ":\($0)" == text } == true
    }

    private static func start(_ file: String, _ environment: [String: String]) throws -> String {
        try write(cookieEntry(), to: file + ".xauth")
        let candidates = (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/Xvfb" }
        guard let program = candidates.first(where: { (try? FileStatus(ofPath: $0, followsSymlink: true)) != nil })
        else {
            throw BridgeClientError(
                code: .unavailable, message: "Xvfb is not installed; on Debian, its package is xvfb")
        }
        // With a delay, the server outlives a client that it has refused and a restart of the bridge. Older servers
        // take no delay.
        for ending in [["-terminate", "10"], ["-terminate"]] {
            let arguments =
                ["Xvfb", "-displayfd", "3", "-auth", file + ".xauth", "-nolisten", "tcp"] + ending
                + ["-screen", "0", "1280x1024x24"]
            if let name = try name(ofServer: program, arguments, environment) { return name }
        }
        throw BridgeClientError(code: .unavailable, message: "Xvfb ended at once; run it to see why")
    }

    /// Starts a server, and returns the name of its display; nil if the server ends at once.
    private static func name(
        ofServer program: String, _ arguments: [String], _ environment: [String: String]
    ) throws -> String? {
        let (output, input) = try Descriptor.pipe()
        try ChildProcess.spawnDetached(
            executable: program, arguments: arguments, environment: environment,
            passing: [(input.fileDescriptor, 3)])
        _ = consume input
        let (deadline, newline) = (ContinuousClock.now + startTimeout, UInt8(ascii: "\n"))
        var line: [UInt8] = []
        while line.last != newline {
            guard try waitReadable(output.fileDescriptor, until: deadline) else {
                throw BridgeClientError(code: .unavailable, message: "Xvfb was started but did not become ready")
            }
            let bytes = try output.fileDescriptor.readBytes(atMost: 64)
            if bytes.isEmpty { break }
            line += bytes
        }
        let name = ":" + String(decoding: line.prefix { $0 != newline }, as: UTF8.self)
        return isName(name) ? name : nil
    }

    private static func write(_ bytes: [UInt8], to file: String) throws {
        let replacement = try ReplacementFile(replacing: file)
        try replacement.fileDescriptor.writeBytes(bytes)
        try replacement.commit()
    }

    /// Returns the entry of an authority file, in the format of Xau(3), with a new cookie for any display.
    private static func cookieEntry() -> [UInt8] {
        func field(_ bytes: [UInt8]) -> [UInt8] { [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes }
        let cookie = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        let familyWild: [UInt8] = [0xFF, 0xFF]
        return familyWild + field([]) + field([]) + field(Array("MIT-MAGIC-COOKIE-1".utf8)) + field(cookie)
    }
}
