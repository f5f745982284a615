import CopyingSupport
import FoundationEssentials
import TestSupport
import Testing

extension Integration {
    /// Every known target that stands for contents.
    @Suite("Targets", .requiresXvfb)
    struct TargetTests {
        /// Returns the table's rows of class `data`, except rows that stand for many names.
        private static func known() throws -> [(target: String, identifier: String)] {
            let path = "\(Binaries.package)/Sources/Types/UniformTypes/Data/x11-targets.tsv"
            let table = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
            return table.split(separator: "\n").compactMap { line in
                let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
                guard fields[1] == "data", !fields[0].contains("<") else { return nil }
                // N stands for any number.
                return (
                    fields[0].replacing("formatN", with: "format0"), fields[2].replacing("type-N", with: "type-0")
                )
            }
        }

        @Test("Targets after the first 1,024 of a list are left out, and items, status and the log report this")
        func tooMany() async throws {
            try await Sandbox.with { sandbox in
                let names = (1...1_100).map { "application/x-many-\($0)" }
                try sandbox.write(names.joined(separator: "\0").utf8, to: "names")
                let before = try await sandbox.count()
                let peer = Binaries.fixture("names.py")
                _ = try await sandbox.running([peer, "own", sandbox.path("names")]) { owner in
                    #expect(try await owner.line() == "owned")
                    try await sandbox.require("wait", "--since", "\(before)", "--timeout", "60")
                    for command in ["items", "types"] {
                        let listed = try await sandbox.require(command)
                        #expect((1_000...1_024).contains(listed.lines.count))
                        #expect(listed.error.contains("lists more than 1024 targets"), "\(command): \(listed.error)")
                    }
                    #expect(try await sandbox.require("status").text.contains("targets left out of a list"))
                    let log = try await sandbox.shell("cat \"$XDG_RUNTIME_DIR\"/xpb/*.log")
                    #expect(log.text.contains("lists more targets on general than are read"), "\(log)")
                }
            }
        }

        @Test("Each target keeps its name from X11 and to X11")
        func bridge() async throws {
            // The value of these two targets is an X resource of the owner, which is useless to other programs and
            // never requested.
            let names = try Self.known().map(\.target).filter { !["PIXMAP", "BITMAP"].contains($0) }
            #expect(names.count > 100)
            try await Sandbox.with { sandbox in
                try sandbox.write(names.joined(separator: "\0").utf8, to: "names")
                try sandbox.write("value".utf8, to: "value")
                let before = try await sandbox.count()
                let peer = Binaries.fixture("names.py")
                _ = try await sandbox.running([peer, "own", sandbox.path("names")]) { owner in
                    #expect(try await owner.line() == "owned")
                    try await sandbox.require("wait", "--since", "\(before)", "--timeout", "60")
                    let targets = Set(try await sandbox.require("types", "--targets").lines)
                    #expect(targets.isSuperset(of: names), "\(Set(names).subtracting(targets))")
                    for name in names { #expect(try await sandbox.require("get", "-t", name).text == name) }
                }
                try await sandbox.require(["set"] + names.flatMap { ["-t", $0] } + ["-f", sandbox.path("value")])
                let checked = try await sandbox.run(
                    [peer, "check", sandbox.path("names"), "--bytes", sandbox.path("value")])
                #expect(checked.text == "same")
            }
        }

        @Test("Each target maps to its identifier, which maps to the same name")
        func map() async throws {
            try await Sandbox.with { sandbox in
                let known = try Self.known()
                let lines = try await sandbox.require(["map"] + known.map(\.target)).lines
                let identifiers = lines.filter { $0.hasPrefix("identifier: ") }.map { String($0.dropFirst(12)) }
                let targets = lines.filter { $0.hasPrefix("targets: ") }.map { String($0.dropFirst(9)) }
                try #require(identifiers.count == known.count && targets.count == known.count)
                for (index, row) in known.enumerated() {
                    #expect(identifiers[index].lowercased() == row.identifier.lowercased(), "\(row.target)")
                    #expect(
                        targets[index] == row.target || targets[index].hasPrefix("\(row.target), "), "\(row.target)")
                }
            }
        }
    }
}
