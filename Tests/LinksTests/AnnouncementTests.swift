import Links
import Testing

@Suite struct AnnouncementTests {
    private typealias Announcement = RemoteEndpoint.Announcement

    @Test("A line that the endpoint wrote is read back unchanged")
    func written() throws {
        let paths = ["/run/user/1000/xpb/link/near~1.sock", "/tmp/xpb-1/täxt+@,=_.sock"]
        for path in paths {
            let announcement = Announcement(version: "1.2", socket: path, bridge: path, isSameMachine: true)
            #expect(Announcement(line: try announcement.line()) == announcement)
        }
    }

    @Test(
        "A path that ssh would change, such as a path with a variable of this machine, is not forwarded",
        arguments: [
            "/tmp/${AWS_SECRET_ACCESS_KEY}", "/tmp/$HOME", "/tmp/%u", "/tmp/a:/tmp/b", "/tmp/a:22", "/tmp/\\a",
            "[/tmp/a]", "/tmp/a\n/b", "/tmp/\u{0D4E}%u", "/tmp/\u{0D4E}:a", "/tmp/\u{1b}[2J", "/tmp/\u{202E}a", "tmp",
            "-L/tmp/a", "",
            "/\(String(repeating: "a", count: 108))",
        ])
    func paths(path: String) throws {
        #expect(Announcement(line: try Announcement(version: "1", socket: path).line()) == nil)
        let bridge = Announcement(version: "1", socket: "/tmp/a", bridge: path)
        #expect(Announcement(line: try bridge.line()) == nil)
    }

    @Test(
        "A line that is not an announcement is ignored",
        arguments: [
            "", "xpb-link ", "xpb-link {}", "xpb-link []", "xpb-link {\"socket\":1}", "Welcome to far",
            " xpb-link {\"version\":\"1\",\"socket\":\"/a\",\"isSameMachine\":false}",
            "xpb-link \(String(repeating: "[", count: 4_000))",
        ])
    func garbage(line: String) { #expect(Announcement(line: line) == nil) }
}
