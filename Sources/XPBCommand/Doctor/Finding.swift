/// What a check of `xpb doctor` found.
struct Finding: Equatable, Encodable, Sendable {
    /// The worst first.
    enum Weight: String, Comparable, CaseIterable, Encodable, Sendable {
        /// Something does not work.
        case fault
        /// Something works, and not as it should.
        case warning
        /// Nothing is wrong, and it may explain what surprises.
        case note
        case ok

        static func < (one: Weight, other: Weight) -> Bool { one.rank < other.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// The name of the check.
    var check = ""
    let weight: Weight
    /// A sentence without a full stop.
    let message: String
    /// What to do next.
    let advice: String?

    private enum CodingKeys: String, CodingKey {
        case check, weight = "finding", message, advice
    }

    private init(_ weight: Weight, _ message: String, _ advice: String?) {
        self.weight = weight
        self.message = message
        self.advice = advice
    }

    static func fault(_ message: String, advice: String) -> Finding { Finding(.fault, message, advice) }

    static func warning(_ message: String, advice: String) -> Finding { Finding(.warning, message, advice) }

    static func note(_ message: String, advice: String? = nil) -> Finding { Finding(.note, message, advice) }

    static func ok(_ message: String) -> Finding { Finding(.ok, message, nil) }

    /// Whether something is to be mended.
    var isWrong: Bool { weight <= .warning }

    var row: [String] { [weight.rawValue, check, message + (advice.map { "; \($0)" } ?? "")] }
}
