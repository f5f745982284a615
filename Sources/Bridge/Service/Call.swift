import LinuxSystem
import PasteboardWire

/// What a call is answered with: a reply and the descriptors that go with it, or an error of the interface.
typealias Answer<Reply> = Result<(reply: Reply, descriptors: [Descriptor]), BridgeError>

extension Result where Failure == BridgeError {
    /// A reply that carries no descriptors.
    static func reply<Reply>(_ reply: Reply) -> Self where Success == (reply: Reply, descriptors: [Descriptor]) {
        .success((reply, []))
    }

    static func error(_ code: BridgeError.Code, _ message: String) -> Self {
        .failure(BridgeError(code, message))
    }
}

/// The time that a call may take where it says nothing, and the longest it may ask for.
enum CallTimeout {
    static let usual = Duration.seconds(5)
    static let longest = Duration.seconds(24 * 60 * 60)

    /// From a call's milliseconds.
    static func of(_ milliseconds: Int?) -> Duration {
        guard let milliseconds else { return usual }
        return min(max(.milliseconds(max(milliseconds, 0)), .milliseconds(1)), longest)
    }
}
