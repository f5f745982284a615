import Synchronization
import UniformTypes

/// The types that are declared outside the program: by the user, and by the desktop.
package enum TypeDatabase {
    /// Has lookups of types go by the user's declarations and the desktop's database, as the environment says where they
    /// are. Nothing is read before a lookup needs it.
    package static func install(environment: [String: String]) {
        let sources = TypeSources(environment: environment)
        installed.withLock { $0 = sources }
        TypeLayers.setUser { sources.user().declarations.map(UserTypes.withParent) }
        TypeLayers.setDesktop(sources)
    }

    /// The user's declarations and what is wrong with them, read at the first call.
    package static func user() -> TypesFile.Contents { installed.withLock(\.self).user() }

    /// Reads the user's declarations again where their file is another one than was read, and has the desktop's database
    /// read again where that was made anew. It costs a call of stat(2) for the file and each of the desktop's folders
    /// where that is not so.
    ///
    /// - Returns: Whether the declarations were read.
    package static func refresh() -> Bool {
        let sources = installed.withLock(\.self)
        guard sources.refresh() else { return false }
        TypeLayers.setUser { sources.user().declarations.map(UserTypes.withParent) }
        return true
    }

    /// The desktop's database.
    package static var desktop: SharedMIMEInfo { installed.withLock(\.self).desktop }

    private static let installed = Mutex(TypeSources(environment: [:]))
}
