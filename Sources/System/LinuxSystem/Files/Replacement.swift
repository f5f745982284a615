import CLinux
import Glibc
package import SystemPackage

/// A file that atomically replaces another: readers of the path see either the old contents or all of the new contents.
///
/// Without ``commit()`` nothing is left behind. A process that is killed before the commit leaves nothing behind
/// either, if the file system supports unnamed files.
package final class ReplacementFile {
    package var fileDescriptor: FileDescriptor { file.fileDescriptor }
    private let file: Descriptor
    private let place: FilePlace
    /// The temporary name; nil while the file has none.
    private var temporary: [UInt8]?
    private var isCommitted = false

    /// - Parameter path: The path of a regular file, of a link to one, or of nothing yet. The link stays a link.
    package convenience init(replacing path: String) throws(Errno) {
        try self.init(replacing: try FilePlace.found(path))
    }

    /// - Parameter place: A place with a regular file or nothing yet. The permissions of an existing file are kept, and
    ///   its owner, other hard links and extended attributes are not.
    /// - Throws: The errors of open(2); `permissionDenied` and similar errors if the user cannot write to an existing
    ///   file.
    package init(replacing place: FilePlace) throws(Errno) {
        if place.status != nil { try place.checkWritable() }
        self.place = place
        if let nameless = Self.makeNameless(in: place.folder) {
            file = nameless
        } else {
            (file, temporary) = try Self.withUnusedName(beside: place) { name throws(Errno) in
                try place.folder.create(name)
            }
        }
        if let permissions = place.status?.permissions {
            try systemCall { fchmod(file.fileDescriptor.rawValue, permissions) }
        }
    }

    /// Flushes the file to disk and then puts it in place, so that a crash cannot leave an empty file there.
    ///
    /// - Throws: The errors of earlier writes that fsync(2) reports; the errors of linkat(2) and rename(2).
    package func commit() throws(Errno) {
        try systemCall { fsync(file.fileDescriptor.rawValue) }
        let temporary = if let temporary { temporary } else { try name() }
        try place.folder.move(temporary, to: place.folder, as: place.name)
        isCommitted = true
    }

    deinit {
        if !isCommitted, let temporary { place.folder.remove(temporary) }
    }

    /// Creates an unnamed file (open(2), O_TMPFILE). Returns nil if the file system does not support it, or if the file
    /// could not be given a name later.
    private static func makeNameless(in folder: Descriptor) -> Descriptor? {
        guard let file = try? folder.open([UInt8(ascii: ".")], O_RDWR | xpb_o_tmpfile),
            (try? FileStatus(ofPath: procPath(of: file), followsSymlink: false)) != nil
        else { return nil }
        return file
    }

    private static func procPath(of file: Descriptor) -> [UInt8] {
        Array("/proc/self/fd/\(file.fileDescriptor.rawValue)".utf8)
    }

    /// Gives the file a temporary name, from which it can be renamed; linkat(2) cannot replace an existing file.
    private func name() throws(Errno) -> [UInt8] {
        let (_, name) = try Self.withUnusedName(beside: place) { name throws(Errno) -> Void in
            try place.folder.link(Self.procPath(of: file), as: name)
        }
        temporary = name
        return name
    }

    /// Calls `make` with unused names until it creates a file, at most eight times. The names are random: a killed
    /// process may have left its file behind, so not even a process id guarantees a free name.
    private static func withUnusedName<Made>(
        beside place: FilePlace, _ make: ([UInt8]) throws(Errno) -> Made
    ) throws(Errno) -> (Made, [UInt8]) {
        // A name has at most 255 bytes (NAME_MAX), and fewer on some file systems. Each byte of a character that is cut
        // here becomes U+FFFD, which has three bytes.
        let name = String(decoding: place.name.prefix(32), as: UTF8.self)
        var attempts = 8
        while true {
            let suffix = String(UInt64.random(in: 0...UInt64.max), radix: 36)
            let temporary = Array(".\(name).\(suffix).xpb".utf8)
            do throws(Errno) {
                return (try make(temporary), temporary)
            } catch {
                attempts -= 1
                guard error == .fileExists, attempts > 0 else { throw error }
            }
        }
    }
}

/// A folder that is filled when all of its files are complete. A new folder appears with all files at once. In an
/// existing empty folder, the files appear one after another, and are complete once the last file exists.
///
/// Without ``commit(last:)``, nothing is left behind. Until the commit, the files are in a folder whose name begins
/// with a dot, which a killed process leaves behind. A process that is killed while it fills an existing folder also
/// leaves some files there.
package final class ReplacementFolder {
    private let place: FilePlace
    /// The folder at the place; nil if nothing exists there yet.
    private let target: Descriptor?
    /// The folder that holds the files until all are complete: beside the target, or inside it if the target already
    /// exists.
    private let workplace: Descriptor
    private let workplaceName: [UInt8]
    private var names: [String] = []
    private var moved: [String] = []
    private var isCommitted = false

    private var parent: Descriptor { target ?? place.folder }

    package convenience init(path: String) throws(Errno) { try self.init(at: try FilePlace.found(path)) }

    /// - Parameter place: A place with nothing yet, or with an empty folder, which is then filled.
    /// - Throws: `directoryNotEmpty` or `notDirectory` if something else exists; the errors of mkdir(2).
    package init(at place: FilePlace) throws(Errno) {
        let target = try place.status.map { _ throws(Errno) in
            try place.folder.open(place.name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        }
        if let target, try !Self.isEmpty(target) { throw .directoryNotEmpty }
        self.place = place
        self.target = target
        let suffix = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        workplaceName = Array(".\(suffix).xpb".utf8)
        let parent = target ?? place.folder
        try parent.makeFolder(workplaceName)
        do throws(Errno) {
            workplace = try parent.open(workplaceName, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        } catch {
            parent.remove(workplaceName, isFolder: true)
            throw error
        }
        // Where the parent folder is not sticky, others can exchange a folder in it.
        guard try FileStatus(of: workplace.fileDescriptor).user == geteuid() else { throw .permissionDenied }
    }

    /// Creates a file in the folder. `name` is a single path component, different from all other names.
    package func makeFile(_ name: String) throws(Errno) -> Descriptor {
        let file = try workplace.create(Array(name.utf8))
        names.append(name)
        return file
    }

    /// Puts the files in place. `last` is the name of the file that is moved last if the folder already existed.
    ///
    /// - Throws: `fileExists` if another program has created a file of the same name there; the errors of linkat(2) and
    ///   rename(2).
    package func commit(last: String) throws(Errno) {
        if let target {
            for name in names.filter({ $0 != last }) + [last] {
                try workplace.moveUnlessExists(Array(name.utf8), to: target)
                moved.append(name)
            }
            target.remove(workplaceName, isFolder: true)
        } else {
            // If a folder has been created there since, rename(2) replaces it only if it is empty.
            try place.folder.move(workplaceName, to: place.folder, as: place.name)
        }
        isCommitted = true
    }

    deinit {
        guard !isCommitted else { return }
        for name in names { workplace.remove(Array(name.utf8)) }
        for name in moved { parent.remove(Array(name.utf8)) }
        parent.remove(workplaceName, isFolder: true)
    }

    private static func isEmpty(_ folder: Descriptor) throws(Errno) -> Bool {
        // closedir(3) closes the descriptor of the stream.
        let copy = try folder.fileDescriptor.duplicatedCloseOnExec(atLeast: 0)
        guard let stream = unsafe fdopendir(copy.rawValue) else {
            let error = Errno(rawValue: errno)
            try? copy.close()
            throw error
        }
        defer { unsafe closedir(stream) }
        var count = 0
        // The entries "." and ".." are always present.
        while count < 3, unsafe readdir(stream) != nil { count += 1 }
        return count < 3
    }
}

extension FilePlace {
    fileprivate static func found(_ path: String) throws(Errno) -> FilePlace {
        do {
            return try find(path)
        } catch {
            throw error.errno
        }
    }
}
