import LinuxSystem
import SystemPackage

extension UserFile {
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
    /// - Parameters:
    ///   - limit: The maximum size of the file, in bytes.
    ///   - edit: Returns the new text; nil if there is nothing to change.
    /// - Returns: true if the file was changed.
    package func change(limit: Int, _ edit: ([UInt8]) throws(FileFault) -> [UInt8]?) throws(ChangeFailure) -> Bool {
        for _ in 0..<64 {
            let contents = read(limit: limit)
            let changed: [UInt8]?
            do throws(FileFault) {
                if let fault = contents.fault { throw fault }
                changed = try edit(contents.bytes)
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

    private func fault(_ message: String) -> FileFault { FileFault(file: path, line: nil, message: message) }

    /// Replaces the file if its state is still `stamp`. Returns false if another program has changed it.
    private func write(_ bytes: [UInt8], over stamp: FileStamp?) throws(Errno) -> Bool {
        let path = FilePath(lossless: path)
        if stamp == nil {
            // A dangling link would be replaced with a file.
            if (try? Stat(path, followTargetSymlink: false))?.type == .symbolicLink, self.stamp == nil {
                throw .noSuchFileOrDirectory
            }
            try Self.makeFolders(path.removingLastComponent())
        }
        let lock = try Folder.lock(path.removingLastComponent())
        return try withExtendedLifetime(lock) { () throws(Errno) in
            guard self.stamp == stamp else { return false }
            let replacement = try ReplacementFile(replacing: self.path)
            try replacement.fileDescriptor.writeBytes(bytes)
            // The state is checked again, because editors do not use the lock.
            guard self.stamp == stamp else { return false }
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
