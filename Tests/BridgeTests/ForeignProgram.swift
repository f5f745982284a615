import Bridge
import BridgeState
import LinuxSystem
import SelectionProtocol
import X11Bridge

/// A program that owns a selection, as the X thread sees it.
struct ForeignProgram {
    /// The answer to a target.
    enum Answer {
        case text(String)
        case bytes(Int)
        case refusal
        case failure(Conversion.Failure)
        /// No answer until the test gives one.
        case later
    }

    var window = WindowID(0x40_0001)
    var process: Int32?
    /// The targets, in the order of the program's list.
    var offers: [(target: String, answer: Answer)]
    /// True if the program refuses to list its targets.
    var refusesList = false
    /// The targets of the protocol that the program lists.
    var listed = ["TARGETS", "TIMESTAMP", "MULTIPLE"]

    static func text(_ text: String, window: UInt32 = 0x40_0001) -> ForeignProgram {
        ForeignProgram(window: WindowID(window), offers: [("UTF8_STRING", .text(text)), ("STRING", .text(text))])
    }

    /// Returns the answer to a target; nil if there is no answer yet.
    func answer(to target: String, limit: Int?) -> Result<Converted, Conversion.Failure>? {
        if target == "TARGETS" {
            guard !refusesList else { return .failure(.refused) }
            return .success(Converted(type: "ATOM", content: .targets(listed + offers.map(\.target))))
        }
        switch offers.first(where: { $0.target == target })?.answer {
        case .text(let text): return Self.bytes(Array(text.utf8), target, limit)
        case .bytes(let count): return Self.bytes(.init(repeating: 0x61, count: count), target, limit)
        case .later: return nil
        case .failure(let failure): return .failure(failure)
        case .refusal, nil: return .failure(.refused)
        }
    }

    static func bytes(
        _ bytes: [UInt8], _ target: String, _ limit: Int? = nil
    ) -> Result<Converted, Conversion.Failure> {
        if let limit, bytes.count > limit { return .failure(.tooLong) }
        guard let file = try? MemoryFile.containing(bytes) else { return .failure(.noRoom) }
        return .success(Converted(type: target, content: .file(file)))
    }
}
