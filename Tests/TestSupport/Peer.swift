import FoundationEssentials

/// A running raw X peer, Tests/Fixtures/peer.py.
package final class Peer {
    /// A line of the peer's output: the name of an event, and its data.
    package struct Event: Decodable, Sendable {
        package let event: String
        package let target: String?
        package let property: String?
        package let type: String?
        package let format: Int?
        package let length: Int?
        package let number: Int?
        package let sha256: String?
        package let text: String?
        package let time: Int?
        package let window: Int?
        package let values: [Int]?
        package let names: [String?]?
    }

    private let program: Running

    init(_ program: Running) { self.program = program }

    /// Returns the next event.
    package func next() async throws -> Event {
        try JSONDecoder().decode(Event.self, from: Data(try await program.line().utf8))
    }

    /// Skips events up to the next event with the given name, and returns that event.
    /// - Throws: ``Running/Unexpected`` if the peer exits before that event.
    package func await(_ name: String) async throws -> Event {
        while true {
            let event = try await next()
            if event.event == name { return event }
        }
    }

    /// Sends a command: `own`, `disown`, `save text/html`, `go`, `destroy`, `quit`.
    package func send(_ command: String) async throws { try await program.send(command) }

    /// The process of the peer, to be stopped or killed.
    package var process: Running { program }
}

extension Sandbox {
    /// Runs a peer during `body`. See `peer.py --help` for the arguments.
    package func withPeer<Result: Sendable>(
        named name: String = "peer.py", _ arguments: [String], _ body: (Peer) async throws -> Result
    ) async throws -> Result {
        try await running([Binaries.fixture(name)] + arguments) { try await body(Peer($0)) }.result
    }

    /// Sends one request through a peer, and returns its result: the event `reply`, `refused`, `no-property` or
    /// `timeout`.
    package func ask(_ arguments: String...) async throws -> Peer.Event { try await ask(arguments) }

    package func ask(_ arguments: [String]) async throws -> Peer.Event {
        try await withPeer(["ask"] + arguments) { peer in
            while true {
                let event = try await peer.next()
                if ["reply", "refused", "no-property", "timeout"].contains(event.event) { return event }
            }
        }
    }
}
