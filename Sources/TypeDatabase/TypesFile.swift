import LinuxSystem
import SystemPackage
package import UniformTypes
package import UserFiles

/// The file of the user's declarations, `types.json` in the folder of xpb's settings.
package struct TypesFile: Sendable {
    package let file: UserFile

    package init(_ file: UserFile) { self.file = file }

    /// Nil where the environment has no place for settings.
    package init?(environment: [String: String]) {
        guard let file = UserFile(named: "types.json", environment: environment) else { return nil }
        self.init(file)
    }

    package struct Contents: Sendable {
        package let declarations: [TypeDeclaration]
        package let faults: [FileFault]
        /// Of the file as it was read; nil where there was none.
        package let stamp: FileStamp?

        package static let none = Contents(declarations: [], faults: [], stamp: nil)
    }

    package func read() -> Contents {
        let contents = file.read(limit: UserTypes.fileLimit)
        let (declarations, faults) = UserTypes.parse(contents.bytes, file: file.path)
        return Contents(
            declarations: declarations, faults: [contents.fault].compactMap(\.self) + faults, stamp: contents.stamp)
    }

    /// Why a file is as it was.
    package enum ChangeFailure: Error, Equatable {
        /// By what is in the file.
        case refused(FileFault)
        /// By the file system.
        case failed(FileFault)
    }

    /// Writes what `edit` makes of the text. Where the file is a link, that stays one. A file that somebody else writes at
    /// the same time is read again; programs that use this lose nothing to each other.
    ///
    /// - Parameter edit: Returns nil where there is nothing to change.
    /// - Returns: Whether something was changed.
    package func change(_ edit: (TypesEditor) throws(FileFault) -> [UInt8]?) throws(ChangeFailure) -> Bool {
        for _ in 0..<64 {
            let contents = file.read(limit: UserTypes.fileLimit)
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
        throw .failed(fault("others are writing it all the time"))
    }

    private func fault(_ message: String) -> FileFault { FileFault(file: file.path, line: nil, message: message) }

    /// - Returns: Whether the file was the same up to its replacement.
    private func write(_ bytes: [UInt8], over stamp: FileStamp?) throws(Errno) -> Bool {
        let path = FilePath(lossless: file.path)
        if stamp == nil {
            // A link that leads nowhere would be replaced by a file.
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
            // An editor knows nothing of the lock.
            guard file.stamp == stamp else { return false }
            try replacement.commit()
            return true
        }
    }

    /// Makes what is missing, for its owner only, as the XDG Base Directory Specification wants it.
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
