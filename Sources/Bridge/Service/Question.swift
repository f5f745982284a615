import PasteboardWire
import UniformTypes

/// What a reader asks for.
struct Question {
    /// In the order of preference.
    let queries: [TypeQuery]
    /// Of that item, counted from 0; of the first that answers where none is named.
    let item: Int?
    /// Nothing is to be derived.
    let isExact: Bool
    /// How long the making of a form may take.
    let patience: Duration

    init(_ parameters: Methods.Get.Parameters) throws(BridgeError) {
        let names = parameters.types ?? []
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
        self.queries = queries.isEmpty ? Forms.anything : queries
        if let item = parameters.item, item < 0 {
            throw BridgeError(.noSuchItem, "there is no item \(item): items are counted from 0")
        }
        item = parameters.item
        isExact = queries.isEmpty || parameters.exact ?? false
        patience = Patience.of(parameters.timeout)
    }
}
