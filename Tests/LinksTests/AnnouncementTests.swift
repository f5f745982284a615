import Links
import Testing

struct AnnouncementTests {
    private typealias Announcement = RemoteEndpoint.Announcement

    @Test("An announcement is read as it was written")
    func read() throws {
        let announcement = Announcement(version: "1.0", socket: "/run/a.sock", bridge: "/run/b", isSameMachine: true)
        #expect(Announcement(line: try announcement.line()) == announcement)
    }

    @Test(
        "Other lines are no announcements, nor are paths that ssh would not take as one",
        arguments: [
            "", "Welcome to far", "xpb-link", "xpb-link {", "xpb-link {\"version\":\"1\",\"isSameMachine\":false}",
            #"xpb-link {"version":"1","isSameMachine":false,"socket":"relative"}"#,
            #"xpb-link {"version":"1","isSameMachine":false,"socket":"/run/:0.sock"}"#,
            #"xpb-link {"version":"1","isSameMachine":false,"socket":"/run/a","bridge":"-oProxyCommand=x"}"#,
            #"xpb-link {"version":"1","isSameMachine":false,"socket":"/"#
                + String(repeating: "a", count: 200) + #""}"#,
        ])
    func other(line: String) {
        #expect(Announcement(line: line) == nil)
    }
}
