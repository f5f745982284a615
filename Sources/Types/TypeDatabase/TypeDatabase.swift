import Synchronization
import UniformTypes
import UserFiles

/// The types that are declared outside the program: by the user and by the desktop.
package enum TypeDatabase {
    /// Includes the user's declarations and the desktop's database, from the folders that the environment names, in
    /// lookups of types. Both sources are read on demand.
    package static func install(environment: [String: String]) {
        let sources = TypeSources(environment: environment)
        installed.withLock { $0 = sources }
        TypeLayers.setUserDeclarations { sources.user().declarations.map(UserTypes.withParent) }
        TypeLayers.setDesktopTypes(sources)
    }

    /// Returns the user's declarations and their faults. The first call reads the file.
    package static func user() -> TypesFile.Contents { installed.withLock(\.self).user() }

    /// Reads the user's declarations again if their file has changed, and discards the desktop's database if the
    /// database has changed.
    ///
    /// If nothing has changed, this costs one call of stat(2) for the file and for each of the desktop's folders.
    ///
    /// - Returns: True if the declarations were read.
    package static func refresh() -> Bool {
        let sources = installed.withLock(\.self)
        guard sources.refresh() else { return false }
        TypeLayers.setUserDeclarations { sources.user().declarations.map(UserTypes.withParent) }
        return true
    }

    package static var desktop: SharedMIMEInfo { installed.withLock(\.self).desktop }

    private static let installed = Mutex(TypeSources(environment: [:]))
}

/// The declarations of types in the places that an environment names: the user's file and the desktop's folders.
package final class TypeSources: DesktopTypes {
    /// The user's file; nil if the environment has no folder for settings.
    private let file: TypesFile?
    /// The contents of the file; nil until they are needed.
    private let contents = Mutex<TypesFile.Contents?>(nil)
    private let database: Mutex<DesktopDatabase>

    /// Creates the sources without reading anything.
    package init(environment: [String: String]) {
        file = TypesFile(environment: environment)
        database = Mutex(DesktopDatabase(folders: BaseFolders(environment: environment).data))
    }

    package var desktop: SharedMIMEInfo { database.withLock { $0.current() } }

    package func user() -> TypesFile.Contents {
        if let contents = contents.withLock(\.self) { return contents }
        let read = file?.read() ?? .none
        return contents.withLock { contents in
            let first = contents ?? read
            contents = first
            return first
        }
    }

    /// Reads the user's file again if it has changed, and discards the desktop's database if the database has changed.
    ///
    /// - Returns: true if the user's file was read.
    package func refresh() -> Bool {
        database.withLock { $0.refresh() }
        guard let old = contents.withLock(\.self), let file,
            file.file.stamp != old.stamp
        else { return false }
        let read = file.read()
        contents.withLock { $0 = read }
        return true
    }

    package func canonicalName(ofMIMEType name: String) -> String? { desktop.canonicalName(ofMIMEType: name) }
    package func parents(ofMIMEType name: String) -> [String] { desktop.parents(ofMIMEType: name) }
    package func mimeType(ofExtension name: String) -> String? { desktop.mimeType(ofExtension: name) }
    package func extensions(ofMIMEType name: String) -> [String] { desktop.extensions(ofMIMEType: name) }
}
