import Foundation
import LinuxSystem
import Testing

@Suite struct DisplayUserTests {
    private let sessions: TemporaryFolder

    init() throws { sessions = try TemporaryFolder() }

    private func isOther(
        _ user: UInt32, server: UInt32, environment: [String: String] = [:], on display: String = ":0"
    ) throws -> Bool {
        let owner = DisplayUser(server: server, environment: environment, sessions: sessions.path)
        return owner.isOther(than: user, on: try #require(DisplayName(display)))
    }

    @Test("A display of the user's own server, or of root's server, belongs to the user")
    func own() throws {
        #expect(try !isOther(1_000, server: 1_000))
        #expect(try !isOther(1_000, server: 0, environment: ["SUDO_UID": "1001"]))
        #expect(try !isOther(0, server: 0))
        #expect(try !isOther(0, server: 0, environment: ["SUDO_UID": "0"]))
    }

    @Test("A display of another user's server belongs to that other user, even for root")
    func ofServer() throws {
        #expect(try isOther(1_000, server: 1_001))
        #expect(try isOther(0, server: 1_000))
    }

    @Test(
        "If a user has started the root process, a display of root's server belongs to that user",
        arguments: [
            "SUDO_UID", "PKEXEC_UID",
        ])
    func caller(variable: String) throws {
        #expect(try isOther(0, server: 0, environment: [variable: "1000"]))
    }

    @Test("For root, a display of root's server belongs to the user whose session it is in")
    func ofSession() throws {
        try "UID=1000\nTYPE=x11\nDISPLAY=:0.0\n".write(toFile: sessions.file("2"), atomically: false, encoding: .utf8)
        #expect(try isOther(0, server: 0))
        #expect(try !isOther(0, server: 0, on: ":1"))
        #expect(try !isOther(1_000, server: 0))
        try "UID=0\nDISPLAY=:0\n".write(toFile: sessions.file("2"), atomically: false, encoding: .utf8)
        #expect(try !isOther(0, server: 0))
    }
}
