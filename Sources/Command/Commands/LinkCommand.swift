import ArgumentParser
import BridgeClient
import CommandCore
import FastPath
import Links
import LinuxSystem
import PasteboardWire

struct LinkCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "link", abstract: "Let programs on another machine use this pasteboard, over ssh.",
        discussion: """
            On HOST, xpb commands act on the pasteboard of this machine as long as the link is up and HOST has no \
            display and no bridge of its own: 'journalctl -b | xpb set' there, paste here. ssh connects with your \
            configuration, agent and keys; HOST needs nothing but xpb, which --install copies there. The link runs \
            in the foreground, reconnects after a break, and ends with Ctrl-C or --stop. If several machines have a \
            link to HOST, XPB_LINK there names the one to use.

            Programs on HOST may set and clear general and apps' own pasteboards, read the count and the types, and \
            read contents that they have set themselves. --allow get lets them read all contents; find, history, undo, \
            watch, owner and list allow the commands of these names; --allow set alone allows nothing else. Concealed \
            and local contents never pass. The administrator of HOST can use the link while it is up.

            With --share, both machines share the pasteboard general: HOST needs a bridge of its own, and a copy on \
            either machine can be pasted on the other, in all its types. Contents over 64 KiB cross when they \
            are pasted. If both machines copy at about the same time, the later copy wins; the earlier one stays in \
            the history of its machine.

            With --xvfb, HOST starts an X display without a screen, whose bridge shares general, for programs there that \
            read the clipboard through X11 themselves; the link says which DISPLAY they need. HOST needs Xvfb, and xpbd, \
            which --install --xvfb copies there. The display ends with the link and the last of these programs.

              xpb link host --install
              xpb link host --allow get
            """)

    @Argument(
        help: ArgumentHelp(
            "The machine, as ssh knows it: a name, USER@NAME, or a host of its configuration.", valueName: "HOST"),
        completion: .hosts)
    var host: String?

    @Option(
        help: ArgumentHelp(
            "Also allow PERMISSION (get, find, history, undo, watch, owner, list); 'set' by itself allows setting only.",
            valueName: "PERMISSION"),
        completion: .list(permissions))
    var allow: [String] = []

    private static let permissions = ["set", "get", "find", "history", "undo", "watch", "owner", "list"]
    /// The permissions that a link has without --allow.
    private static let usual = ["clear", "count", "types"]

    // Parsed unconditionally, since the options of ssh begin with a dash.
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "An option for ssh, as in ssh_config: --ssh-option Port=2222; or a file, -F: --ssh-option -F --ssh-option FILE.",
            valueName: "OPTION"))
    var sshOption: [String] = []

    @Flag(help: "Share general with the bridge of HOST: a copy on one machine can be pasted on the other.")
    var share = false

    @Option(
        help: ArgumentHelp(
            "With --share, copy contents of up to BYTES immediately, so that they can be pasted after a break.",
            valueName: "BYTES"))
    var keep: Int?

    @Flag(help: "With --share, which it implies: start an X display without a screen on HOST.")
    var xvfb = false

    @Flag(help: "Copy this xpb to ~/.local/bin on HOST, and make the drop-in names there, then exit.")
    var install = false

    @Flag(help: "Make the drop-in names (xclip, wl-paste, ...) for the xpb that HOST has, then exit.")
    var names = false

    @Flag(help: "List the links of this machine.")
    var list = false

    @Flag(help: "End the link to HOST.")
    var stop = false

    /// The endpoint on the other machine, which ssh starts.
    @Option(help: .hidden)
    var endpoint: String?

    @Option(help: .hidden)
    var origin: String?

    @OptionGroup(title: CommonFlags.title) var common: CommonFlags

    func validate() throws {
        guard endpoint == nil else { return }
        guard [install, names, list, stop].filter({ $0 }).count <= 1 else {
            throw ValidationError("--install, --names, --list and --stop exclude each other")
        }
        let permissions = Self.permissions + Self.usual
        if let bad = allow.first(where: { !permissions.contains($0) }) {
            throw ValidationError(
                "'\(bad)' is not a permission of a link; the permissions are \(permissions.joined(separator: ", "))")
        }
        if let keep, keep < 0 || !(share || xvfb) {
            throw ValidationError(keep < 0 ? "--keep takes a number of bytes" : "--keep belongs to --share")
        }
        if list {
            guard host == nil else { throw ValidationError("--list takes no HOST") }
            return
        }
        guard let host, !host.isEmpty else { throw ValidationError("name the machine to link, as in: xpb link server") }
        guard !host.hasPrefix("-"), host.unicodeScalars.allSatisfy({ $0.isPrintable && !$0.properties.isWhitespace })
        else { throw ValidationError("'\(host.filter { !$0.isNewline })' is not the name of a machine") }
    }

    func perform(in session: Session) throws {
        if let endpoint {
            let remote = RemoteEndpoint(
                machine: endpoint, origin: origin ?? "", sharesBridge: share, startsDisplay: xvfb,
                environment: session.environment)
            return try remote.run { try session.output.write($0) }
        }
        if list { return try list(session) }
        guard let host else { return }
        if stop { return try stop(host, session) }
        do {
            if install || names { return try install(on: host, session) }
            try run(host, session)
        } catch let failure as LinkFailure {
            throw Failure(.unavailable, failure.message)
        }
    }

    /// The arguments for ssh: a one-letter option is passed unchanged, and any other as an option of ssh_config(5).
    private var sshArguments: [String] {
        var arguments: [String] = []
        for option in sshOption {
            let isWhole = option.hasPrefix("-") || arguments.last?.takesValue == true
            arguments += isWhole ? [option] : ["-o", option]
        }
        return arguments
    }

    private func run(_ host: String, _ session: Session) throws {
        var options = LinkProcess.Options()
        options.host = host
        options.allow = allow
        options.ssh = sshArguments
        options.shares = share || xvfb
        options.startsDisplay = xvfb
        options.eagerLength = keep
        options.display = common.display
        options.timeout = session.timeout.duration
        options.hasTerminal = TerminalDevice.exists
        let manager = ServiceManager(environment: session.environment)
        let console = session.console
        let link = try LinkProcess(options, environment: session.environment) { event in
            switch event {
            case .up:
                manager.notify("READY=1")
                let use =
                    share || xvfb ? "both machines share general" : "xpb there uses the pasteboard of this machine"
                console.say("the link to \(host) is up; \(use)")
            case .display(let name, let authority):
                console.say("programs on \(host) share it with: export DISPLAY=\(name) XAUTHORITY=\(authority)")
            case .notShared(let reason): console.say(reason)
            case .broken(let reason, let retry):
                console.say("\(reason); trying again in \(retry.components.seconds) s")
            }
        }
        try link.run()
    }

    private func install(on host: String, _ session: Session) throws {
        let installer = LinkInstaller(host: host, ssh: sshArguments, session.environment)
        if install {
            try installer.installProgram(try ThisProcess.executablePath(), as: "xpb")
            if xvfb { try installer.installProgram(try bridgeProgram(session), as: "xpbd") }
        }
        try installer.makeNames(DropInName.allCases.map(\.rawValue))
        let console = session.console
        let folder = LinkInstaller.namesFolder
        console.say(
            "programs on \(host) that call xclip, wl-paste and the like use xpb if ~/.profile there has the line:")
        console.say("export PATH=\"$HOME/\(folder):$PATH\"")
        console.say("'xpb link \(host) --allow get' also lets them read what you copy here, such as a picture")
    }

    private func bridgeProgram(_ session: Session) throws -> String {
        guard let program = BridgeLauncher(environment: session.environment).program else {
            throw Failure(.unavailable, "xpbd was not found beside xpb nor in PATH")
        }
        return program
    }

    private func stop(_ host: String, _ session: Session) throws {
        let client = try session.connect(start: .never)
        let links = try client.call(Methods.Status.self, .init()).reply.links ?? []
        guard links.contains(where: { $0.name == host }) else {
            throw Failure(.nothing, "there is no link to '\(host)'; 'xpb link --list' lists the links")
        }
        _ = try client.call(Methods.CloseLink.self, .init(name: host))
    }

    private func list(_ session: Session) throws {
        let links = try session.connect(start: .never).call(Methods.Status.self, .init()).reply.links ?? []
        // A link that was killed leaves its sockets behind.
        _ = try? LinkFolder.opened(environment: session.environment)
        if common.json { try session.output.write(json: ["links": links]) }
        if links.isEmpty { throw Failure(.nothing, "there are no links; 'xpb link HOST' creates one") }
        if !common.json { try session.output.write(links.map { $0.text + "\n" }.joined()) }
    }
}

extension String {
    /// True for an option of ssh that takes the next argument as its value.
    fileprivate var takesValue: Bool { hasPrefix("-") && count == 2 && "BbcDEeFIiJLlmOopQRSWw".contains(suffix(1)) }
}
