package import DataControlProtocol
package import EventLoop
package import LinuxSystem
import SystemPackage
package import WaylandWire

/// A compositor with nothing but data control, on an event loop. Its clients connect through socket pairs or a path.
package final class FakeCompositor {
    /// The contents of a selection, from a client's source or from a program that the test plays.
    package final class Contents {
        package let types: [String]
        private(set) weak var owner: FakeClient?
        let send: (_ type: String, Descriptor) -> Void
        let cancel: () -> Void

        init(
            _ types: [String], owner: FakeClient? = nil, cancel: @escaping () -> Void = {},
            send: @escaping (_ type: String, Descriptor) -> Void
        ) {
            self.types = types
            self.owner = owner
            self.send = send
            self.cancel = cancel
        }

        /// Asks for the contents in any type.
        package func ask(for type: String, _ descriptor: Descriptor) { send(type, descriptor) }
    }

    package final class Seat {
        let global: UInt32
        package let name: String
        package fileprivate(set) var contents: [SeatSelection: Contents] = [:]

        init(_ global: UInt32, _ name: String) {
            self.global = global
            self.name = name
        }
    }

    struct Manager {
        let global: UInt32
        let variant: DataControlVariant
        let version: UInt32
    }

    let loop: EventLoop
    /// True unless the compositor ignores the requests for the primary selection.
    let hasPrimary: Bool
    package private(set) var seats: [Seat] = []
    private(set) var managers: [Manager] = []
    package private(set) var clients: [FakeClient] = []
    /// Descriptions of the clients' violations of the protocol.
    package internal(set) var violations: [String] = []
    private var lastGlobal: UInt32 = 0
    private var listener: (Descriptor, Registration)?

    /// - Parameter version: The version of the managers.
    package init(
        _ variants: [DataControlVariant], version: UInt32? = nil, seats: [String] = ["seat0"], hasPrimary: Bool = true,
        loop: EventLoop
    ) {
        self.loop = loop
        self.hasPrimary = hasPrimary
        for variant in variants { addManager(variant, version: version) }
        for name in seats { addSeat(name) }
    }

    deinit { listener?.1.cancel() }

    // MARK: Clients

    /// Returns the client's end of a new connection.
    package func connect() throws -> Descriptor {
        let (near, far) = try UnixSocket.pair()
        clients.append(FakeClient(near, of: self))
        return far
    }

    /// Accepts connections at a path.
    package func listen(at path: String) throws {
        let socket = try UnixSocket.listen(at: path)
        let registration = loop.add(socket.fileDescriptor, interest: .readable) { [weak self] _ in
            guard let self, let near = try? UnixSocket.accept(socket.fileDescriptor) else { return }
            clients.append(FakeClient(near, of: self))
        }
        listener = (socket, registration)
    }

    /// Removes a client whose connection is closed, and the contents it offered.
    func remove(_ client: FakeClient) {
        clients.removeAll { $0 === client }
        for seat in seats {
            for (selection, contents) in seat.contents where contents.owner === client { set(selection, of: seat, nil) }
        }
    }

    // MARK: Globals

    package func addManager(_ variant: DataControlVariant, version: UInt32? = nil) {
        let version = version ?? DataControlManager.interface(of: variant).version
        let manager = Manager(global: nextGlobal(), variant: variant, version: version)
        managers.append(manager)
        for client in clients { client.announce(manager) }
    }

    package func removeManagers() {
        for manager in managers { for client in clients { client.announceEnd(of: manager.global) } }
        managers = []
    }

    package func addSeat(_ name: String) {
        let seat = Seat(nextGlobal(), name)
        seats.append(seat)
        for client in clients { client.announce(seat) }
    }

    package func removeSeat(_ name: String) {
        for seat in seats where seat.name == name { for client in clients { client.announceEnd(of: seat.global) } }
        seats.removeAll { $0.name == name }
    }

    private func nextGlobal() -> UInt32 {
        lastGlobal += 1
        return lastGlobal
    }

    // MARK: Selections

    /// Plays another program that copies. `send` writes its contents.
    package func copy(
        _ types: [String], to selection: SeatSelection = .clipboard,
        send: @escaping (_ type: String, Descriptor) -> Void
    ) {
        guard let seat = seats.first else { return }
        set(selection, of: seat, Contents(types, send: send))
    }

    /// Copies text that fits into a pipe.
    package func copy(_ text: String, to selection: SeatSelection = .clipboard) {
        copy(["text/plain", "text/plain;charset=utf-8"], to: selection) { _, descriptor in
            try? descriptor.fileDescriptor.writeBytes(Array(text.utf8))
        }
    }

    /// Empties a selection, as when its owner exits.
    package func clear(_ selection: SeatSelection = .clipboard) {
        if let seat = seats.first { set(selection, of: seat, nil) }
    }

    func set(_ selection: SeatSelection, of seat: Seat, _ contents: Contents?) {
        seat.contents[selection]?.cancel()
        seat.contents[selection] = contents
        for client in clients { client.report(selection, of: seat) }
    }
}
