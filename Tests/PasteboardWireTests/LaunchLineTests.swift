import PasteboardWire
import Testing

struct LaunchLineTests {
    @Test("The arguments are parsed as they were made", arguments: [nil, "", ":0", ":4.0", "host:1", "näme:0", "a b"])
    func roundTrip(display: String?) {
        let line = LaunchLine(display: display, readyDescriptor: 3)
        #expect(LaunchLine(line.arguments) == line)
    }

    @Test(
        "No other command line is parsed",
        arguments: [
            [], ["--ready-fd"], ["--ready-fd", "2"], ["--ready-fd", "x"], ["--ready-fd", "-3"], ["--display", ":0"],
            ["--display", "--replace", "--ready-fd", "3"], ["--ready-fd", "3", "--display", ":0"],
            ["--display", ":0", "--ready-fd", "3", "--replace"], ["--no-display", "--ready-fd", "3"],
            ["--display=:0", "--ready-fd=3"], ["--version"], ["--replace", ":0", "--ready-fd", "3"],
        ])
    func otherLines(words: [String]) {
        #expect(LaunchLine(words) == nil)
    }
}
