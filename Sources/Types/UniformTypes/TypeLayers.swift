import Synchronization

/// The sources of declarations in this process. In order of precedence, they are the user's declarations, the built-in
/// table, the declarations of this program, and the desktop's database.
package enum TypeLayers {
    /// The maximum number of declarations that a program can make.
    static let maxDeclarations = 1024

    /// Sets the source of the user's declarations, and discards those of an earlier source.
    ///
    /// - Parameter load: Called by the next lookup, without a lock held. It may look up types in the other layers. If
    ///   several threads need the declarations at once, each calls it, and the first result is used.
    package static func setUserDeclarations(_ load: @escaping @Sendable () -> [TypeDeclaration]) {
        state.withLock { state in
            state.layers = Layers(app: state.layers.app, desktop: state.layers.desktop)
            state.load = load
            state.generation += 1
        }
    }

    /// Sets the desktop's database.
    ///
    /// - Parameter desktop: Called without a lock held. It may look up types, and is not called for those lookups.
    package static func setDesktopTypes(_ desktop: any DesktopTypes) {
        state.withLock { $0.layers = Layers(user: $0.layers.user, app: $0.layers.app, desktop: desktop) }
    }

    /// Adds a declaration of this program, which replaces an earlier one of the same type.
    ///
    /// - Returns: false if ``maxDeclarations`` other types are declared already.
    static func declare(_ declaration: TypeDeclaration) -> Bool {
        state.withLock { state in
            guard let app = state.layers.app.adding(declaration, limit: maxDeclarations) else { return false }
            state.layers = Layers(user: state.layers.user, app: app, desktop: state.layers.desktop)
            return true
        }
    }

    /// The current layers, with the user's declarations loaded.
    static var current: Layers {
        while true {
            let (layers, load, generation) = state.withLock { ($0.layers, $0.load, $0.generation) }
            guard let load, !isLoading.get() else { return layers }
            let user = DeclarationLayer(isLoading.withValue(true) { load() })
            state.withLock { state in
                guard state.generation == generation, state.load != nil else { return }
                state.layers = Layers(user: user, app: state.layers.app, desktop: state.layers.desktop)
                state.load = nil
            }
        }
    }

    private struct State {
        var layers = Layers()
        /// Loads the user's declarations; nil after it has been called.
        var load: (@Sendable () -> [TypeDeclaration])?
        /// The number of calls of ``setUserDeclarations(_:)``, so that the result of a loader replaced while it ran is
        /// discarded.
        var generation = 0
    }

    private static let state = Mutex(State())

    /// True in lookups by a loader.
    private static let isLoading = TaskLocal(wrappedValue: false)
}

/// An immutable snapshot of the sources of declarations other than the built-in table.
package final class Layers: Sendable {
    let user: DeclarationLayer
    let app: DeclarationLayer
    let desktop: (any DesktopTypes)?
    let userRedefinesBuiltIn: Bool

    package init(
        user: DeclarationLayer = DeclarationLayer(), app: DeclarationLayer = DeclarationLayer(),
        desktop: (any DesktopTypes)? = nil
    ) {
        self.user = user
        self.app = app
        self.desktop = desktop
        userRedefinesBuiltIn = user.keys.contains { DeclaredType(key: $0) != nil }
    }

    /// Queries the desktop's database. Returns nil in lookups by the database itself, and without a database.
    func fromDesktop<Answer>(_ query: (any DesktopTypes) -> Answer?) -> Answer? {
        guard let desktop, !Self.isQueryingDesktop.get() else { return nil }
        return Self.isQueryingDesktop.withValue(true) { query(desktop) }
    }

    private static let isQueryingDesktop = TaskLocal(wrappedValue: false)
}

/// The desktop's database of types, such as the shared MIME-info database. It contains MIME types, not identifiers.
///
/// It is used, on any thread, only for types and tags without a declaration. All names in parameters and results are in
/// lower case and not empty; extensions have no dot.
package protocol DesktopTypes: Sendable {
    /// Returns the MIME type for the alias `name`; nil if it is not an alias.
    func canonicalName(ofMIMEType name: String) -> String?
    /// Returns the superclasses of the MIME type `name`, most specific first.
    func parents(ofMIMEType name: String) -> [String]
    /// Returns the MIME type of files with an extension; nil if the extension is unknown.
    func mimeType(ofExtension name: String) -> String?
    /// Returns the extensions of files with a MIME type, most common first.
    func extensions(ofMIMEType name: String) -> [String]
}
