import JSONC
import LinuxSystem
import SystemPackage
package import UniformTypes
package import UserFiles

/// The file of the user's declarations, `types.json` in the folder of xpb's settings.
package struct TypesFile: Sendable {
    package let file: UserFile

    package init(_ file: UserFile) { self.file = file }

    /// - Returns: nil if the environment has no folder for settings.
    package init?(environment: [String: String]) {
        guard let file = UserFile(named: "types.json", environment: environment) else { return nil }
        self.init(file)
    }

    package struct Contents: Sendable {
        package let declarations: [TypeDeclaration]
        package let faults: [FileFault]
        /// The state of the file as it was read; nil if there was none.
        package let stamp: FileStamp?

        package static let none = Contents(declarations: [], faults: [], stamp: nil)
    }

    package func read() -> Contents {
        let contents = file.read(limit: UserTypes.maxFileSize)
        let (declarations, faults) = UserTypes.parse(contents.bytes, file: file.path)
        return Contents(
            declarations: declarations, faults: [contents.fault].compactMap(\.self) + faults, stamp: contents.stamp)
    }

    /// The reason why a file was not changed.
    package enum ChangeFailure: Error, Equatable {
        case refused(FileFault)
        /// The file system does not allow the change.
        case failed(FileFault)
    }

    /// Replaces the text with the result of `edit`. A symbolic link stays a symbolic link.
    ///
    /// If another program writes the file at the same time, it is read and edited again, so programs that use this
    /// method do not lose each other's changes.
    ///
    /// - Parameter edit: Returns the new text; nil if there is nothing to change.
    /// - Returns: true if the file was changed.
    package func change(_ edit: (TypesEditor) throws(FileFault) -> [UInt8]?) throws(ChangeFailure) -> Bool {
        for _ in 0..<64 {
            let contents = file.read(limit: UserTypes.maxFileSize)
            let changed: [UInt8]?
            do throws(FileFault) {
                if let fault = contents.fault { throw fault }
                changed = try edit(TypesEditor(contents.bytes, file: file.path))
            } catch {
                throw .refused(error)
            }
            guard let changed else { return false }
            do throws(Errno) {
                if try write(changed, over: contents.stamp) { return true }
            } catch {
                throw .failed(fault("it cannot be written: \(error)"))
            }
        }
        throw .failed(fault("other programs keep changing it"))
    }

    private func fault(_ message: String) -> FileFault { FileFault(file: file.path, line: nil, message: message) }

    /// Replaces the file if its state is still `stamp`. Returns false if another program has changed it.
    private func write(_ bytes: [UInt8], over stamp: FileStamp?) throws(Errno) -> Bool {
        let path = FilePath(lossless: file.path)
        if stamp == nil {
            // A dangling link would be replaced with a file.
            if (try? Stat(path, followTargetSymlink: false))?.type == .symbolicLink, file.stamp == nil {
                throw .noSuchFileOrDirectory
            }
            try Self.makeFolders(path.removingLastComponent())
        }
        let lock = try Folder.lock(path.removingLastComponent())
        return try withExtendedLifetime(lock) { () throws(Errno) in
            guard file.stamp == stamp else { return false }
            let replacement = try ReplacementFile(replacing: file.path)
            try replacement.fileDescriptor.writeBytes(bytes)
            // The state is checked again, because editors do not use the lock.
            guard file.stamp == stamp else { return false }
            try replacement.commit()
            return true
        }
    }

    /// Makes a folder and the missing folders above it, accessible to the owner only, as the XDG Base Directory
    /// Specification requires.
    private static func makeFolders(_ path: FilePath) throws(Errno) {
        do throws(Errno) {
            try makeFolder(path)
        } catch .noSuchFileOrDirectory where path.components.count > 1 {
            try makeFolders(path.removingLastComponent())
            try makeFolder(path)
        }
    }

    private static func makeFolder(_ path: FilePath) throws(Errno) {
        do throws(Errno) {
            try Folder.makePrivate(path)
        } catch .fileExists {}
    }
}

/// The format of the user's declarations in `types.json`: an object of objects, keyed by identifier.
package enum UserTypes {
    /// The maximum size of the file, in bytes.
    package static let maxFileSize = 1 << 20

    /// Parses the text of the file.
    ///
    /// - Parameter file: The name of the file in faults.
    /// - Returns: The valid declarations in the order of the file, and up to 100 faults of the other declarations. If a
    ///   type has several declarations, the first is used.
    package static func parse(
        _ bytes: [UInt8], file: String = "types.json"
    ) -> (declarations: [TypeDeclaration], faults: [FileFault]) {
        let parsed = TypesText(bytes)
        return (
            parsed.entries.compactMap(\.declaration),
            parsed.faults.prefix(JSONObject.maxFaults).map {
                FileFault(file: file, line: $0.line, message: $0.message)
            }
        )
    }

    /// Returns the declaration with a parent: a user's type without a parent conforms to `public.data`, as every
    /// undeclared type does.
    static func withParent(_ declaration: TypeDeclaration) -> TypeDeclaration {
        guard declaration.conformsTo.isEmpty, UniformType(declaration.identifier)?.isBuiltIn == false else {
            return declaration
        }
        var declaration = declaration
        declaration.conformsTo = [UniformType.data.identifier]
        return declaration
    }
}
