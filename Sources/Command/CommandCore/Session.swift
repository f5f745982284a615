package import BridgeClient
package import FastPath
import LinuxSystem
package import PasteboardModel
package import PasteboardWire
import TypeDatabase

/// The environment of a command: its common options, the streams, and the bridge on demand.
package struct Session {
    package let common: CommonOptions
    package let environment: [String: String]
    package let console: Console
    package let output = StandardOutput()
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
    package func pasteboards() throws(Failure) -> [String] {
        guard !common.pasteboards.isEmpty else { return [PasteboardName.general.string] }
        var names: [String] = []
        for given in common.pasteboards {
            let name = try Self.name(given).string
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// Checks the name of a pasteboard.
    package static func name(_ given: String) throws(Failure) -> PasteboardName {
        do {
            return try PasteboardName(validating: given)
        } catch {
            throw Failure(BridgeClientError(error))
        }
    }

    /// Returns the only pasteboard of a command that takes one.
    package func pasteboard() throws(Failure) -> String {
        let names = try pasteboards()
        guard names.count == 1 else { throw .usage("name only one pasteboard") }
        return names[0]
    }

    /// Installs the types that the user and the desktop declare. This takes time, so it is called only before types are
    /// looked up.
    package func installTypes() { TypeDatabase.install(environment: environment) }

    /// Calls `body` for each pasteboard, even after failures. The first failure's status becomes the command's.
    package func forEach(_ names: [String], _ body: (String) throws -> Void) throws(Failure) {
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

    package var timeout: Seconds { common.timeout ?? Seconds(5) }

    /// Returns the client of the connection on which the fast path sent the call, and the number of bytes of the
    /// representation already written; nil if the fast path sent no call.
    package func sentCall() -> (client: BridgeClient, written: Int)? {
        guard case .sent(let sent) = outcome else { return nil }
        let connection = ClientConnection(
            socket: sent.connection, received: sent.received, descriptors: sent.descriptors)
        let client = BridgeClient(adopting: connection, path: sent.path, timeout: timeout.duration)
        return (client, sent.written)
    }

    /// The bytes that the fast path has read from standard input.
    package var read: [UInt8] {
        if case .declined(_, let read) = outcome { read } else { [] }
    }

    package func connect(start: BridgeFinder.Start = .forDisplay) throws(Failure) -> BridgeClient {
        let mayStartInside = start != .never && Container.isAround
        do {
            if mayStartInside, let found = try? client(start: .never) { return found }
            let client = try client(start: start)
            if mayStartInside {
                console.say(
                    "the bridge was started in this container and ends with it; Documents/Containers.md has the way to use a "
                        + "bridge outside")
            }
            return client
        } catch {
            throw Failure(error)
        }
    }

    private func client(start: BridgeFinder.Start) throws(BridgeClientError) -> BridgeClient {
        try BridgeClient.connect(
            display: common.display, environment: environment, timeout: timeout.duration, start: start)
    }
}

extension Session {
    /// Fetches every representation on a pasteboard. Throws a failure with status 1 if the pasteboard is empty.
    package func fetch(_ pasteboard: String, by client: BridgeClient) throws(Failure) -> FetchedContents {
        // Each representation may be a separate file.
        DescriptorLimit.raise(to: 4_096)
        do throws(BridgeClientError) {
            let contents = try showingTransfer(of: pasteboard) { () throws(BridgeClientError) in
                try client.fetch(pasteboard: pasteboard)
            }
            console.detail("\(contents.representations.count.counting("representation")), count \(contents.count)")
            guard !contents.representations.isEmpty else { throw Self.empty(pasteboard) }
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

extension Session {
    /// The maximum number of targets that the bridge reads from another program's list.
    private static let maxTargets = 1_024

    private static func empty(_ pasteboard: String) -> BridgeClientError {
        BridgeClientError(code: .empty, message: "the pasteboard \(PasteboardName.quoted(pasteboard)) is empty")
    }

    /// Describes the contents of a pasteboard. Throws a failure with status 1 if the pasteboard is empty.
    package func describe(
        _ pasteboard: String, by client: BridgeClient, lengths: Bool = false, targets: Bool = false, entry: Int? = nil
    ) throws -> Methods.Describe.Reply {
        let parameters = Methods.Describe.Parameters(
            pasteboard: pasteboard, lengths: lengths ? true : nil, targets: targets ? true : nil,
            timeout: client.timeoutMilliseconds, entry: entry)
        let contents = try client.call(Methods.Describe.self, parameters, isLong: lengths).reply
        if contents.shortened == true {
            console.say(
                "the program that copied this lists more than \(Self.maxTargets) targets; uncommon ones among the "
                    + "others are left out")
        }
        if contents.items.isEmpty { throw Self.empty(pasteboard) }
        return contents
    }
}
