package import BridgeServer
import BridgeState
import LinuxSystem
import PasteboardModel
package import PasteboardWire

/// A client of the service: the handler of its calls, with its link and its promises.
package final class Client: CallHandler {
    package let session: CallSession
    let service: Service
    /// The link that this connection belongs to.
    private(set) var link: Link?
    /// The link that restricts the calls of this connection; nil if the connection may make all calls.
    private(set) var restriction: Link?
    /// The promises that this client may be asked for.
    private var promises: [PromiseSet] = []

    package init(_ session: CallSession, service: Service) {
        self.session = session
        self.service = service
    }

    /// The writer of this client's contents: the program that the process had when it first wrote.
    private(set) lazy var writer = PasteboardState.Writer(process: process, program: ProcessName.of(process))

    var process: Int32 { session.process }
    var connection: ServerConnection { session.connection }
    var transfers: ClientTransfers { session.transfers }
    var isClosed: Bool { session.isClosed }

    package var isIdle: Bool { promises.allSatisfy(\.isSettled) }

    package var isNeeded: Bool { service.registry.value.hasPasteboards(of: ObjectIdentifier(self)) }

    package func perform(_ call: IncomingCall) async throws {
        let method = MethodName(call)
        let isCompleted = method.map(CallTraits.of)?.isCompleted == true
        if isCompleted { service.callsUnderway.begin() }
        defer { if isCompleted { service.callsUnderway.end() } }
        try await perform(call, method)
    }

    package func isCancellable(_ call: IncomingCall) -> Bool {
        MethodName(call).map(CallTraits.of)?.isCancellable == true
    }

    package func connectionEnded() {
        let broken = promises
        promises = []
        for set in broken { set.abandon("the program that promised these bytes has ended") }
        if !broken.isEmpty { service.promisesBroke() }
        link?.remove(self)
        service.removeClient(self)
    }

    /// Adds promises, which are broken when the connection ends.
    func add(_ set: PromiseSet) {
        promises.removeAll(where: \.isSettled)
        promises.append(set)
        if isClosed { set.abandon("the program that promised these bytes has ended") }
    }

    /// Adds this connection to a link, until the connection ends.
    ///
    /// - Parameter isRestricted: True if the connection may make only the calls that the link allows.
    func join(_ link: Link, isRestricted: Bool) throws(BridgeError) {
        guard self.link == nil else { throw BridgeError(.refused, "this connection already belongs to a link") }
        self.link = link
        if isRestricted {
            restriction = link
            transfers.link = link.transfers
        }
        link.add(self)
    }

    // MARK: Replies

    func reply<Reply: Encodable>(_ reply: Reply, descriptors: [Descriptor] = []) {
        session.reply(permitted(reply), descriptors: descriptors)
    }

    func replyInPart<Reply: Encodable>(_ reply: Reply, descriptors: [Descriptor] = []) {
        session.replyInPart(permitted(reply), descriptors: descriptors)
    }

    /// Returns a reply without the fields that may not be sent over a link.
    func permitted<Reply>(_ reply: Reply) -> Reply { restriction?.permitted(reply) ?? reply }
}
