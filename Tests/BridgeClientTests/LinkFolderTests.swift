import BridgeClient
import Foundation
import LinuxSystem
import PasteboardWire
import Testing

final class LinkFolderTests {
    private let folder: LinkFolder
    private let path = "/tmp/xpb-link-\(UInt32.random(in: .min ... .max))"

    init() throws {
        try Folder.makePrivate(path)
        folder = try LinkFolder(in: try RuntimeDirectory(environment: ["XDG_RUNTIME_DIR": path]))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    @Test(
        "The name of a machine in the name of a socket is short and plain",
        arguments: [
            ("server", "server"), ("a:b/c d", "a_b_c_d"), ("", "_"), ("..", "_"), ("ü", "__"),
            (String(repeating: "x", count: 100), String(repeating: "x", count: 24)),
        ])
    func names(machine: String, name: String) {
        #expect(LinkFolder.fileName(of: machine) == name)
        #expect(LinkFolder.isLink(folder.newPath(for: machine)))
        #expect(!LinkFolder.isLink("/run/user/1000/xpb/:0.sock"))
    }

    private func changeTime(of path: String) throws -> Int {
        try FileStatus(ofPath: path, followsSymlink: false).changeTime
    }

    @Test("The latest socket of each machine counts, and sockets without a listener are removed")
    func latest() throws {
        let paths = (0..<2).map { _ in folder.newPath(for: "near") } + [folder.newPath(for: "other")]
        let first = try UnixSocket.listen(at: paths[0])
        let other = try UnixSocket.listen(at: paths[2])
        do {
            var second = try UnixSocket.listen(at: paths[1])
            // The kernel's clock advances in ticks of at most ten milliseconds, and nothing reports a tick.
            while try changeTime(of: paths[1]) == changeTime(of: paths[0]) {
                _ = try waitReadable(first.fileDescriptor, until: .now + .milliseconds(10))
                second = try UnixSocket.listen(at: paths[1])
            }
            #expect(Set(folder.latest().keys) == ["near", "other"])
            #expect(folder.latest()["near"] == paths[1])
            withExtendedLifetime(second) {}
        }
        folder.removeDead()
        #expect(folder.latest() == ["near": paths[0], "other": paths[2]])
        withExtendedLifetime((first, other)) {}
    }
}
