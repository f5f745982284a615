/// The parameters of an error of `org.xpb.Pasteboard`: ``BridgeError`` without its code, which is the error's name.
struct WireErrorParameters: Codable {
    var message: String
    var types: [String]?
    var count: Int?

    /// Each error has the members that the interface definition gives it, no other.
    init(_ error: BridgeError) {
        message = error.message
        types = error.code == .noSuchType ? error.types ?? [] : nil
        count = error.code == .countMismatch ? error.count ?? 0 : nil
    }
}

extension BridgeError {
    var fullName: String { "\(ServiceInterface.name).\(code.rawValue)" }

    /// - Returns: nil for a name that is none of the interface's.
    init?(fullName: String, parameters: WireErrorParameters) {
        guard fullName.hasPrefix(ServiceInterface.name + "."),
            let code = Code(rawValue: String(fullName.dropFirst(ServiceInterface.name.count + 1)))
        else { return nil }
        self.init(code, parameters.message, types: parameters.types, count: parameters.count)
    }
}
