import LinuxSystem
import Machines
import SystemPackage
import Testing

/// The failures found in the past, each in its own file in a folder named after the machine.
@Suite struct FoundTests {
    private static let folder =
        "\(#filePath)".split(separator: "/").dropLast(2).map { "/\($0)" }.joined() + "/Machines/Found"

    @Test("Every sequence that failed in the past now passes")
    func replay() throws {
        for name in try Folder.names(in: Self.folder) {
            let machine = try #require(Machine.all.first { $0.name == name }, "there is no machine '\(name)'")
            let files = try Folder.names(in: "\(Self.folder)/\(name)")
            #expect(!files.isEmpty)
            for file in files {
                let failure = try machine.replay(Self.text(of: "\(Self.folder)/\(name)/\(file)"))
                #expect(failure == nil, "\(name)/\(file)")
            }
        }
    }

    private static func text(of path: String) throws -> String {
        let file = Descriptor(adopting: try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec))
        return String(decoding: try file.fileDescriptor.readBytes(atMost: 1 << 16), as: UTF8.self)
    }
}
