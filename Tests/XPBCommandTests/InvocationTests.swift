import ArgumentParser
import Testing
import XPBCommand

@Suite struct InvocationTests {
    @Test(
        "A command line that is not understood ends with status 2",
        arguments: [
            ["get", "--bogus"], ["nope"], ["get", "-t"], ["set", "--timeout", "x"], ["set", "-t", "html", "--next"],
            ["get", "file"],
            ["get", "-t", "a\nb"], ["get", "--item=-1"], ["get", "-p", "find", "-p", "general"],
            ["set", "--concealed", "x"],
            ["types", "--mime", "--targets"], ["watch", "-t", "text"], ["watch", "command"], ["completions", "tcsh"],
            ["list", "-p", "general"], ["count", "-p", "a/b"], ["bridge", "jump"],
            ["set", "--expires", "0", "x"], ["set", "-c", ""], ["set", "--item", "0", "x"], ["create"],
            ["create", "--unique", "com.example.a"], ["create", "a/b"], ["create", "com.example.a", "com.example.b"],
            ["create", "com.example.a", "-p", "com.example.b"], ["remove"], ["remove", "a/b"], ["with"],
            ["with", "true"], ["dump", "word"], ["dump", "--json"], ["load", "/nonexistent/file"],
            ["load", "/"], ["items", "--all", "-p", "find"], ["get", "--all", "/nonexistent/a/b"],
            ["get", "--all", "/", "-t", "text"], ["get", "--all", "/"], ["_promise"], ["_promise", "x"],
        ])
    func usage(arguments: [String]) {
        #expect(Invocation.run(arguments + ["-q"]) == .usage)
    }

    @Test("A system pasteboard is not removed, nor is any other named with it")
    func removed() {
        for names in [["general"], ["com.example.a", "primary"], ["-p", "find", "com.example.a"]] {
            #expect(Invocation.run(["remove", "-q"] + names) == .refused)
        }
    }

    @Test(
        "The selections of managers are refused as pasteboards",
        arguments: ["WM_S0", "_NET_WM_CM_S0", "CLIPBOARD_MANAGER"])
    func refused(name: String) {
        for command in ["get", "set", "clear", "watch", "wait", "types", "items", "create", "remove", "dump"] {
            let words = command == "set" ? ["text"] : []
            #expect(Invocation.run([command, "-q", "-p", name] + words) == .refused)
        }
    }

    @Test(
        "The message for an invalid time gives the reason",
        arguments: [("-1", "cannot be negative"), ("x", "number of seconds"), ("nan", "number"), ("2e6", "at most")])
    func times(value: String, words: String) {
        for command in ["get", "set", "count"] {
            for line in [[command, "--timeout", value], [command, "--timeout=\(value)"]] {
                let error = #expect(throws: (any Error).self) { try XPB.parseAsRoot(line) }
                let message = error.map { XPB.message(for: $0) } ?? ""
                #expect(message.contains(words), "\(line): \(message)")
            }
        }
    }
}
