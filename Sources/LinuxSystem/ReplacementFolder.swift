import Glibc
package import SystemPackage

/// A new folder with its files: who looks at the path sees none of them or, once the last one is there, all of them.
///
/// Given up without ``commit(last:)``, it leaves nothing behind. A program that is killed meanwhile leaves a folder whose
/// name begins with a dot.
package final class ReplacementFolder {
    private let path: FilePath
    /// Where the files are until all are whole: beside the folder, or in it where it was there before.
    private let workplace: FilePath
    private let isThere: Bool
    private var names: [String] = []
    private var moved: [FilePath] = []
    private var isCommitted = false

    /// - Parameter path: Of nothing yet, or of an empty folder, which stays the one it is.
    /// - Throws: `directoryNotEmpty`, `notDirectory` where something else is there; what mkdir(2) says.
    package init(path: String) throws(Errno) {
        var place = FilePath(lossless: path)
        // "." and ".." are folders that are there, and nothing is made beside them.
        isThere = (try? Stat(place)) != nil
        if isThere {
            guard try Self.isEmpty(place) else { throw .directoryNotEmpty }
            place = Self.resolved(place) ?? place
        }
        self.path = place
        let suffix = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        let name = ".\(suffix).xpb"
        workplace = isThere ? place.appending(name) : place.removingLastComponent().appending(name)
        try Self.make(workplace)
    }

    /// A new file in it.
    ///
    /// - Parameter name: One component, which no other file of it has.
    package func makeFile(_ name: String) throws(Errno) -> Descriptor {
        let file = try rethrowingErrno {
            try FileDescriptor.open(
                workplace.appending(name), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: [.ownerReadWrite, .groupReadWrite, .otherReadWrite])
        }
        names.append(name)
        return Descriptor(adopting: file)
    }

    /// Puts the files in their place.
    ///
    /// - Parameter last: The name of the file that comes last where the folder was there before.
    package func commit(last: String) throws(Errno) {
        if isThere {
            for name in names.filter({ $0 != last }) + [last] {
                try Self.move(workplace.appending(name), to: path.appending(name))
                moved.append(path.appending(name))
            }
            _ = unsafe workplace.withPlatformString { unsafe rmdir($0) }
        } else {
            // An empty folder that was made meanwhile is replaced, another one is not.
            try Self.move(workplace, to: path)
        }
        isCommitted = true
    }

    deinit {
        guard !isCommitted else { return }
        for file in names.map({ workplace.appending($0) }) + moved {
            _ = unsafe file.withPlatformString { unsafe unlink($0) }
        }
        _ = unsafe workplace.withPlatformString { unsafe rmdir($0) }
    }

    private static func make(_ path: FilePath) throws(Errno) {
        try systemCall { unsafe path.withPlatformString { unsafe mkdir($0, 0o777) } }
    }

    private static func move(_ source: FilePath, to target: FilePath) throws(Errno) {
        try systemCall {
            unsafe source.withPlatformString { source in
                unsafe target.withPlatformString { unsafe rename(source, $0) }
            }
        }
    }

    private static func isEmpty(_ path: FilePath) throws(Errno) -> Bool {
        guard let stream = unsafe path.withPlatformString({ unsafe opendir($0) }) else { throw Errno(rawValue: errno) }
        defer { unsafe closedir(stream) }
        var count = 0
        // Itself and its parent are always there.
        while count < 3, unsafe readdir(stream) != nil { count += 1 }
        return count < 3
    }

    /// Stays the same when the working folder changes. See realpath(3).
    private static func resolved(_ path: FilePath) -> FilePath? {
        let found = unsafe path.withPlatformString { unsafe realpath($0, nil) }
        guard let found = unsafe found else { return nil }
        defer { unsafe free(found) }
        return unsafe FilePath(platformString: found)
    }
}
