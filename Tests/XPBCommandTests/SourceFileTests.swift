import Formats
import Testing

@testable import XPBCommand

@Suite struct SourceFileTests {
    @Test("A relative path is of the working folder, and what is not there has no URL")
    func relative() throws {
        let url = try SourceFile.url(forPath: ".").string
        #expect(url.hasPrefix("file:///") && !url.hasSuffix("."))
        #expect(throws: Failure.self) { try SourceFile.url(forPath: "not/here") }
    }
}
