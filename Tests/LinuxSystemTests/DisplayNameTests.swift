import LinuxSystem
import Testing

struct DisplayNameTests {
    @Test(
        "All names of a display have the same canonical form",
        arguments: [
            (":0", ":0"), (":0.0", ":0"), (":0.1", ":0"), (":00", ":0"), (":12", ":12"),
            ("unix:0", ":0"), ("unix:0.2", ":0"), ("unix/:0", ":0"), ("unix/host:0", ":0"),
            ("/tmp/.X11-unix/X7", ":7"), ("/tmp/.X11-unix/X7.1", ":7"), ("unix:/tmp/.X11-unix/X7", ":7"),
            ("localhost:10.0", "localhost:10"), ("LocalHost:10", "localhost:10"),
            ("tcp/Host.Example:1", "host.example:1"),
            ("inet/Host:0", "host:0"), ("inet6/::1:3", "::1:3"),
            ("[::1]:3.0", "[::1]:3"), ("192.168.0.1:0", "192.168.0.1:0"),
            // A host with this name is not the local server, although the lower-case name would be.
            ("Unix:0", "Unix:0"), ("tcp/UNIX:1", "UNIX:1"),
            ("/run/x/server:0", "/run/x/server:0"), ("unix:/run/x/server.2", "/run/x/server"),
        ])
    func canonical(name: String, canonical: String) {
        #expect(DisplayName(name, exists: { _ in false })?.canonical == canonical)
    }

    @Test("The end of a path is a screen only if no file has that path")
    func screenOfPath() {
        #expect(DisplayName("/run/x.1", exists: { $0 == "/run/x.1" })?.server == .socket(path: "/run/x.1"))
        #expect(DisplayName("/run/x.1", exists: { $0 == "/run/x" })?.server == .socket(path: "/run/x"))
        #expect(DisplayName("/run/x.y", exists: { _ in false })?.server == .socket(path: "/run/x.y"))
    }

    @Test(
        "A string that is not the name of a display is rejected",
        arguments: [
            "", "0", "host", ":", ":x", ":-1", ":+1", ": 1", ":1 ", ":0.", ":0.x", ":0.0.0", ":1.-1", ":99999999999",
            "tcp/:0", "tcp/unix:0", "decnet/host:0", "tcp/x/host:0", "ho st:0", "host\n:0", ":0\0", "/run/\0x", ":٣",
        ])
    func refuses(name: String) {
        #expect(DisplayName(name, exists: { _ in false }) == nil)
    }

    @Test("A local display differs from a display on another machine")
    func servers() {
        #expect(DisplayName(":5.1")?.server == .local(number: 5))
        #expect(DisplayName("localhost:10.0")?.server == .remote(host: "localhost", number: 10))
        #expect(DisplayName(":0") == DisplayName("unix:0.1"))
    }

    @Test(
        "The key of a display is a valid name of a file",
        arguments: [
            (":0.0", ":0"), ("localhost:10.0", "localhost:10"), ("[::1]:0", "%5B::1%5D:0"),
            ("/run/x:0", "%2Frun%2Fx:0"), ("..:0", "%2E.:0"), ("a%b:0", "a%25b:0"), ("hé:0", "h%C3%A9:0"),
        ])
    func key(name: String, key: String) {
        #expect(DisplayName(name, exists: { _ in false })?.key == key)
    }

    @Test("The key of a bridge without a display is not the key of any display")
    func noDisplay() {
        #expect(DisplayName.keyWithoutDisplay == "none")
        #expect(DisplayName("none") == nil)
    }
}
