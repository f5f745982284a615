import FormatConversion
import PasteboardWire
import UniformTypes

/// What a reader asks for.
struct ReadRequest {
    /// In the order of preference.
    let queries: [TypeQuery]
    /// Of that item, counted from 0; of the first that answers where none is named.
    private(set) var item: Int?
    /// Nothing is to be derived.
    let isExact: Bool
    /// The time for making a format, and for each step of a foreign owner.
    let timeout: Duration

    /// Whether types are asked for, not all there is.
    let namesTypes: Bool

    init(_ parameters: Methods.Get.Parameters) throws(BridgeError) {
        try self.init(
            types: parameters.types ?? [], item: parameters.item, exact: parameters.exact ?? false,
            timeout: parameters.timeout)
    }

    init(_ parameters: Methods.Fetch.Parameters) throws(BridgeError) {
        try self.init(
            types: parameters.types ?? [], item: nil, exact: parameters.exact ?? false, timeout: parameters.timeout)
    }

    /// Whether the URL of a file would be an answer.
    var wantsFiles: Bool { TypeQuery.best(of: [(type: .fileURL, target: nil)], for: queries) != nil }

    /// Each is looked for on its own, on the thread that serves all.
    private static let mostTypes = 1_024

    /// The same of one item.
    func about(_ item: Int) -> ReadRequest {
        var question = self
        question.item = item
        return question
    }

    private init(types names: [String], item: Int?, exact: Bool, timeout milliseconds: Int?) throws(BridgeError) {
        guard names.count <= Self.mostTypes else {
            throw BridgeError(
                .refused, "\(names.count) types are more than the \(Self.mostTypes) that can be asked for at once")
        }
        var queries: [TypeQuery] = []
        for name in names {
            guard let query = TypeQuery.parse(name) else {
                throw BridgeError(.invalidType, "'\(name)' can be no type; 'xpb types' lists those on offer")
            }
            guard !X11Targets.isProtocolTarget(name) else {
                throw BridgeError(
                    .invalidType,
                    "'\(name)' is a part of the X11 selection protocol and no type; 'xpb types --targets' lists what is on offer"
                )
            }
            queries.append(query)
        }
        self.queries = queries.isEmpty ? FormatCatalog.anything : queries
        if let item, item < 0 {
            throw BridgeError(.noSuchItem, "there is no item \(item): items are counted from 0")
        }
        self.item = item
        namesTypes = !names.isEmpty
        isExact = queries.isEmpty || exact
        timeout = CallTimeout.of(milliseconds)
    }
}
