package import FormatConversion
import LinuxSystem
import PasteboardModel
import SelectionProtocol
package import X11Bridge

/// The mark of secrets that KDE's programs use. When a selection is released, Klipper puts back the contents that it
/// has seen, unless they have the mark. So contents that remove themselves are offered with the mark.
package enum PasswordHint {
    package static let target = "x-kde-passwordManagerHint"
    package static let bytes = try? Offer.Bytes(.file(.containing(Array("secret".utf8))), 0..<6)
}

extension Offer {
    /// Adds the mark for clipboard managers.
    package mutating func addPasswordHint() {
        guard let bytes = PasswordHint.bytes, !targets.contains(where: { $0.name == PasswordHint.target }) else {
            return
        }
        targets.append(Target(name: PasswordHint.target, type: PasswordHint.target, body: bodies.count))
        bodies.append(Body(content: .held(bytes)))
    }
}

extension PasteboardState.Version {
    /// True for contents that expire or are pasted once.
    package var isTemporary: Bool { options.once || expiry != nil }

    /// True if Wayland programs are offered the mark in addition to the types of the contents.
    package var hasPasswordHint: Bool {
        isTemporary && PasswordHint.bytes != nil && !plan.targets.contains { $0.name == PasswordHint.target }
    }

    /// The names of all types that Wayland programs are offered.
    package var offeredSeatTypes: [String] { seatTypes.map(\.name) + (hasPasswordHint ? [PasswordHint.target] : []) }
}

extension PasteboardState.Version {
    /// The types that Wayland programs are offered, each with its derivation.
    ///
    /// Wayland programs know three of X11's names for text, and use UTF-8 under all three. On X11, only one of the
    /// three is UTF-8.
    package var seatTypes: [(name: String, derivation: Derivation)] {
        let targets = plan.targets.map { (name: $0.name, derivation: plan.bodies[$0.body].derivation) }
        let texts = ["UTF8_STRING", "STRING", "TEXT"]
        let types = targets.filter { !texts.contains($0.name) && $0.name != "COMPOUND_TEXT" }
        guard let text = targets.first(where: { $0.name == texts[0] })?.derivation else { return types }
        return types + texts.map { ($0, text) }
    }
}
