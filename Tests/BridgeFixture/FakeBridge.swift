import EventLoop
import Foundation
import LinuxSystem
package import PasteboardWire
import SystemPackage

/// A fake bridge: a socket on its own thread, whose calls a test answers.
package final class FakeBridge {
    /// Answers a call, at once or later, on the bridge's thread.
    package typealias Handler = (IncomingCall, ServerConnection) throws -> Void

    private let thread: WorkerThread
    private let stopping: EventDescriptor

    /// - Parameters:
    ///   - path: The path of the socket, which is removed at the end.
    ///   - handler: Makes the handler, on the bridge's thread.
    package init(at path: String, handler: @escaping @Sendable () -> Handler) throws {
        let listener = try UnixSocket.listen(at: path)
        let stopping = try EventDescriptor()
        self.stopping = stopping
        thread = try WorkerThread.start(name: "bridge") {
            Self.run(listener, stopping, handler())
            _ = try? FileManager.default.removeItem(atPath: path)
        }
    }

    deinit {
        stopping.signal()
        thread.join()
    }

    private static func run(_ listener: Descriptor, _ stopping: EventDescriptor, _ handler: @escaping Handler) {
        let loop = EventLoop()
        // The only references to the connections, so that removing one closes it.
        var connections: [(ServerConnection, Registration)] = []
        loop.beforeSleep = {
            for (connection, registration) in connections {
                try? connection.flush()
                registration.interest = connection.hasUnsent ? [.readable, .writable] : .readable
            }
        }
        _ = loop.add(stopping.fileDescriptor, interest: .readable) { [unowned loop] _ in loop.stop() }
        _ = loop.add(listener.fileDescriptor, interest: .readable) { [unowned loop] _ in
            guard let socket = try? UnixSocket.accept(listener.fileDescriptor),
                let connection = try? ServerConnection(socket: socket)
            else { return }
            var registration: Registration?
            registration = loop.add(connection.fileDescriptor, interest: .readable) { [weak connection] _ in
                guard let connection else { return }
                do {
                    try connection.receive()
                    while let call = try connection.nextCall() { try handler(call, connection) }
                    try connection.flush()
                    guard connection.isFinished else { return }
                } catch {}
                registration?.cancel()
                registration = nil
                connections.removeAll { $0.0 === connection }
            }
            if let registration { connections.append((connection, registration)) }
        }
        try? loop.run()
        connections = []
    }
}

/// An error that a handler throws to close the connection.
package struct HangUp: Error {
    package init() {}
}

/// A client's environment in one test: no display, no daemon, and a folder for sockets.
package final class Place {
    private let folder: String
    package var environment: [String: String]

    /// - Parameter display: DISPLAY.
    package init(display: String? = nil) throws {
        // The name is short because the path of a socket has at most 107 bytes.
        folder = "/tmp/xpb-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        environment = ["XDG_RUNTIME_DIR": folder, "XPB_XPBD": "\(folder)/none", "PATH": "/usr/bin:/bin"]
        environment["DISPLAY"] = display
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    package var runtimeDirectory: RuntimeDirectory {
        get throws { try RuntimeDirectory(environment: environment) }
    }

    /// Makes a bridge that answers every call with `handler`.
    package func bridge(_ key: String, handler: @escaping @Sendable () -> FakeBridge.Handler) throws -> FakeBridge {
        try FakeBridge(at: try runtimeDirectory.socketPath(key), handler: handler)
    }

    /// Makes a bridge that reports `process` as its process, and also as its change count.
    package func bridge(_ key: String, process: Int) throws -> FakeBridge {
        try bridge(key) {
            { call, connection in
                if call.isCall(of: Methods.Status.self) {
                    connection.reply(Methods.Status.Reply.status(process: process))
                } else {
                    connection.reply(Methods.Count.Reply(count: process))
                }
            }
        }
    }

    /// Installs a script as the daemon. Descriptor 3 is the pipe for its report.
    package func install(daemon script: String) throws {
        let path = "\(folder)/xpbd"
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: "\(path).sh"))
        // Another program writes the file: a program that a concurrent test starts could briefly inherit this process's
        // descriptor, and a file that is open for writing cannot be run (ETXTBSY).
        let install = try Process.run(
            URL(filePath: "/usr/bin/install"), arguments: ["-m", "755", "\(path).sh", path])
        install.waitUntilExit()
        environment["XPB_XPBD"] = path
    }

    package func file(_ name: String) -> String { "\(folder)/\(name)" }
}

extension Methods.Status.Reply {
    package static func status(process: Int) -> Self {
        Self(
            version: "0", process: process, display: nil, attached: false, clients: 1, transfers: 0, bytes: 0, since: 0,
            store: WireStore(state: .memory))
    }
}
