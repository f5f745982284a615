import Synchronization
import UniformTypes
import UserFiles

/// Where an environment says that types are declared: the user's file and the desktop's folders.
package final class TypeSources: DesktopTypes {
    /// Nil where the environment has no place for it.
    private let file: TypesFile?
    /// Nil until they are needed.
    private let contents = Mutex<TypesFile.Contents?>(nil)
    private let database: Mutex<DesktopDatabase>

    /// Reads nothing.
    package init(environment: [String: String]) {
        file = TypesFile(environment: environment)
        database = Mutex(DesktopDatabase(folders: BaseFolders(environment: environment).data))
    }

    /// The desktop's database.
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

    /// Reads the user's file again where it is another one than was read, and starts anew with the desktop's database where
    /// that was made anew.
    ///
    /// - Returns: Whether the user's file was read again.
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
