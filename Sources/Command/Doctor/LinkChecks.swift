import CommandCore
import PasteboardWire

extension Check {
    /// Reports the links to other machines.
    static let links = Check("links") { examination in
        (examination.status?.links ?? []).map { link in
            if !link.attached {
                return .warning(
                    "the link to \(link.name) is down\(link.reason.map { ": \($0)" } ?? "")",
                    advice: "check that 'ssh \(link.name) xpb --version' works; the link tries again by itself")
            }
            return .note(
                "programs on \(link.name), and its administrator, may use this pasteboard (\(link.text))",
                advice: "end the link when it is not needed: xpb link \(link.name) --stop")
        }
    }
}
