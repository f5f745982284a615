package import SystemPackage

/// An error of `org.xpb.Pasteboard`, as it crosses the wire.
package struct BridgeError: Error, Codable, Sendable, Equatable {
    package var code: Code
    /// The cause, for users of any client: a sentence without a period.
    package var message: String
    /// With ``Code/noSuchType``: the types on offer.
    package var types: [String]?
    /// With ``Code/countMismatch``: the current count.
    package var count: Int?
    /// With ``Code/refused``: ``storeReason``, ``endReason``, ``withheldReason``, the name of a setting, or nil.
    package var reason: String?

    /// The reason for refusing to write contents that could not be stored.
    package static let storeReason = "store"
    /// The reason for refusing to write when the bridge is about to end. The write was not made; the next bridge will
    /// accept it.
    package static let endReason = "end"
    /// The reason for refusing to pass contents over a link because they are concealed or local to their machine.
    package static let withheldReason = "withheld"

    package init(
        _ code: Code, _ message: String, types: [String]? = nil, count: Int? = nil, reason: String? = nil
    ) {
        self.code = code
        self.message = message
        self.types = types
        self.count = count
        self.reason = reason
    }

    var fullName: String { "\(ServiceInterface.name).\(code.rawValue)" }

    /// - Returns: nil for a name that the interface does not have.
    init?(fullName: String, parameters: WireErrorParameters) {
        guard fullName.hasPrefix(ServiceInterface.name + "."),
            let code = Code(rawValue: String(fullName.dropFirst(ServiceInterface.name.count + 1)))
        else { return nil }
        self.init(code, parameters.message, types: parameters.types, count: parameters.count, reason: parameters.reason)
    }

    /// - Parameter limit: The maximum length in bytes, without the NUL.
    package static func callTooLong(limit: Int) -> BridgeError {
        BridgeError(
            .refused,
            "there are too many items for one call, which is limited to \(limit) bytes without their contents; "
                + "make several calls, or raise the setting '\(WireLimits.messageSetting)'")
    }

    /// Returns the error for bytes that cannot be stored because memory or descriptors have run out.
    package static func noRoom(_ error: Errno, for what: String) -> BridgeError {
        let next =
            error == .tooManyOpenFiles
            ? "the bridge has reached its limit on open files; clear pasteboards, or release uploads and downloads"
            : "\(error)"
        return BridgeError(.refused, "no room is left for \(what): \(next)")
    }
}
