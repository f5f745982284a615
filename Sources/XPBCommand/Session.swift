import BridgeClient
import FastPath
import LinuxSystem
import PasteboardModel
import PasteboardWire
import TypeDatabase

/// What a command works with: its common options, the world around it, and the bridge when it asks for it.
struct Session {
    let common: CommonOptions
    let environment: [String: String]
    let console: Console
    let output = StandardOutput()
    /// What the fast path has done with the line.
    private let outcome: FastPath.Outcome

    init(
        _ common: CommonOptions, after outcome: FastPath.Outcome = .declined(),
        environment: [String: String] = ThisProcess.environment()
    ) {
        self.common = common
        self.outcome = outcome
        self.environment = environment
        console = Console(isQuiet: common.quiet, isVerbose: common.verbose)
    }

    /// The names of the pasteboards meant, each checked, in their one spelling and once.
    func pasteboards() throws(Failure) -> [String] {
        guard !common.pasteboards.isEmpty else { return [PasteboardName.general.string] }
        var names: [String] = []
        for given in common.pasteboards {
            let name = try Self.name(given).string
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// The pasteboard's name, checked.
    static func name(_ given: String) throws(Failure) -> PasteboardName {
        do {
            return try PasteboardName(validating: given)
        } catch {
            throw Failure(BridgeClientError(error))
        }
    }

    /// For a command about one pasteboard.
    func pasteboard() throws(Failure) -> String {
        let names = try pasteboards()
        guard names.count == 1 else { throw .usage("only one pasteboard can be named here") }
        return names[0]
    }

    /// To be called before types are looked up, so that what the user and the desktop declare counts. It takes time,
    /// and most runs look none up.
    func lookTypesUp() { TypeDatabase.install(environment: environment) }

    /// Does something with each pasteboard, whatever becomes of the others. The first failure is that of the command.
    func forEach(_ names: [String], _ body: (String) throws -> Void) throws(Failure) {
        var failures: [Failure] = []
        for name in names {
            do {
                try body(name)
            } catch {
                let failure = Failure(reporting: error)
                // There is nobody to tell anything.
                if failure.status == .brokenPipe { throw failure }
                failures.append(failure)
            }
        }
        guard let first = failures.first, let last = failures.last else { return }
        for failure in failures.dropLast() { console.say(failure.message) }
        throw Failure(first.status, last.message)
    }

    var timeout: Seconds { common.timeout ?? Seconds(5) }

    /// The bridge that the fast path has sent the call to, and how many bytes of the reply standard output already has;
    /// nil if it has sent none.
    func sentCall() -> (client: BridgeClient, written: Int)? {
        guard case .sent(let sent) = outcome else { return nil }
        let connection = ClientConnection(
            socket: sent.connection, received: sent.received, descriptors: sent.descriptors)
        let client = BridgeClient(adopting: connection, path: sent.path, timeout: timeout.duration)
        return (client, sent.written)
    }

    /// What the fast path has read of standard input.
    var read: [UInt8] {
        if case .declined(_, let read) = outcome { read } else { [] }
    }

    func connect(start: BridgeFinder.Start = .forDisplay) throws(Failure) -> BridgeClient {
        do {
            return try BridgeClient.connect(
                display: common.display, environment: environment, timeout: timeout.duration, start: start)
        } catch {
            // A bridge that does not run and is not to be started is not a fault.
            throw start == .never ? Failure(error, advice: nil) : Failure(error)
        }
    }
}

extension Session {
    /// All that is on a pasteboard; that nothing is there is a failure.
    func fetch(_ pasteboard: String, by client: BridgeClient) throws(Failure) -> FetchedContents {
        // Each representation may be a file of its own.
        DescriptorLimit.raise(to: 4_096)
        do throws(BridgeClientError) {
            let contents = try client.fetch(pasteboard: pasteboard)
            console.detail("\(contents.forms.count) representations, count \(contents.count)")
            guard !contents.forms.isEmpty else {
                throw BridgeClientError(code: .empty, message: "the pasteboard '\(pasteboard)' is empty")
            }
            return contents
        } catch {
            throw Failure(error)
        }
    }
}

extension FetchedContents {
    /// What could not be had; nil where that is nothing.
    var problem: Failure? {
        let missing = forms.compactMap { form in
            if case .missing(let reason) = form.bytes { "\(form.type) of item \(form.item): \(reason)" } else { nil }
        }
        guard let first = missing.first else { return nil }
        let others = missing.count > 1 ? " (and \(missing.count - 1) more)" : ""
        return Failure(.broken, "not everything could be had: \(first)\(others)")
    }
}
