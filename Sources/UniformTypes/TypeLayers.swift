import Synchronization

/// What is declared beside our own table, for the whole process: the user's declarations go before ours, then come an
/// app's own, then what the desktop knows.
package enum TypeLayers {
    /// How many declarations an app may make.
    static let maximumDeclared = 1024

    /// Sets where the user's declarations come from. `load` is called at the first lookup that needs them, without a lock
    /// held: it may look types up itself, and sees the other layers then. Setting it again replaces what was loaded.
    ///
    /// Threads that come while it runs for another one call it, too; the first answer is kept.
    package static func setUser(_ load: @escaping @Sendable () -> [TypeDeclaration]) {
        state.withLock { state in
            state.layers = Layers(app: state.layers.app, desktop: state.layers.desktop)
            state.load = load
            state.generation += 1
        }
    }

    /// Sets what the desktop knows. It is called without a lock held and may look types up itself; those lookups do not
    /// ask it again.
    package static func setDesktop(_ desktop: any DesktopTypes) {
        state.withLock { $0.layers = Layers(user: $0.layers.user, app: $0.layers.app, desktop: desktop) }
    }

    /// Adds to the app's layer, where a later declaration replaces an earlier one of the same type. False when there are
    /// too many.
    static func declare(_ declaration: TypeDeclaration) -> Bool {
        state.withLock { state in
            guard let app = state.layers.app.adding(declaration, limit: maximumDeclared) else { return false }
            state.layers = Layers(user: state.layers.user, app: app, desktop: state.layers.desktop)
            return true
        }
    }

    /// What lookups go by now.
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
        /// Nil once it has been called.
        var load: (@Sendable () -> [TypeDeclaration])?
        /// Tells an answer of a loader that has been replaced meanwhile.
        var generation = 0
    }

    private static let state = Mutex(State())

    /// Set for what a loader itself calls.
    private static let isLoading = TaskLocal(wrappedValue: false)
}
