import Bridge
import PasteboardWire
import Testing

/// Calls whose replies a test waits for, and links.
extension ServiceFixture {
    /// Makes a call, and returns its first reply.
    func reply<M: WireMethod>(
        _ method: M.Type, _ parameters: M.Parameters, of client: ServiceClient, more: Bool = false
    ) throws -> M.Reply {
        try client.call(method, parameters, more: more)
        succeed()
        return try #require(try client.replies(to: method).first)
    }

    /// Makes a call that must fail, and returns its error.
    func error<M: WireMethod>(
        _ method: M.Type, _ parameters: M.Parameters, of client: ServiceClient, more: Bool = false
    ) -> BridgeError? {
        #expect(throws: BridgeError.self) { try reply(method, parameters, of: client, more: more) }
    }

    /// Opens a link, and returns one of its connections.
    ///
    /// - Parameter full: True for a connection that may make all calls.
    func link(_ name: String, allow: [LinkPermission] = [], full: Bool? = nil) throws -> ServiceClient {
        let client = try client()
        let key = try openLink(name, allow: allow, by: try self.client())
        _ = try reply(Methods.JoinLink.self, .init(key: key, full: full), of: client)
        return client
    }

    /// Opens a link that lasts as long as its owner's connection, and returns its key.
    func openLink(_ name: String, allow: [LinkPermission]? = nil, by owner: ServiceClient) throws -> String {
        let parameters = Methods.OpenLink.Parameters(name: name, allow: allow?.map(\.rawValue))
        return try reply(Methods.OpenLink.self, parameters, of: owner, more: true).key
    }

    /// Sets text of one byte.
    @discardableResult
    func set(
        by client: ServiceClient, on pasteboard: String = "general", options: WireOptions? = nil, append: Bool? = nil
    ) throws -> [Int] {
        var parameters = Methods.Set.Parameters.text(on: pasteboard, options: options)
        parameters.append = append
        try client.set(parameters)
        succeed()
        return try #require(try client.replies(to: Methods.Set.self).first).counts
    }
}

/// A bridge with a link, the program that owns the link, a program on the other machine, and a program on this machine.
class LinkedPrograms {
    let fixture: ServiceFixture
    let owner: ServiceClient
    let local: ServiceClient
    let remote: ServiceClient
    let key: String

    init() throws {
        fixture = try ServiceFixture(display: ":99")
        (owner, local, remote) = (try fixture.client(), try fixture.client(), try fixture.client())
        key = try fixture.openLink("server", by: owner)
        _ = try fixture.reply(Methods.JoinLink.self, .init(key: key), of: remote)
    }
}
