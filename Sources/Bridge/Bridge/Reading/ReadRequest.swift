import BridgeState
import FormatConversion
import PasteboardWire
import UniformTypes

/// The request of a reader: types in order of preference, and an item.
struct ReadRequest {
    let queries: [TypeQuery]
    /// The item, counted from 0; nil for the first item that has an answer.
    private(set) var item: Int?
    /// True if nothing may be derived.
    let isExact: Bool
    /// The timeout for making a format, and for each step of a foreign owner.
    let timeout: Duration
    /// True if the reader takes bytes while they arrive.
    var streams = false
    /// True if the reader names types, false if it wants everything.
    let namesTypes: Bool

    /// The maximum number of types. Each type costs a search on the thread that serves all clients.
    private static let maxTypes = 1_024

    init(_ parameters: Methods.Get.Parameters) throws(BridgeError) {
        try self.init(
            types: parameters.types ?? [], item: parameters.item, exact: parameters.exact ?? false,
            timeout: parameters.timeout)
    }

    init(_ parameters: Methods.Fetch.Parameters) throws(BridgeError) {
        try self.init(
            types: parameters.types ?? [], item: nil, exact: parameters.exact ?? false, timeout: parameters.timeout)
    }

    init(_ parameters: Methods.Match.Parameters) throws(BridgeError) {
        try self.init(types: parameters.types, item: nil, exact: false, timeout: parameters.timeout)
        guard namesTypes else { throw BridgeError(.invalidType, "name the types to look for") }
    }

    private init(types names: [String], item: Int?, exact: Bool, timeout milliseconds: Int?) throws(BridgeError) {
        guard names.count <= Self.maxTypes else {
            throw BridgeError(
                .refused, "\(names.count) types are more than the \(Self.maxTypes) that can be asked for at once")
        }
        var queries: [TypeQuery] = []
        for name in names { queries.append(try Self.query(name)) }
        self.queries = queries.isEmpty ? FormatCatalog.anything : queries
        if let item, item < 0 {
            throw BridgeError(.noSuchItem, "there is no item \(item): items are counted from 0")
        }
        self.item = item
        namesTypes = !names.isEmpty
        isExact = queries.isEmpty || exact
        timeout = CallTimeout.of(milliseconds)
    }

    private static func query(_ name: String) throws(BridgeError) -> TypeQuery {
        guard let query = TypeQuery.parse(name) else {
            throw BridgeError(.invalidType, "'\(name)' cannot be a type")
        }
        guard !X11Targets.isProtocolTarget(name) else {
            throw BridgeError(.invalidType, "'\(name)' is a part of the X11 selection protocol and not a type")
        }
        return query
    }

    /// True if the URL of a file would be an answer.
    var wantsFiles: Bool { TypeQuery.best(of: [(type: .fileURL, target: nil)], for: queries) != nil }

    /// Returns the same request for one item.
    func about(_ item: Int) -> ReadRequest {
        var request = self
        request.item = item
        return request
    }
}
