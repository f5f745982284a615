import ArgumentParser
import CommandCore
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
            ["help", "nonsense"], ["help", "history", "nonsense"], ["status", "-p", "find"],
            ["link", "--list", "-p", "find"],
            ["bridge", "start", "-p", "find"], ["bridge", "stop", "-p", "find"], ["link", "--allow", "bogus", "host"],
            ["get", "-o", ""],
            ["get", "--all", "/", "-t", "text"], ["get", "--all", "/"], ["_promise"], ["_promise", "x"],
        ])
    func usage(arguments: [String]) {
        #expect(Invocation.run(arguments + ["-q"]) == .usage)
    }

    @Test(
        "An unknown command is reported, with the existing commands",
        arguments: [
            ("nonsense", "there is no command 'nonsense'"),
            ("histori", "there is no command 'histori'; did you mean 'history'?"),
            ("bridge strt", "bridge has no command 'strt'; did you mean 'start'?"),
            ("bridge 5", "bridge has no command '5', only start, stop, restart"),
            ("history 5", "history has no command '5', only list, show"),
            ("hist", "there is no command 'hist'; did you mean 'history'?"),
            ("search word", "there is no command 'search'; did you mean 'history search'?"),
            ("restart", "there is no command 'restart'; did you mean 'bridge restart'?"),
            ("-q get", "options go after the command: xpb get -q"),
            ("-p find set secret", "options go after the command: xpb set -p find …"),
            ("--display :1 get", "options go after the command: xpb get --display ':1'"),
            ("-q history show 5", "options go after the command: xpb history show -q …"),
            ("ls", "there is no command 'ls'; did you mean 'list'?"),
            ("files a", "there is no command 'files'; did you mean 'set --files'?"),
            ("find word", "there is no command 'find'; did you mean 'history search'?"),
            ("primary", "'primary' is a pasteboard; did you mean 'xpb get -p primary'?"),
        ])
    func unknownCommands(line: String, message: String) {
        let words = line.split(separator: " ").map(String.init)
        #expect(CommandPath(words[...]).problem?.hasPrefix(message) == true)
    }

    @Test(
        "An option of another program is reported with its equivalent",
        arguments: [
            ("set --secret a", "--concealed"), ("add --password a", "--concealed"), ("get -n", "--trim"),
            ("get -selection clipboard", "-p"), ("types --primary", "-p primary"), ("get --secret", nil),
            ("set -- --secret", nil), ("types -n", nil),
        ])
    func knownOptions(line: String, meant: String?) {
        let problem = KnownOption.problem(in: line.split(separator: " ").map(String.init))
        #expect(problem?.contains("did you mean '\(meant ?? "")'?") == (meant == nil ? nil : true))
    }

    @Test(
        "If -- is missing before a command to run, the message shows the line with it",
        arguments: [
            ("watch echo hi", "xpb watch -- echo hi"), ("watch -p find echo", "xpb watch -p find -- echo"),
            ("with make", "xpb with -- make"), ("with echo a;b", "xpb with -- echo 'a;b'"), ("watch -- echo", nil),
            ("watch --bogus", nil), ("get html", nil),
        ])
    func withoutMark(line: String, meant: String?) {
        let words = line.split(separator: " ").map(String.init)
        let message = CommandPath(words[...]).withoutMark(in: words)
        #expect(message == meant.map { "the command to run follows --, as in: \($0)" })
    }

    @Test(
        "For a word after get, the message shows the forgotten option",
        arguments: [
            ("html", "-t"), ("image/png", "-t"), (".png", "-t"), ("public.html", "-t"), ("out.png", "-o"),
            ("/tmp/out", "-o"), ("./a/b", "-o"), ("primary", "-p"), ("general", "-p"),
        ])
    func wordsOfGet(word: String, option: String) {
        let error = #expect(throws: (any Error).self) { try XPB.parseAsRoot(["get", word]) }
        let message = error.map { XPB.message(for: $0) } ?? ""
        #expect(message.contains("did you mean 'xpb get \(option) \(word)'?"), "\(message)")
    }

    @Test("The version is written for any common spelling of the request", arguments: ["--version", "version", "-V"])
    func version(word: String) {
        #expect(Invocation.normalized([word]) == ["--version"])
        #expect(Invocation.normalized(["set", word]) == ["set", word])
    }

    @Test(
        "A command path has the commands of a line, without its other words",
        arguments: [
            ("history clear x", "history clear"), ("history -n 5", "history"), ("paste x", "paste"), ("help", ""),
            ("-q x", ""),
        ])
    func commandPath(line: String, names: String) {
        let path = CommandPath(line.split(separator: " ").map(String.init)[...])
        #expect(path.names.joined(separator: " ") == names && path.problem == nil)
    }

    @Test("An invalid lifetime is refused with the units and the maximum", arguments: ["1w", "0", "10001d"])
    func lifetimes(value: String) {
        let error = #expect(throws: (any Error).self) { try XPB.parseAsRoot(["set", "--expires", value, "x"]) }
        let message = error.map { XPB.message(for: $0) } ?? ""
        #expect(message.contains("45s, 1.5m, 2h or 7d") && message.contains("10000d"), "\(message)")
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
