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
    /// The other machine's name, as given by the user or by the machine itself, with a number if another machine has
    /// that name.
    let name: String
    let key: String
    let process: Int32
    let permissions: Set<LinkPermission>
    let isShared: Bool
    /// The token that distinguishes a link made by the other machine from links of machines with the same name; nil for
    /// a link made here. A later link with the same token replaces this one.
    let token: String?
    let since = UnixTime.now
    /// True while the machine is connected.
    var isAttached = false
    /// The reason why the machine is not connected, or why the last copy was not shared with it.
    var reason: String?
    private var clients: [ObjectIdentifier: Client] = [:]
    private var rate = CallRate()
    private var calls = 0
    private var refused = 0
    private var lastCall: Int?
    let transfers = LinkTransfers()
    /// The pasteboards that did not exist when calls named them, and that the calls may have made.
    private var newPasteboards: Set<PasteboardName> = []
    /// The names of the types that calls have set.
    private var typeNames: Set<[UInt8]> = []

    /// The maximum timeout of a call, in milliseconds: other writers of a pasteboard may wait for the call.
    package static let maxTimeout = 300_000
    /// The maximum number of pasteboards that the link makes.
    package static let maxNewPasteboards = 64
    /// The maximum number of type names. Each may need an atom of the X server, which limits the atoms of all programs.
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
            // Other interfaces give information about the service itself.
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
        // An error about the count shows the present count, and one about an item shows the number of items.
        if parameters.ifCount != nil { try require(.count) }
        if parameters.into != nil { try require(.types) }
        // Lengths require reading the contents of programs, and the length of a password is part of the secret.
        if parameters.lengths == true { try require(.get) }
        if let timeout = parameters.timeout, timeout > Self.maxTimeout {
            throw BridgeError(.refused, "the timeout exceeds \(Self.maxTimeout / 1_000) s, the limit over a link")
        }
        let names = (parameters.pasteboards ?? []) + [parameters.pasteboard].compactMap(\.self)
        try PasteboardName.checkNumber(of: names)
        // The call itself reports an invalid name.
        for name in names.compactMap({ try? PasteboardName(validating: $0) }) { try check(name, registry[name]) }
    }

    /// Throws unless the link may name a pasteboard; `pasteboard` is nil if no pasteboard has that name.
    func check(_ name: PasteboardName, _ pasteboard: PasteboardState?) throws(BridgeError) {
        if name.isSystem, name != .general { try require(.find) }
        if pasteboard?.isHidden == true { throw BridgeError(.noSuchPasteboard(name)) }
        guard pasteboard == nil, newPasteboards.insert(name).inserted else { return }
        guard newPasteboards.count > Self.maxNewPasteboards else { return }
        newPasteboards.remove(name)
        throw BridgeError(.refused, "this link has made \(Self.maxNewPasteboards) pasteboards, which is the limit")
    }

    private func require(_ permission: LinkPermission) throws(BridgeError) {
        guard permissions.contains(permission) else { throw .notAllowed(permission, link: name) }
    }

    // MARK: Contents

    /// Throws unless contents that a client wrote may be disclosed to programs on the other machine.
    func checkMayDisclose(_ version: PasteboardState.Version) throws(BridgeError) {
        if version.isSecret { throw .secretOverLink }
        if version.isLocalOnly { throw .localOverLink }
    }

    /// Throws unless programs on the other machine may read contents.
    ///
    /// - Parameter version: nil for contents of another program.
    func checkMayRead(_ version: PasteboardState.Version?) throws(BridgeError) {
        if let version {
            try checkMayDisclose(version)
            // Contents that came over the link are not new to the other machine.
            if version.writer.link == name { return }
        }
        try require(.get)
    }

    // MARK: Types

    /// Throws if the contents and all earlier contents of the link together have too many type names.
    func addTypeNames(of contents: Contents) throws(BridgeError) {
        let names = typeNames.union(contents.names)
        guard names.count <= Self.maxTypeNames else {
            throw BridgeError(.refused, "the contents set over a link exceed \(Self.maxTypeNames) types, the limit")
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

/// The parameters, of any method, on which a link's decision depends.
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
        .refused, "the contents are concealed, and may not pass over a link", reason: BridgeError.withheldReason)

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
