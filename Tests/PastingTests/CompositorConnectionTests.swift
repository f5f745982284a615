import CommandCore
import Foundation
import LinuxSystem
import Pasting
import SystemPackage
import Testing
import WaylandWire

/// Compositors that do not let programs type, or misbehave.
@Suite(.timeLimit(.minutes(5))) struct CompositorConnectionTests {
    /// The numbers of the first objects of a connection.
    private static let (registry, callback) = (ObjectID(2), ObjectID(3))

    /// Returns the message of the failure to connect to a compositor that sends some bytes.
    ///
    /// - Parameter closes: True if the compositor then closes the connection.
    private func message(_ bytes: [UInt8], closes: Bool = false) throws -> String {
        let temporary = FileManager.default.temporaryDirectory
        let folder = temporary.appending(path: "xpb-paste-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "wayland").path
        let listener = try UnixSocket.listen(at: path)
        let name = try #require(WaylandName(path, runtimeDirectory: nil))
        let end = Latch()
        let compositor = try WorkerThread.start(name: "compositor") {
            var socket: Descriptor?
            while socket == nil {
                guard (try? waitReadable(listener.fileDescriptor, until: nil)) != nil else { return }
                socket = try? UnixSocket.accept(listener.fileDescriptor)
            }
            try? socket?.fileDescriptor.writeBytes(bytes)
            if closes, let socket { UnixSocket.endSending(socket.fileDescriptor) }
            end.wait()
        }
        defer { end.open() }
        _ = compositor
        let failure = #expect(throws: Failure.self) {
            _ = try CompositorConnection(to: name, timeout: closes || !bytes.isEmpty ? .seconds(60) : .milliseconds(50))
        }
        return try #require(failure?.message)
    }

    private static func done() throws -> [UInt8] {
        try WlCallback.Event.done(callbackData: 0).encoded(to: try #require(callback)).bytes
    }

    private static func global(_ name: UInt32, _ interface: WireInterface) throws -> [UInt8] {
        let event = WlRegistry.Event.global(name: name, interface: WireString(of: interface), version: 1)
        return try event.encoded(to: try #require(registry)).bytes
    }

    @Test("The message names the protocol that a compositor lacks")
    func lacks() throws {
        #expect(try message(try Self.done()).contains("zwp_virtual_keyboard_manager_v1"))
        let keyboard = try Self.global(1, VirtualKeyboardManager.interface)
        #expect(try message(keyboard + Self.done()).contains("zwlr_foreign_toplevel_manager_v1"))
    }

    @Test("An error of the compositor is in the message")
    func error() throws {
        let text = try #require(WireString("no such object"))
        let event = WlDisplay.Event.error(objectID: .display, code: 0, message: text)
        #expect(try message(try event.encoded(to: .display).bytes).contains("no such object"))
    }

    @Test("A compositor that closes the connection, sends garbage or does not answer ends the attempt")
    func misbehaves() throws {
        #expect(try message([], closes: true).contains("closed the connection"))
        #expect(try message([UInt8](repeating: 0xFF, count: 64)).contains("a size of"))
        #expect(try message([]).contains("does not answer"))
        #expect(try message(Array(Self.done().dropLast()), closes: true).contains("closed the connection"))
    }

    @Test("A socket that nobody listens at is reported with its name")
    func absent() throws {
        let name = try #require(WaylandName("/nonexistent/wayland-7", runtimeDirectory: nil))
        let failure = #expect(throws: Failure.self) { _ = try CompositorConnection(to: name, timeout: .seconds(60)) }
        #expect(failure?.message.contains("/nonexistent/wayland-7") == true)
    }
}
