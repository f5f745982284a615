import BridgeClient
import EventLoop
import LinuxSystem
import PasteboardSharing
import PasteboardWire
import SystemPackage

/// The process that keeps a link up: it runs ssh, which forwards a socket of the other machine to a socket of this
/// process, and it relays the connections from there to the bridge.
///
/// Each connection joins the link before its first byte is passed on, so that the bridge decides what the connection
/// may do. After a break, the other machine is tried again, with growing pauses; the first attempt must succeed.
package final class LinkProcess {
    package struct Options: Sendable {
        package var host = ""
        /// The permissions of programs on the other machine, in addition to or instead of the usual ones.
        package var allow: [String] = []
        /// Options of ssh.
        package var ssh: [String] = []
        package var display: String?
        package var timeout = Duration.seconds(5)
        /// True to share the pasteboard general with the bridge of the other machine.
        package var shares = false
        /// True to share it with the bridge of an X display without a screen, which the other machine starts.
        package var startsDisplay = false
        /// The maximum length of representations that are copied to the other machine ahead of a paste.
        package var eagerLength: Int?
        /// True if ssh may ask for a password on the terminal.
        package var hasTerminal = false

        package init() {}
    }

    /// An event of a link that is reported to the user.
    package enum Event: Equatable, Sendable {
        case up
        /// The other machine has started an X display, whose programs share the pasteboard.
        case display(name: String, authority: String)
        case broken(String, retry: Duration)
        /// Contents were not shared, for a reason that was not reported before.
        case notShared(String)
    }

    private let options: Options
    private let environment: [String: String]
    private let onEvent: (Event) -> Void
    private let loop = EventLoop()
    private let executor = EventLoopExecutor()
    private let signals: SignalDescriptor
    private let folder: LinkFolder
    private let control: LinkControl
    /// A token that distinguishes this link, in the other machine's bridge, from the links of machines with the same
    /// name.
    private let token = String(UInt128.random(in: .min ... .max), radix: 36)
    /// The link in the bridge; nil until it is opened.
    private var link: (key: String, path: String)?
    private let opened = PendingValue<Result<Void, BridgeClientError>>()
    private var master: SSHMaster?
    private var relay: SocketRelay?
    /// The socket that leads to the bridge of the display that the other machine started.
    private var displayBridge: String?
    /// The reported reasons why contents were not shared.
    private var faults: Set<String> = []
    private let ending = PendingValue<Void>()
    private var failure: (any Error)?

    /// The first and the longest pause after a break; each pause is twice the last.
    private static let (minPause, maxPause) = (Duration.seconds(1), Duration.seconds(60))
    /// The timeout for the exit of ssh.
    private static let shutdownGrace = Duration.seconds(3)
    /// The minimum duration of a connection that resets the pause to the shortest.
    private static let steadyTime = Duration.seconds(60)
    /// The timeout for the other machine's answer after a break. The first attempt has no timeout, since it may wait
    /// for the user's password.
    private static let answerTimeout = Duration.seconds(60)
    /// The maximum number of reasons that are reported, since the other machine may send any number of them.
    private static let maxFaults = 32

    /// - Throws: ``BridgeClientError`` with code `unavailable` if there is no folder for the sockets.
    package init(
        _ options: Options, environment: [String: String], onEvent: @escaping (Event) -> Void
    ) throws {
        self.options = options
        self.environment = environment
        self.onEvent = onEvent
        // The signals are blocked before the first thread starts.
        signals = try SignalDescriptor([.interrupt, .terminate, .hangup])
        folder = try LinkFolder.opened(environment: environment)
        control = try LinkControl(
            .init(
                name: options.host, allow: options.allow.isEmpty ? nil : options.allow,
                shared: options.shares ? true : nil)
        ) { [options, environment] isFirst throws(BridgeClientError) in
            try BridgeClient.connect(
                display: options.display, environment: environment, timeout: options.timeout,
                start: isFirst ? .forDisplay : .never)
        }
    }

    /// Keeps the link up until a signal or the user ends it.
    ///
    /// - Throws: ``BridgeClientError`` if the link cannot be opened in the bridge, ``LinkFailure`` if the other machine
    ///   cannot be reached at first.
    package func run() throws {
        watch(signals.fileDescriptor) { [unowned self] in
            while signals.nextWithOrigin() != nil { ending.deliver(()) }
        }
        watch(control.fileDescriptor) { [unowned self] in for event in control.drain() { handle(event) } }
        loop.earliestDeadline = { [executor] in executor.timers.earliest }
        loop.deadlinesPassed = { [executor] now in for body in executor.timers.takeDue(at: now) { body() } }
        let work = executor.start { [self] in
            do {
                try await opened.get().get()
                try await keepUp()
            } catch {
                failure = error
            }
            ending.deliver(())
        }
        executor.start { [self] in
            await ending.get()
            close()
            // The sockets are removed once ssh has ended.
            work.cancel()
            _ = await executor.withTimeout(Self.shutdownGrace, cancels: false) { await work.wait() }
            loop.stop()
        }
        if !ending.isDelivered { try loop.run() }
        if let failure { throw failure }
    }

    private func watch(_ fileDescriptor: FileDescriptor, _ handler: @escaping () -> Void) {
        _ = loop.add(fileDescriptor, interest: .readable) { _ in handler() }
    }

    private func handle(_ event: LinkControl.Event) {
        switch event {
        case .opened(let key, let path):
            link = (key, path)
            opened.deliver(.success(()))
            relay?.isAccepting = true
            if relay != nil { report(attached: true) }
        case .lost:
            link = nil
            relay?.isAccepting = false
        case .closed: ending.deliver(())
        case .failed(let error) where opened.isDelivered:
            failure = error
            ending.deliver(())
        case .failed(let error): opened.deliver(.failure(error))
        }
    }

    private func close() {
        // The display has no use without the link. Xvfb ends with its last client.
        if let displayBridge, let connection = try? ClientConnection.connect(path: displayBridge) {
            _ = try? connection.call(Methods.Stop.self, .init(), idleTimeout: options.timeout)
        }
        relay?.close()
        master?.close()
        control.close()
    }

    // MARK: The other machine

    /// Connects to the other machine, and reconnects after each break. The first attempt must succeed.
    private func keepUp() async throws {
        var pause = Self.minPause
        var isFirst = true
        while !ending.isDelivered {
            let reason: LinkFailure
            let start = ContinuousClock.now
            do throws(LinkFailure) {
                reason = try await connectOnce(within: isFirst ? nil : Self.answerTimeout)
                if start.duration(to: .now) > Self.steadyTime { pause = Self.minPause }
            } catch {
                if ending.isDelivered { return }
                if isFirst { throw error }
                reason = error
            }
            isFirst = false
            if ending.isDelivered { return }
            report(attached: false, reason.message)
            onEvent(.broken(reason.message, retry: pause))
            await executor.sleep(until: .now + pause)
            pause = min(pause * 2, Self.maxPause)
        }
    }

    /// Connects to the other machine, and returns the reason for the end of the connection.
    ///
    /// - Parameter timeout: The timeout for the other machine's answer; nil for no limit.
    private func connectOnce(within timeout: Duration?) async throws(LinkFailure) -> LinkFailure {
        let control = folder.newPath(for: "", suffix: ".ssh")
        let master = SSHMaster(
            host: options.host, options: options.ssh, asksUser: options.hasTerminal, environment: environment,
            control: control, on: loop, executor)
        self.master = master
        defer { master.close() }
        // ssh makes its control socket before it runs the command, which checks whether that file exists.
        let announcement = try await announcement(of: master, origin: Folder.name(of: control), within: timeout)
        if announcement.isSameMachine { throw .sameMachine(host: options.host) }
        // The other machine does not decide whether the pasteboard is shared.
        guard options.shares else { return try await relayCalls(from: announcement.socket, over: master) }
        guard let bridge = announcement.bridge else { throw .sharing(host: options.host, "it has no bridge") }
        return try await share(bridge, of: announcement, over: master)
    }

    /// Relays connections from the other machine to the bridge, and returns the reason for the end.
    ///
    /// - Parameter path: The path at which sshd listens there.
    private func relayCalls(from path: String, over master: SSHMaster) async throws(LinkFailure) -> LinkFailure {
        let socket = folder.newPath(for: options.host, suffix: ".relay")
        let relay = try makeRelay(at: socket)
        defer {
            relay.close()
            self.relay = nil
            Folder.removeFile(socket)
        }
        if let messages = await master.forward(remote: path, to: socket) {
            throw .notForwarded(host: options.host, messages: messages)
        }
        // While there is no bridge, connections wait.
        relay.isAccepting = link != nil
        self.relay = relay
        report(attached: true)
        onEvent(.up)
        return LinkFailure(await master.ended(), host: options.host, hasTerminal: options.hasTerminal)
    }

    /// Shares the pasteboard general with the bridge of the other machine, and returns the reason for the end.
    ///
    /// - Parameter path: The path of that bridge's socket, on the other machine.
    private func share(
        _ path: String, of announcement: RemoteEndpoint.Announcement, over master: SSHMaster
    ) async throws(LinkFailure) -> LinkFailure {
        let socket = folder.newPath(for: options.host, suffix: ".shared")
        defer {
            displayBridge = nil
            Folder.removeFile(socket)
        }
        if let messages = await master.forward(local: socket, toRemote: path) {
            throw .notForwarded(host: options.host, messages: messages)
        }
        let sharing: SharingConnection
        do {
            guard let link else { throw BridgeClientError(code: .unavailable, message: "the bridge has ended") }
            sharing = try SharingConnection(
                local: link, remote: socket, machine: ThisProcess.machineName, token: token,
                eagerLength: options.eagerLength, timeout: options.timeout, on: loop, executor
            ) { [unowned self] in note($0) }
        } catch {
            throw .sharing(host: options.host, "\(error)")
        }
        defer { sharing.close() }
        let ended = PendingValue<LinkFailure>()
        executor.start { [options] in
            ended.deliver(LinkFailure(await master.ended(), host: options.host, hasTerminal: options.hasTerminal))
        }
        executor.start { [options] in ended.deliver(.sharing(host: options.host, await sharing.ended())) }
        guard await sharing.started() else { throw await ended.get() }
        report(attached: true)
        onEvent(.up)
        if options.startsDisplay, let display = announcement.display, let authority = announcement.authority {
            displayBridge = socket
            onEvent(.display(name: display, authority: authority))
        }
        return await ended.get()
    }

    /// Reports the reason why contents were not shared: to the bridge, and to the user if the reason is new.
    private func note(_ fault: SharedCopy.Fault?) {
        guard let fault else { return report(attached: true) }
        let place = fault.side == .remote ? "on \(options.host): " : ""
        let reason = "contents were not shared: \(place)\(fault.message.printable)"
        report(attached: true, reason)
        guard faults.count < Self.maxFaults, faults.insert(reason).inserted else { return }
        onEvent(.notShared(reason))
    }

    private func makeRelay(at path: String) throws(LinkFailure) -> SocketRelay {
        do {
            return SocketRelay(try UnixSocket.listen(at: path), on: loop) { [unowned self] in
                try connectToBridge()
            }
        } catch {
            throw .local("the socket \(path) cannot be made: \(error)")
        }
    }

    /// Starts the endpoint on the other machine, and waits for its announcement.
    private func announcement(
        of master: SSHMaster, origin: String, within timeout: Duration?
    ) async throws(LinkFailure) -> RemoteEndpoint.Announcement {
        let announced = PendingValue<RemoteEndpoint.Announcement?>()
        do throws(Errno) {
            let command = Self.command(
                machine: ThisProcess.machineName, origin: origin, options)
            try master.start(command) { line in
                RemoteEndpoint.Announcement(line: line).map { announced.deliver($0) }
            }
        } catch {
            throw .withoutSSH(error)
        }
        executor.start {
            _ = await master.ended()
            announced.deliver(nil)
        }
        if let timeout, await executor.withTimeout(timeout, cancels: false, { await announced.get() }) == nil {
            throw .silent(host: options.host, timeout)
        }
        guard let announcement = await announced.get() else {
            throw LinkFailure(await master.ended(), host: options.host, hasTerminal: options.hasTerminal)
        }
        return announcement
    }

    /// Returns the command for the shell of the other machine, which may be of any kind. ssh runs it without the login
    /// profile, so PATH may lack the folder of programs that the user has installed.
    private static func command(machine: String, origin: String, _ options: Options) -> String {
        let machine = LinkFolder.fileName(of: machine)
        let flags = (options.shares ? " --share" : "") + (options.startsDisplay ? " --xvfb" : "")
        return "exec sh -c 'PATH=\"$PATH:$HOME/.local/bin:/usr/local/bin\"; "
            + "exec xpb link --endpoint \(machine) --origin \(origin)\(flags)'"
    }

    // MARK: The bridge

    /// Returns a connection to the bridge that has joined the link.
    private func connectToBridge() throws -> Descriptor {
        guard let link else { throw BridgeClientError(code: .unavailable, message: "the bridge has ended") }
        let connection = try ClientConnection.connect(path: link.path)
        _ = try connection.call(Methods.JoinLink.self, .init(key: link.key), idleTimeout: options.timeout)
        return connection.socket
    }

    /// Reports the state of the link to the bridge, for its status.
    private func report(attached: Bool, _ reason: String? = nil) {
        guard let link, let connection = try? ClientConnection.connect(path: link.path) else { return }
        _ = try? connection.call(
            Methods.ReportLink.self, .init(key: link.key, attached: attached, reason: reason),
            idleTimeout: options.timeout)
    }
}
