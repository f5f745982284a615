import Testing

@testable import XPBCommand

@Suite struct InvocationTests {
    @Test(
        "A line that cannot be understood ends with status 2",
        arguments: [
            ["get", "--bogus"], ["nope"], ["get", "-t"], ["set", "--timeout", "x"], ["set", "-t", "html", "--next"],
            ["get", "file"],
            ["get", "-t", "a\nb"], ["get", "--item=-1"], ["get", "-p", "find", "-p", "general"],
            ["set", "--concealed", "x"],
            ["types", "--mime", "--targets"], ["watch", "-t", "text"], ["watch", "command"], ["completions", "tcsh"],
            ["list", "-p", "general"], ["count", "-p", "a/b"], ["bridge", "jump"],
        ])
    func usage(arguments: [String]) {
        #expect(Invocation.run(arguments + ["-q"]) == .usage)
    }

    @Test(
        "A pasteboard that would drive out a manager is refused",
        arguments: ["WM_S0", "_NET_WM_CM_S0", "CLIPBOARD_MANAGER"])
    func refused(name: String) {
        for command in ["get", "set", "clear", "watch", "wait", "types"] {
            let words = command == "set" ? ["text"] : []
            #expect(Invocation.run([command, "-q", "-p", name] + words) == .refused)
        }
    }
}
