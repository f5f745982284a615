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

    @Test("The display of a user's own server, or of a server of root, is that of the user")
    func own() throws {
        #expect(try !isOther(1_000, server: 1_000))
        #expect(try !isOther(1_000, server: 0, environment: ["SUDO_UID": "1001"]))
        #expect(try !isOther(0, server: 0))
        #expect(try !isOther(0, server: 0, environment: ["SUDO_UID": "0"]))
    }

    @Test("The display of another user's server is that of the other, for root too")
    func ofServer() throws {
        #expect(try isOther(1_000, server: 1_001))
        #expect(try isOther(0, server: 1_000))
    }

    @Test(
        "On a server of root, the display is another user's for root that a user has started",
        arguments: [
            "SUDO_UID", "PKEXEC_UID",
        ])
    func caller(variable: String) throws {
        #expect(try isOther(0, server: 0, environment: [variable: "1000"]))
    }

    @Test("On a server of root, the display is another user's for root if it is in a session of that user")
    func ofSession() throws {
        try "UID=1000\nTYPE=x11\nDISPLAY=:0.0\n".write(toFile: sessions.file("2"), atomically: false, encoding: .utf8)
        #expect(try isOther(0, server: 0))
        #expect(try !isOther(0, server: 0, on: ":1"))
        #expect(try !isOther(1_000, server: 0))
        try "UID=0\nDISPLAY=:0\n".write(toFile: sessions.file("2"), atomically: false, encoding: .utf8)
        #expect(try !isOther(0, server: 0))
    }
}
