import ArgumentParser
import CommandCore
import Commands
import Foundation
import Testing
import TypeDatabase
import UniformTypes
import XPBCommand

@Suite final class DeclareCommandTests {
    private let folder: String
    private var path: String { "\(folder)/config/xpb/types.json" }

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "xpb-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        folder = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func run(_ arguments: String...) throws { try run(arguments) }

    private func status(_ arguments: String...) -> CommandCore.ExitStatus? {
        do {
            try run(arguments)
            return .done
        } catch let failure as Failure {
            return failure.status
        } catch {
            return nil
        }
    }

    private func run(_ arguments: [String]) throws {
        let command = try #require(try XPB.parseAsRoot(["declare", "-q"] + arguments) as? any Subcommand)
        let environment = ["XDG_CONFIG_HOME": "\(folder)/config"]
        try command.perform(in: Session(command.commonOptions, environment: environment))
    }

    @Test("All given options are written")
    func everything() throws {
        try run(
            "com.example.declared", "--conforms-to", "public.text", "--mime", "application/x-declared", "--mime", "a/b",
            "--extension", ".declared", "--target", "_DECLARED", "--description", "An example")
        #expect(
            try text == """
                {
                  "com.example.declared": {
                    "conforms-to": ["public.text"],
                    "mime": ["application/x-declared", "a/b"],
                    "extensions": ["declared"],
                    "targets": ["_DECLARED"],
                    "description": "An example"
                  }
                }

                """)
        try run("--remove", "com.example.declared")
        #expect(try text == "{\n}\n")
    }

    private func write(_ text: String) throws {
        try FileManager.default.createDirectory(atPath: "\(folder)/config/xpb", withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    private var text: String { get throws { try String(contentsOfFile: path, encoding: .utf8) } }

    @Test("A type conforms to data by default, and a built-in type keeps its ancestors")
    func parents() throws {
        try run("com.example.declared", "--mime", "a/b")
        #expect(
            try text
                == "{\n  \"com.example.declared\": { \"conforms-to\": [\"public.data\"], \"mime\": [\"a/b\"] }\n}\n")
        try run("com.example.declared", "--mime", "a/c")
        #expect(
            try text
                == "{\n  \"com.example.declared\": { \"conforms-to\": [\"public.data\"], \"mime\": [\"a/c\"] }\n}\n")
        try run("--remove", "COM.example.declared")
        try run("public.png", "--target", "X_PNG")
        #expect(try text == "{\n  \"public.png\": { \"targets\": [\"X_PNG\"] }\n}\n")
    }

    @Test("The rest of the file stays as it is")
    func rest() throws {
        try write("{\n  // mine\n  \"a.b\": {}, // keep\n}\n")
        try run("c.d", "--mime", "a/b", "--conforms-to", "public.text")
        #expect(
            try text == "{\n  // mine\n  \"a.b\": {}, // keep\n"
                + "  \"c.d\": { \"conforms-to\": [\"public.text\"], \"mime\": [\"a/b\"] },\n}\n")
        try run("--remove", "c.d")
        #expect(try text == "{\n  // mine\n  \"a.b\": {}, // keep\n}\n")
    }

    @Test("An edit that could damage a file is refused, and a faulty entry elsewhere does not matter")
    func faulty() throws {
        try write("{ \"a.b\": {")
        #expect(status("c.d", "--mime", "a/b") == .refused && status("--remove", "a.b") == .refused)
        #expect(try text == "{ \"a.b\": {")
        try write("{ \"a.b\": { \"icon\": 1 } }")
        #expect(status("c.d", "--mime", "a/b") == .done && status("a.b", "--mime", "a/b") == .refused)
        #expect(status("--remove", "a.b") == .done && status("--remove", "a.b") == .nothing)
        #expect(status() == .done)
    }

    @Test(
        "An invalid declaration is a usage error, and nothing is written",
        arguments: [
            ["note", "--mime", "a/b"], ["a.b", "--mime", "note"], ["a.b", "--extension", "tar.gz"],
            ["a.b", "--target", "TARGETS"], ["a.b", "--conforms-to", "A.B"], ["a.b", "--conforms-to", "text"],
            ["dyn.ah62d4rv4gu8yq55tebbgc6u", "--mime", "a/b"], ["text/plain", "--mime", "a/b"],
        ])
    func usage(arguments: [String]) {
        #expect(performing: { try run(arguments) }, throws: { ($0 as? Failure)?.status == .usage })
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/config"))
    }

    @Test(
        "A line with too few or too many arguments is an error",
        arguments: [["--remove"], ["a.b"], ["--mime", "a/b"], ["a.b", "--remove", "--mime", "a/b"], ["a.b", "c.d"]])
    func lines(arguments: [String]) {
        #expect(throws: (any Error).self) { try XPB.parseAsRoot(["declare"] + arguments) }
    }

    @Test("A file that cannot be read is not listed as if it were empty")
    func unreadable() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        #expect(status() == .broken && status("a.b", "--mime", "a/b") == .refused)
    }

    @Test("Declarations need a home folder")
    func homeless() throws {
        let command = try #require(try XPB.parseAsRoot(["declare", "-q"]) as? any Subcommand)
        #expect(throws: Failure.self) { try command.perform(in: Session(command.commonOptions, environment: [:])) }
    }

    @Test("Built-in types and undeclared parents are reported")
    func notes() {
        func notes(_ identifier: String, _ parents: [String]) -> [String] {
            TypeDeclaration(identifier: identifier, conformsTo: parents)
                .notes(among: [TypeDeclaration(identifier: "a.known")])
        }
        #expect(notes("a.b", ["public.text", "A.Known"]) == [])
        #expect(notes("a.b", ["a.unknown"]) == ["a.unknown, which a.b conforms to, is not declared"])
        #expect(notes("PUBLIC.png", []).count == 1)
    }
}
