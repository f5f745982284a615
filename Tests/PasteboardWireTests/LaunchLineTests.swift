import PasteboardWire
import Testing

struct LaunchLineTests {
    @Test("Parsing the arguments gives the same line", arguments: [nil, "", ":0", ":4.0", "host:1", "näme:0", "a b"])
    func roundTrip(display: String?) {
        let line = LaunchLine(display: display, readyDescriptor: 3)
        #expect(LaunchLine(line.arguments) == line)
    }

    @Test("A Wayland display is named by its own option", arguments: ["wayland-1", "/tmp/sway", ""])
    func wayland(name: String) {
        let line = LaunchLine(display: nil, wayland: name, readyDescriptor: 3)
        #expect(line.arguments == ["--wayland", name, "--ready-fd", "3"])
        #expect(LaunchLine(line.arguments) == line)
    }

    @Test("A session may have both displays")
    func both() {
        let line = LaunchLine(display: ":0", wayland: "wayland-1", readyDescriptor: 3)
        #expect(line.arguments == ["--display", ":0", "--wayland", "wayland-1", "--ready-fd", "3"])
        #expect(LaunchLine(line.arguments) == line)
    }

    @Test(
        "No other command line is parsed",
        arguments: [
            [], ["--ready-fd"], ["--ready-fd", "2"], ["--ready-fd", "x"], ["--ready-fd", "-3"], ["--display", ":0"],
            ["--display", "--replace", "--ready-fd", "3"], ["--ready-fd", "3", "--display", ":0"],
            ["--display", ":0", "--ready-fd", "3", "--replace"], ["--no-display", "--ready-fd", "3"],
            ["--display=:0", "--ready-fd=3"], ["--version"], ["--replace", ":0", "--ready-fd", "3"],
            ["--wayland", "wayland-1", "--display", ":0", "--ready-fd", "3"],
            ["--display", ":0", "--display", ":1", "--ready-fd", "3"],
        ])
    func otherLines(words: [String]) {
        #expect(LaunchLine(words) == nil)
    }
}
