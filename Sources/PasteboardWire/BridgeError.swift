/// An error of `org.xpb.Pasteboard`, as it crosses the wire.
package struct BridgeError: Error, Codable, Sendable, Equatable {
    /// Raw values are the names in the interface definition.
    package enum Code: String, Codable, Sendable, CaseIterable {
        case empty = "Empty"
        case noSuchType = "NoSuchType"
        case noSuchItem = "NoSuchItem"
        case noSuchEntry = "NoSuchEntry"
        case noSuchPasteboard = "NoSuchPasteboard"
        case promiseBroken = "PromiseBroken"
        case ownerSilent = "OwnerSilent"
        case transferBroken = "TransferBroken"
        case displayUnavailable = "DisplayUnavailable"
        case invalidName = "InvalidName"
        case countMismatch = "CountMismatch"
        case refused = "Refused"
        case invalidBytes = "InvalidBytes"
        case invalidType = "InvalidType"
        case tooSlow = "TooSlow"
        case notStored = "NotStored"
    }

    package var code: Code
    /// A sentence for the user, without a full stop: what is wrong, and the next step where there is one.
    package var message: String
    /// With ``Code/noSuchType``: the types on offer.
    package var types: [String]?
    /// With ``Code/countMismatch``: the present count.
    package var count: Int?

    package init(_ code: Code, _ message: String, types: [String]? = nil, count: Int? = nil) {
        self.code = code
        self.message = message
        self.types = types
        self.count = count
    }
}
