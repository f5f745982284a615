package import BridgeClient
package import FastPath
import LinuxSystem
import PasteboardModel
import PasteboardWire
import TypeDatabase

/// The environment of a command: its common options, the streams, and the bridge on demand.
package struct Session {
    let common: CommonOptions
    let environment: [String: String]
    let console: Console
    let output = StandardOutput()
    private let outcome: FastPath.Outcome

    package init(
        _ common: CommonOptions, after outcome: FastPath.Outcome = .declined(),
        environment: [String: String] = ThisProcess.environment()
    ) {
        self.common = common
        self.outcome = outcome
        self.environment = environment
        console = Console(isQuiet: common.quiet, isVerbose: common.verbose)
    }

    /// Returns the canonical names of the given pasteboards, each once; general if none is given.
    func pasteboards() throws(Failure) -> [String] {
        guard !common.pasteboards.isEmpty else { return [PasteboardName.general.string] }
        var names: [String] = []
        for given in common.pasteboards {
            let name = try Self.name(given).string
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// Checks the name of a pasteboard.
    static func name(_ given: String) throws(Failure) -> PasteboardName {
        do {
            return try PasteboardName(validating: given)
        } catch {
            throw Failure(BridgeClientError(error))
        }
    }

    /// Returns the only pasteboard of a command that takes one.
    package func pasteboard() throws(Failure) -> String {
        let names = try pasteboards()
        guard names.count == 1 else { throw .usage("name one pasteboard only") }
        return names[0]
    }

    /// Refuses -p for a command that concerns no pasteboard, or all of them.
    func refusePasteboard(for command: String) throws(Failure) {
        guard common.pasteboards.isEmpty else { throw .usage("\(command) takes no pasteboard; leave -p out") }
    }

    /// Makes the types that the user and the desktop declare known. It takes time that most runs need not spend, so it
    /// is called only before types are looked up.
    func installTypes() { TypeDatabase.install(environment: environment) }

    /// Does something with each pasteboard, even after failures. The status of the first failure is that of the
    /// command.
    func forEach(_ names: [String], _ body: (String) throws -> Void) throws(Failure) {
        var failures: [Failure] = []
        for name in names {
            do {
                try body(name)
            } catch {
                let failure = Failure(reporting: error)
                // Standard output has no reader, so nothing more can be written.
                if failure.status == .brokenPipe { throw failure }
                failures.append(failure)
            }
        }
        guard let first = failures.first, let last = failures.last else { return }
        for failure in failures.dropLast() { console.say(failure.message) }
        throw Failure(first.status, last.message)
    }

    var timeout: Seconds { common.timeout ?? Seconds(5) }

    /// Returns the client of the connection on which the fast path has sent the call, and how many bytes of the
    /// representation are already written; nil if it has sent none.
    func sentCall() -> (client: BridgeClient, written: Int)? {
        guard case .sent(let sent) = outcome else { return nil }
        let connection = ClientConnection(
            socket: sent.connection, received: sent.received, descriptors: sent.descriptors)
        let client = BridgeClient(adopting: connection, path: sent.path, timeout: timeout.duration)
        return (client, sent.written)
    }

    /// The bytes that the fast path has read from standard input.
    var read: [UInt8] {
        if case .declined(_, let read) = outcome { read } else { [] }
    }

    func connect(start: BridgeFinder.Start = .forDisplay) throws(Failure) -> BridgeClient {
        do {
            return try BridgeClient.connect(
                display: common.display, environment: environment, timeout: timeout.duration, start: start)
        } catch {
            throw Failure(error)
        }
    }
}

extension Session {
    /// Fetches every representation on a pasteboard. Throws a failure with status 1 if the pasteboard is empty.
    func fetch(_ pasteboard: String, by client: BridgeClient) throws(Failure) -> FetchedContents {
        // Each representation may be a file of its own.
        DescriptorLimit.raise(to: 4_096)
        do throws(BridgeClientError) {
            let contents = try showingTransfer(of: pasteboard) { () throws(BridgeClientError) in
                try client.fetch(pasteboard: pasteboard)
            }
            console.detail("\(contents.representations.count.counting("representation")), count \(contents.count)")
            guard !contents.representations.isEmpty else {
                throw BridgeClientError(code: .empty, message: "the pasteboard '\(pasteboard)' is empty")
            }
            return contents
        } catch {
            throw Failure(error)
        }
    }
}

extension FetchedContents {
    /// The failure that names the missing representations; nil if none is missing.
    package var problem: Failure? {
        let missing = representations.compactMap { representation in
            if case .missing(let reason) = representation.bytes {
                "\(representation.type) of item \(representation.item): \(reason)"
            } else {
                nil
            }
        }
        guard let first = missing.first else { return nil }
        let others = missing.count > 1 ? " (and \(missing.count - 1) more)" : ""
        return Failure(.broken, "not everything could be fetched: \(first)\(others)")
    }
}
