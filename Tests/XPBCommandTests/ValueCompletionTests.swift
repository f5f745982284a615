import ArgumentParser
import CommandCore
import Testing

@Suite struct ValueCompletionTests {
    @Test("In zsh, a colon of the value and a backslash of the summary are escaped")
    func zsh() throws {
        let value = try #require(ValueCompletion("a:b", #"C:\temp"#))
        #expect(value.line(for: .zsh) == #"a\:b:C:\\temp"#)
        #expect(value.line(for: .fish) == #"a:b"# + "\t" + #"C:\temp"#)
        #expect(value.line(for: .bash) == "a:b")
    }

    @Test("Hosts come from ssh's files, without patterns, hashes and ports")
    func hosts() {
        let configuration = """
            # Host comment
            Host server *.example.org !not
              HostName 10.0.0.1
            host=other
            \tHost\ttabbed server
            Match host x
            """
        let known = """
            known.example.org,10.0.0.2 ssh-ed25519 AAAA
            |1|hash|hash ssh-rsa AAAA
            [port.example.org]:2222 ssh-rsa AAAA
            @revoked bad.example.org ssh-rsa AAAA
            """
        #expect(
            SSHNames.hosts(configuration: configuration, known: known)
                == ["server", "other", "tabbed", "known.example.org", "10.0.0.2"])
        #expect(SSHNames.hosts(configuration: "", known: "") == [])
    }
}
