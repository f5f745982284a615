import Testing

@testable import XPBCommand

@Suite struct FileURLTests {
    @Test(
        "A path becomes a URL, byte for byte",
        arguments: [
            ("/a/b.txt", "file:///a/b.txt"), ("/", "file:///"), ("/a b/%#?\n", "file:///a%20b/%25%23%3F%0A"),
            ("/é~_-.", "file:///%C3%A9~_-."), ("//a///b/", "file:///a/b"), ("/a/./b/..", "file:///a/b/.."),
        ])
    func paths(path: String, url: String) {
        #expect(FileURL.string(forAbsolutePath: path) == url)
    }

    @Test("A relative path is of the working folder, and what is not there has no URL")
    func relative() throws {
        let url = try FileURL.string(forPath: ".")
        #expect(url.hasPrefix("file:///") && !url.hasSuffix("."))
        #expect(throws: Failure.self) { try FileURL.string(forPath: "not/here") }
    }
}
