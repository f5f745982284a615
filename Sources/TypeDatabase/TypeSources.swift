import Synchronization
import UniformTypes

/// Where an environment says that types are declared: the user's file and the desktop's folders.
final class TypeSources: DesktopTypes {
    private let environment: [String: String]
    /// Nil until they are needed.
    private let contents = Mutex<TypesFile.Contents?>(nil)
    let desktop: Lazy<SharedMIMEInfo>

    /// Reads nothing.
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

    /// - Returns: Whether the file is another one than was read, and was read again.
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
