import BridgeServer
import BridgeState
import LinuxSystem
import PasteboardModel
import PasteboardWire

/// A link to another machine: the permissions of programs there, and the connections that carry their calls.
///
/// The process of `xpb link` joins each of these connections to the link; the other machine has no other way to the
/// bridge. A call is checked before it is performed, and the contents that it reads are checked again when their holder
/// is known.
package final class Link {
    /// The other machine, as the user named it, or as it names itself, with a number if another one has that name.
    let name: String
    let key: String
    let process: Int32
    let permissions: Set<LinkPermission>
    let isShared: Bool
    /// The token that distinguishes a link made by the other machine from links of machines with the same name; nil for
    /// a link made here. A later link with the same token replaces this one.
    let token: String?
    let since = UnixTime.now
    /// True while the machine is reached.
    var isAttached = false
    /// The reason why the machine is not reached, or why the last copy was not shared with it.
    var reason: String?
    private var clients: [ObjectIdentifier: Client] = [:]
    private var rate = CallRate()
    private var calls = 0
    private var refused = 0
    private var lastCall: Int?
    let transfers = LinkTransfers()
    /// The pasteboards that did not exist when calls named them, so that the calls may have made them.
    private var newPasteboards: Set<PasteboardName> = []
    /// The names of the types that calls have set.
    private var typeNames: Set<[UInt8]> = []

    /// The maximum timeout of a call, in milliseconds: other writers of a pasteboard may wait for it.
    package static let maxTimeout = 300_000
    /// The maximum number of pasteboards that the link makes.
    package static let maxNewPasteboards = 64
    /// The maximum number of names of types. Each may have an atom of the X server, whose number is limited for all.
    package static let maxTypeNames = 4_096

    init(name: String, process: Int32, permissions: Set<LinkPermission>, isShared: Bool, token: String?) {
        self.name = name
        self.process = process
        self.permissions = permissions
        self.isShared = isShared
        self.token = token
        key = String(UInt128.random(in: .min ... .max), radix: 36)
    }

    // MARK: Connections

    func add(_ client: Client) { clients[ObjectIdentifier(client)] = client }

    func remove(_ client: Client) { clients[ObjectIdentifier(client)] = nil }

    func closeAll() {
        for client in clients.values { client.session.close() }
    }

    // MARK: Calls

    /// Throws unless the link allows a call.
    func admit(_ call: IncomingCall, _ method: MethodName?, to registry: PasteboardRegistry) throws {
        calls += 1
        lastCall = UnixTime.now
        do {
            guard rate.take(at: .now) else {
                throw BridgeError(
                    .refused, "the link accepts at most \(CallRate.callsPerSecond) calls per second; slow down")
            }
            try check(call, method, registry)
        } catch {
            refused += 1
            throw error
        }
    }

    private func check(_ call: IncomingCall, _ method: MethodName?, _ registry: PasteboardRegistry) throws {
        guard let method else {
            // Information about the service itself.
            guard call.method.hasPrefix(ServiceInterface.name + ".") else { return }
            throw BridgeError(.refused, "\(call.method) is not possible over a link")
        }
        switch CallTraits.of(method).link {
        case .always: return
        case .never: throw BridgeError(.refused, "\(method.rawValue) is not possible over a link")
        case .reads: break
        case .needs(let permission): try require(permission)
        }
        if method == .set { try check(call.parameters(Methods.Set.Parameters.self)) }
        try check(call.parameters(LinkedParameters.self), registry)
    }

    private func check(_ parameters: Methods.Set.Parameters) throws(BridgeError) {
        if parameters.options?.concealed == true { throw .secretOverLink }
        // Contents that remove themselves leave an empty pasteboard.
        if parameters.options?.expires != nil || parameters.options?.once == true { try require(.clear) }
        if parameters.items.contains(where: { $0.representations.contains { $0.promise != nil } }) {
            throw BridgeError(.refused, "no promise can be made over a link; provide the bytes at once")
        }
    }

    private func check(_ parameters: LinkedParameters, _ registry: PasteboardRegistry) throws(BridgeError) {
        if parameters.origin != nil { throw .notShared }
        if parameters.entry != nil { try require(.history) }
        // The error for a wrong count has the present count, and that for a wrong item the number of items.
        if parameters.ifCount != nil { try require(.count) }
        if parameters.into != nil { try require(.types) }
        // The contents of a program would have to be read for this, and the length of a password is part of the secret.
        if parameters.lengths == true { try require(.get) }
        if let timeout = parameters.timeout, timeout > Self.maxTimeout {
            throw BridgeError(.refused, "a call over a link waits at most \(Self.maxTimeout / 1_000) s")
        }
        let names = (parameters.pasteboards ?? []) + [parameters.pasteboard].compactMap(\.self)
        try PasteboardName.checkNumber(of: names)
        // A name that is not valid is an error of the call itself.
        for name in names.compactMap({ try? PasteboardName(validating: $0) }) { try check(name, registry[name]) }
    }

    /// Throws unless the link may name a pasteboard, which is nil if there is none.
    func check(_ name: PasteboardName, _ pasteboard: PasteboardState?) throws(BridgeError) {
        if name.isSystem, name != .general { try require(.find) }
        if pasteboard?.isHidden == true { throw BridgeError(.noSuchPasteboard(name)) }
        guard pasteboard == nil, newPasteboards.insert(name).inserted else { return }
        guard newPasteboards.count > Self.maxNewPasteboards else { return }
        newPasteboards.remove(name)
        throw BridgeError(.refused, "a link makes at most \(Self.maxNewPasteboards) pasteboards")
    }

    private func require(_ permission: LinkPermission) throws(BridgeError) {
        guard permissions.contains(permission) else { throw .notAllowed(permission, link: name) }
    }

    // MARK: Contents

    /// Throws unless programs of the other machine may know about contents that a client wrote.
    func checkMayKnow(_ version: PasteboardState.Version) throws(BridgeError) {
        if version.isSecret { throw .secretOverLink }
        if version.isLocalOnly { throw .localOverLink }
    }

    /// Throws unless programs of the other machine may read contents.
    ///
    /// - Parameter version: nil for contents of another program.
    func checkMayRead(_ version: PasteboardState.Version?) throws(BridgeError) {
        if let version {
            try checkMayKnow(version)
            // Contents that came over the link are not new to the other machine.
            if version.writer.link == name { return }
        }
        try require(.get)
    }

    // MARK: Types

    /// Throws if the contents and all earlier ones have too many names of types.
    func addTypeNames(of contents: Contents) throws(BridgeError) {
        let names = typeNames.union(contents.names)
        guard names.count <= Self.maxTypeNames else {
            throw BridgeError(.refused, "a link takes contents of at most \(Self.maxTypeNames) different types")
        }
        typeNames = names
    }

    // MARK: Status

    var status: WireLink {
        WireLink(
            name: name, process: Int(process), since: since, allowed: permissions.map(\.rawValue).sorted(),
            shared: isShared, attached: isAttached, reason: reason, connections: clients.count, calls: calls,
            refused: refused, last: lastCall)
    }
}

/// The parameters, of all methods, that a link's decision depends on.
private struct LinkedParameters: Decodable {
    var pasteboard: String?
    var pasteboards: [String]?
    var entry: Int?
    var ifCount: Int?
    var into: Int?
    var lengths: Bool?
    var timeout: Int?
    var origin: WireOrigin?
}

extension BridgeError {
    static let secretOverLink = BridgeError(
        .refused, "the contents are concealed, and do not pass a link", reason: BridgeError.withheldReason)

    static let localOverLink = BridgeError(
        .refused, "the contents are for their own machine only", reason: BridgeError.withheldReason)

    fileprivate static let notShared = BridgeError(.refused, "this link does not share the pasteboard")

    fileprivate static func notAllowed(_ permission: LinkPermission, link: String) -> BridgeError {
        let start = "restart it with '--allow \(permission.rawValue)' on the machine where it was started"
        return BridgeError(
            .refused,
            permission == .get
                ? "the link does not allow reading contents that did not come over it; \(start)"
                : "the link does not allow '\(permission.rawValue)'; \(start)")
    }
}
