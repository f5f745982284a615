import Synchronization
import UniformTypes

/// The types that are declared outside the program: by the user, and by the desktop.
package enum TypeDatabase {
    /// Has lookups of types go by the user's declarations and the desktop's database, as the environment says where they
    /// are. Nothing is read before a lookup needs it.
    package static func install(environment: [String: String]) {
        let installation = Installation(environment: environment)
        installed.withLock { $0 = installation }
        TypeLayers.setUser { installation.user().declarations }
        TypeLayers.setDesktop(installation)
    }

    /// The user's declarations and what is wrong with them, read at the first call.
    package static func user() -> TypesFile.Contents { installed.withLock(\.self).user() }

    /// Reads the user's declarations again where their file is another one than was read. It costs one call of stat(2)
    /// where that is not so.
    ///
    /// - Returns: Whether they were read.
    package static func refresh() -> Bool {
        let installation = installed.withLock(\.self)
        guard installation.refresh() else { return false }
        TypeLayers.setUser { installation.user().declarations }
        return true
    }

    /// The desktop's database.
    package static var desktop: SharedMIMEInfo { installed.withLock(\.self).desktop.value }

    private static let installed = Mutex(Installation(environment: [:]))

    private final class Installation: DesktopTypes {
        private let environment: [String: String]
        /// Nil until they are needed.
        private let contents = Mutex<TypesFile.Contents?>(nil)
        let desktop: Lazy<SharedMIMEInfo>

        init(environment: [String: String]) {
            self.environment = environment
            desktop = Lazy { SharedMIMEInfo(folders: BaseFolders(environment: environment).data) }
        }

        func user() -> TypesFile.Contents {
            if let contents = contents.withLock(\.self) { return contents }
            let read = TypesFile(environment: environment)?.read() ?? .none
            return contents.withLock { contents in
                let first = contents ?? read
                contents = first
                return first
            }
        }

        func refresh() -> Bool {
            guard let old = contents.withLock(\.self), let file = TypesFile(environment: environment),
                file.file.stamp != old.stamp
            else { return false }
            let read = file.read()
            contents.withLock { $0 = read }
            return true
        }

        func canonicalName(ofMIMEType name: String) -> String? { desktop.value.canonicalName(ofMIMEType: name) }
        func parents(ofMIMEType name: String) -> [String] { desktop.value.parents(ofMIMEType: name) }
        func mimeType(ofExtension name: String) -> String? { desktop.value.mimeType(ofExtension: name) }
        func extensions(ofMIMEType name: String) -> [String] { desktop.value.extensions(ofMIMEType: name) }
    }
}
