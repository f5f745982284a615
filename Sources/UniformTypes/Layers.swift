/// The layers around our own table as they are at one moment.
final class Layers: Sendable {
    let user: DeclarationLayer
    let app: DeclarationLayer
    let desktop: (any DesktopTypes)?
    /// Whether the user declares a type that our table has.
    let userRedefinesOurs: Bool

    init(
        user: DeclarationLayer = DeclarationLayer(), app: DeclarationLayer = DeclarationLayer(),
        desktop: (any DesktopTypes)? = nil
    ) {
        self.user = user
        self.app = app
        self.desktop = desktop
        userRedefinesOurs = user.keys.contains { DeclaredType(key: $0) != nil }
    }

    /// What the desktop says. What the desktop itself looks up to find out does not ask it again.
    func fromDesktop<Answer>(_ question: (any DesktopTypes) -> Answer?) -> Answer? {
        guard let desktop, !Self.isAskingDesktop.get() else { return nil }
        return Self.isAskingDesktop.withValue(true) { question(desktop) }
    }

    private static let isAskingDesktop = TaskLocal(wrappedValue: false)
}
