import LinuxSystem
import Testing

struct WaylandNameTests {
    @Test(
        "A name is a socket of the runtime folder, or a path",
        arguments: [
            ("wayland-1", "/run/user/1", "/run/user/1/wayland-1", "wayland-1"),
            ("wayland-1", "/run/user/1/", "/run/user/1/wayland-1", "wayland-1"),
            ("/run/user/1/wayland-1", "/run/user/1", "/run/user/1/wayland-1", "wayland-1"),
            ("/tmp/sway", "/run/user/1", "/tmp/sway", "/tmp/sway"),
        ])
    func parsed(name: String, folder: String, path: String, canonical: String) throws {
        let parsed = try #require(WaylandName(name, runtimeDirectory: folder))
        #expect(parsed.socketPath == path)
        #expect(parsed.canonical == canonical)
        #expect(WaylandName(prefixed: parsed.prefixed, runtimeDirectory: folder) == parsed)
    }

    @Test(
        "Other names are rejected",
        arguments: [("", "/run"), ("wayland-1", nil), ("wayland-1", "run"), ("way\0land", "/run")]
            as [(String, String?)])
    func refused(name: String, folder: String?) {
        #expect(WaylandName(name, runtimeDirectory: folder) == nil)
    }

    @Test("A path needs no runtime folder")
    func path() {
        #expect(WaylandName("/tmp/sway", runtimeDirectory: nil)?.socketPath == "/tmp/sway")
    }

    @Test(
        "The key is a valid name of a file, and never the key of an X display",
        arguments: ["wayland-1", "0", "/tmp/a b", ":0"])
    func key(name: String) throws {
        let key = try #require(WaylandName(name, runtimeDirectory: "/run")).key
        #expect(key.hasPrefix("wayland=") && !key.contains("/"))
        #expect(DisplayName(key)?.key != key)
    }
}
