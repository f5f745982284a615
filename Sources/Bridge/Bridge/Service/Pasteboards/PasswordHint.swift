import LinuxSystem
import PasteboardModel
import SelectionProtocol
import X11Bridge

/// The mark of secrets that KDE's programs use. Klipper puts back what it has seen when a selection is released, and
/// leaves alone what has the mark; so contents that are to go by themselves are offered with it.
enum PasswordHint {
    static let target = "x-kde-passwordManagerHint"
    static let bytes = try? Offer.Bytes(.file(.containing(Array("secret".utf8))), 0..<6)
}

extension Offer {
    /// Adds the mark for clipboard managers.
    mutating func addPasswordHint() {
        guard let bytes = PasswordHint.bytes, !targets.contains(where: { $0.name == PasswordHint.target }) else {
            return
        }
        targets.append(Target(name: PasswordHint.target, type: PasswordHint.target, body: bodies.count))
        bodies.append(Body(content: .held(bytes)))
    }
}

extension PasteboardState.Version {
    /// True for contents that expire or are pasted once.
    var isTemporary: Bool { options.once || expiry != nil }

    /// True if Wayland programs are offered the mark, besides the types of the contents.
    var hasPasswordHint: Bool {
        isTemporary && PasswordHint.bytes != nil && !plan.targets.contains { $0.name == PasswordHint.target }
    }

    /// The names of all types that Wayland programs are offered.
    var offeredSeatTypes: [String] { seatTypes.map(\.name) + (hasPasswordHint ? [PasswordHint.target] : []) }
}
