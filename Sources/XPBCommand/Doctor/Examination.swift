import BridgeClient
import LinuxSystem
import PasteboardWire

/// What the checks look at. What takes time is looked at once, when the first check wants it. Nothing is changed by it: no
/// bridge is started, and none is told anything.
final class Examination {
    let environment: [String: String]
    /// Instead of DISPLAY.
    let option: String?
    /// How long each of those asked may be silent.
    let timeout: Duration
    let user = PeerCredentials.own.user

    private(set) lazy var display = DisplayState(option: option, environment: environment, timeout: timeout)
    private(set) lazy var folder = Result { () throws(RendezvousError) in
        try Rendezvous.existing(environment: environment)
    }
    private(set) lazy var bridge = BridgeState.look(in: self)

    init(environment: [String: String], option: String? = nil, timeout: Duration) {
        self.environment = environment
        self.option = option
        self.timeout = timeout
    }

    /// A variable that is set to something.
    func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// The state of a bridge that answers.
    var status: Methods.Status.Reply? {
        if case .answering(let answering) = bridge { answering.status } else { nil }
    }
}
