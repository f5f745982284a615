import Glibc
package import SystemPackage

/// Folders of the file system.
package enum Folder {
    /// As for a `FilePath`, of the bytes that ``LosslessText`` has for the path.
    package static func makePrivate(_ path: String) throws(Errno) { try makePrivate(FilePath(lossless: path)) }

    /// Makes a folder that only its owner may enter. The corresponding C function is `mkdir`.
    package static func makePrivate(_ path: FilePath) throws(Errno) {
        try systemCall { unsafe path.withPlatformString { unsafe mkdir($0, 0o700) } }
    }

    /// Locks a folder against others that do so, until the descriptor goes, and waits for them as long as it takes. See
    /// flock(2).
    ///
    /// - Throws: What open(2) says; `noLocks` and the like where the file system has no locks.
    package static func lock(_ path: FilePath) throws(Errno) -> Descriptor {
        let folder = try rethrowingErrno {
            Descriptor(adopting: try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .directory]))
        }
        try systemCall { flock(folder.fileDescriptor.rawValue, LOCK_EX) }
        return folder
    }

    /// The names in a folder, in no order, without `.` and `..`.
    package static func names(in path: String) throws(Errno) -> [String] {
        guard let stream = unsafe opendir(path) else { throw Errno(rawValue: errno) }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
