import Links
import Testing

struct LinkFailureTests {
    private func message(_ status: Int32, _ messages: String..., hasTerminal: Bool = true) -> String {
        LinkFailure(SSHEnd(status: status, messages: messages), host: "far", hasTerminal: hasTerminal).message
    }

    @Test("If a machine cannot be reached, the reason is in ssh's own words")
    func unreachable() {
        #expect(
            message(255, "ssh: connect to host far port 22: Connection refused")
                == "far cannot be reached: ssh says: ssh: connect to host far port 22: Connection refused")
        #expect(message(255) == "far cannot be reached: ssh says: the connection ended")
        #expect(
            message(255, "me@far: Permission denied (publickey).", hasTerminal: false).contains("use a key or an agent")
        )
        #expect(!message(255, "me@far: Permission denied (publickey).").contains("use a key or an agent"))
    }

    @Test("A changed host key is named first, whatever ssh writes after it")
    func changedKey() {
        let text = message(
            255, "@@@@@@@@@@@@", "@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @", "@@@@@@@@@@@@",
            "IT IS POSSIBLE THAT SOMEONE IS DOING SOMETHING NASTY!", "Host key verification failed.")
        #expect(text.hasPrefix("far cannot be reached: ssh says: WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!; "))
        #expect(text.hasSuffix("Host key verification failed"))
    }

    @Test(
        "The status of the command on the other machine says what is missing there",
        arguments: [
            (127, "has no xpb"), (126, "has no xpb"), (2, "has no 'link'"), (64, "has no 'link'"),
            (4, "on far: no bridge"),
        ])
    func remote(status: Int32, words: String) {
        #expect(message(status, "no bridge").contains(words))
    }
}
