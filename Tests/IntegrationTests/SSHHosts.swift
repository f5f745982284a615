import Foundation
import TestSupport

/// Machines for tests of ssh: each is a home folder in the sandbox, with an sshd on the loopback interface. The fixture
/// sshd.py runs them, and ends all of their programs.
struct SSHHosts {
    /// The settings of a machine.
    struct Machine: Encodable {
        /// The environment of the machine's programs, in addition to the variables that lead to its folder.
        var environment: [String: String] = [:]
        /// Lines of the machine's sshd_config(5).
        var options: [String] = []
        /// Options of ssh_proxy.py, which then carries the machine's connections.
        var proxy: [String]?
    }

    fileprivate struct Started: Decodable {
        let port: Int
        let environment: [String: String]
    }

    fileprivate let sandbox: Sandbox
    fileprivate let fixture: Running
    fileprivate let machines: [String: Started]

    /// The configuration file of ssh, which has the machines as hosts.
    var configuration: String { sandbox.path("ssh/config") }

    /// Returns the sandbox with the environment of a machine, for programs that the test runs there itself.
    func on(_ name: String) -> Sandbox { sandbox.changing(machines[name]?.environment ?? [:]) }

    /// Returns a path in the home folder of a machine.
    func path(_ name: String, of machine: String) -> String { sandbox.path("machines/\(machine)/\(name)") }

    /// Returns the command line of ssh for a command on a machine.
    func command(_ name: String, _ command: String, options: [String] = []) -> [String] {
        ["ssh", "-F", configuration, "-o", "BatchMode=yes"] + options + [name, command]
    }

    /// Runs a command on a machine to completion, over ssh.
    func run(_ name: String, _ command: String, options: [String] = []) async throws -> Outcome {
        try await sandbox.run(self.command(name, command, options: options))
    }

    /// Kills all sessions of a machine, and refuses new connections.
    func stop(_ name: String) async throws { try await perform("stop \(name)") }

    /// Accepts connections to a stopped machine again.
    func start(_ name: String) async throws { try await perform("start \(name)") }

    /// Gives a machine a host key that ssh does not know.
    func changeKey(of name: String) async throws { try await perform("rekey \(name)") }

    private func perform(_ command: String) async throws {
        try await fixture.send(command)
        while try await fixture.line() != command {}
    }
}

extension Sandbox {
    /// Runs machines during `body`.
    func withHosts<Result: Sendable>(
        _ machines: [String: SSHHosts.Machine], _ body: (SSHHosts) async throws -> Result
    ) async throws -> Result {
        let wanted = String(decoding: try JSONEncoder().encode(machines), as: UTF8.self)
        return try await running([Binaries.fixture("sshd.py"), folder, wanted]) { fixture in
            let started = Data(try await fixture.line().utf8)
            let hosts = SSHHosts(
                sandbox: self, fixture: fixture,
                machines: try JSONDecoder().decode([String: SSHHosts.Started].self, from: started))
            let result = try await body(hosts)
            try await fixture.finish()
            return result
        }.result
    }
}
