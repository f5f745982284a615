import CLinux
import Glibc
import LinuxSystem
import PasteboardModel
import SystemPackage

/// The blobs: one file for the contents of each entry.
///
/// The blob of entry 1066 (0x42A) is `blobs/04/1066`. The name of the subfolder, the shard, is the second lowest byte
/// of the number, so 256 successive entries share a shard and a new shard is needed for one entry in 256. A file gets
/// its name once it is complete, and never changes afterwards.
package struct BlobFolder {
    /// The minimum length of long contents, in bytes. Long contents are read from their blob in place, share disk
    /// blocks with their source if the file system can do that, and are compared with equal contents later.
    static let longThreshold = 1 << 20

    /// The number of subfolders.
    package static let shards = 256

    package let path: String
    /// The folder of the blobs whose change is yet to be made; see ``StagedBlob``.
    let stagingPath: String

    package init(in folder: String) {
        path = "\(folder)/blobs"
        stagingPath = "\(folder)/staged"
    }

    /// Makes the folders, and removes the staged blobs that a killed process left.
    func make() throws(StoreFailure) {
        try Self.make(path)
        try Self.make(stagingPath)
        for name in (try? Folder.names(in: stagingPath)) ?? [] { unsafe unlink("\(stagingPath)/\(name)") }
    }

    package func path(of id: Int) -> String { "\(shardPath(of: id))/\(id)" }

    private func shardPath(of id: Int) -> String { shardPath((id >> 8) & (Self.shards - 1)) }

    private func shardPath(_ shard: Int) -> String {
        let digits = String(shard, radix: 16)
        return "\(path)/\(digits.count == 1 ? "0" : "")\(digits)"
    }

    // MARK: Writing

    /// Writes a file: a header, followed by ranges of other files. The data may still be in the kernel's cache when
    /// this returns; see ``sync(_:)``.
    ///
    /// - Returns: The length of the file.
    func write(_ id: Int, header: [UInt8], parts: [(file: MemoryFile, range: Range<Int>)]) throws(StoreFailure) -> Int {
        let temporary = "\(shardPath(of: id))/.\(id)"
        let length = try write(temporary, in: shardPath(of: id), header, parts, progress: nil)
        guard unsafe rename(temporary, path(of: id)) == 0 else {
            let error = Errno(rawValue: errno)
            unsafe unlink(temporary)
            throw StoreFailure(error, temporary)
        }
        return length
    }

    /// The number of bytes that are copied in one piece: even a slow disk writes a piece within the timeout.
    private static let pieceLength = 1 << 20

    /// Writes a file completely, or leaves no file.
    private func write(
        _ path: String, in folder: String, _ header: [UInt8], _ parts: [(file: MemoryFile, range: Range<Int>)],
        progress: CopyProgress?
    ) throws(StoreFailure) -> Int {
        do throws(Errno) {
            let file = try open(path, in: folder)
            do throws(Errno) {
                try file.fileDescriptor.writeBytes(header)
                for part in parts {
                    try Self.copy(part.file, part.range, to: file.fileDescriptor, in: folder, progress)
                }
            } catch {
                unsafe unlink(path)
                throw error
            }
        } catch {
            throw StoreFailure(error, path)
        }
        return header.count + parts.reduce(0) { $0 + $1.range.count }
    }

    private static func copy(
        _ source: MemoryFile, _ range: Range<Int>, to file: FileDescriptor, in folder: String,
        _ progress: CopyProgress?
    ) throws(Errno) {
        guard let progress else { return try Transfer.copy(from: source, range: range, to: file) }
        var rest = range
        if source.kind != .sealed { rest = try clone(source, range, to: file, progress) }
        // A file with holes can be longer than any disk.
        guard try rest.count <= Folder.room(in: folder).bytes else { throw .noSpace }
        var end = Int(try rethrowingErrno { try file.seek(offset: 0, from: .current) })
        while !rest.isEmpty {
            // The kernel fills many pages at once where a piece begins and ends at page boundaries; the header shifts
            // the first piece.
            let piece = rest.prefix(pieceLength - end % pieceLength)
            try Transfer.copy(from: source, range: piece, to: file)
            try progress.note(piece.count)
            end += piece.count
            rest = piece.upperBound..<rest.upperBound
        }
    }

    /// The number of bytes that are shared in one piece. Before the kernel shares blocks it writes them, which may take
    /// a slow disk a while.
    private static let clonedLength = 64 << 20

    /// Shares the blocks of a range, and returns the part that has to be copied: all of it on most file systems.
    private static func clone(
        _ source: MemoryFile, _ range: Range<Int>, to file: FileDescriptor, _ progress: CopyProgress
    ) throws(Errno) -> Range<Int> {
        var rest = range
        while !rest.isEmpty {
            let piece = rest.prefix(clonedLength)
            guard try Transfer.clone(piece, of: source.descriptor.fileDescriptor, to: file) else { break }
            try progress.note(piece.count)
            rest = piece.upperBound..<rest.upperBound
        }
        return rest
    }

    // MARK: Staging

    /// Writes a file whose change is yet to be made.
    func stage(
        _ id: Int, header: [UInt8], parts: [(file: MemoryFile, range: Range<Int>)], progress: CopyProgress
    ) throws(StoreFailure) -> (path: String, length: Int) {
        // The previous process may still be ending a copy, and will then remove a file named by its own process number.
        let path = "\(stagingPath)/\(id).\(getpid())"
        return (path, try write(path, in: stagingPath, header, parts, progress: progress))
    }

    /// Gives a staged file its place among the other blobs.
    func adopt(_ staged: StagedBlob) throws(StoreFailure) -> EntryDraft {
        let id = staged.draft.record.id
        while unsafe rename(staged.path, path(of: id)) != 0 {
            let error = Errno(rawValue: errno)
            guard error == .noSuchFileOrDirectory, Self.length(of: staged.path) != nil else {
                throw StoreFailure(error, staged.path)
            }
            try Self.make(shardPath(of: id))
        }
        return staged.draft
    }

    /// Takes an adopted file back, after its change was not made.
    func release(_ staged: StagedBlob) { unsafe rename(path(of: staged.draft.record.id), staged.path) }

    private func open(_ path: String, in shard: String) throws(Errno) -> Descriptor {
        while true {
            // Not even the owner may write to the file, so that nothing changes it by mistake.
            let file = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o400)
            if file >= 0 { return Descriptor(adopting: FileDescriptor(rawValue: file)) }
            switch Errno(rawValue: errno) {
            case .noSuchFileOrDirectory:
                guard unsafe mkdir(shard, 0o700) == 0 || errno == EEXIST else { throw Errno(rawValue: errno) }
            // A process that was killed left the file.
            case .fileExists:
                guard unsafe unlink(path) == 0 || errno == ENOENT else { throw Errno(rawValue: errno) }
            case .interrupted: continue
            case let error: throw error
            }
        }
    }

    /// Removes a file if it exists.
    func remove(_ id: Int) { unsafe unlink(path(of: id)) }

    /// Renames a file so that it is neither taken for contents nor removed as unused.
    func setAside(_ id: Int) { unsafe rename(path(of: id), "\(path(of: id)).damaged") }

    /// Writes files and their names to the disk, and waits for it.
    ///
    /// - Returns: false if not everything could be written.
    func sync(_ ids: some Collection<Int>) -> Bool {
        if ids.isEmpty { return true }
        // The folders come last, because most file systems have written them together with the files.
        let paths = ids.map { path(of: $0) } + Set(ids.map { shardPath(of: $0) }) + [path]
        return paths.reduce(true) { Self.sync($1) && $0 }
    }

    /// Writes a range of a file to the disk, and waits for it. See sync_file_range(2).
    func sync(_ id: Int, _ range: Range<Int>) {
        guard let file = try? Descriptor.open(FilePath(path(of: id))) else { return }
        let flags = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER
        _ = sync_file_range(
            file.fileDescriptor.rawValue, Int64(range.lowerBound), Int64(range.count), UInt32(flags))
    }

    /// Writes a file or folder to the disk, and waits for it.
    ///
    /// - Returns: false if it could not be written. A missing file counts as written.
    @discardableResult
    static func sync(_ path: String) -> Bool {
        do throws(Errno) {
            let file = try Descriptor.open(FilePath(path))
            return fdatasync(file.fileDescriptor.rawValue) == 0
        } catch {
            return error == .noSuchFileOrDirectory
        }
    }

    // MARK: Reading

    /// Opens a file. Returns nil if the file does not exist.
    func file(_ id: Int) throws(StoreFailure) -> MemoryFile? {
        do throws(Errno) {
            let file = try Descriptor.open(FilePath(path(of: id)), options: .noFollow)
            return try MemoryFile(.stored, onDisk: file)
        } catch .noSuchFileOrDirectory {
            return nil
        } catch {
            throw StoreFailure(error, path(of: id))
        }
    }

    /// Returns the length of a file in bytes; nil if it does not exist.
    package func length(of id: Int) -> Int? { Self.length(of: path(of: id)) }

    static func length(of path: String) -> Int? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// Returns the numbers of the entries that have a file in the shard, in no particular order.
    package func entries(inShard shard: Int) -> [Int] {
        let names = (try? Folder.names(in: shardPath(shard))) ?? []
        return names.compactMap { name in Int(name).flatMap { String($0) == name && $0 > 0 ? $0 : nil } }
    }

    /// Removes the unfinished files that killed processes left in the shard. No writer may be at work there.
    func removeUnfinished(inShard shard: Int) {
        for name in (try? Folder.names(in: shardPath(shard))) ?? [] where name.hasPrefix(".") {
            unsafe unlink("\(shardPath(shard))/\(name)")
        }
    }

    /// The numbers of all entries that have a file, in no particular order.
    package var entries: [Int] { (0..<Self.shards).flatMap { entries(inShard: $0) } }

    // MARK: Folders

    /// Revokes other users' permissions on a folder that existed already.
    static func makePrivate(_ path: String) throws(StoreFailure) {
        guard unsafe chmod(path, 0o700) == 0 else { throw StoreFailure(Errno(rawValue: errno), path) }
    }

    /// Makes a folder and its missing parents, accessible to this user only.
    static func make(_ path: String) throws(StoreFailure) {
        if unsafe mkdir(path, 0o700) == 0 { return }
        switch Errno(rawValue: errno) {
        case .fileExists:
            var status = stat()
            guard unsafe stat(path, &status) == 0 else { throw StoreFailure(Errno(rawValue: errno), path) }
            guard status.st_mode & S_IFMT == S_IFDIR else { throw StoreFailure(.notDirectory, path) }
        case .noSuchFileOrDirectory:
            guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
                throw StoreFailure(.noSuchFileOrDirectory, path)
            }
            try make(String(path[..<slash]))
            guard unsafe mkdir(path, 0o700) != 0, errno != EEXIST else { return }
            // The parent exists now, so this is a place where no folder can be made, such as /proc.
            let error = Errno(rawValue: errno)
            throw error == .noSuchFileOrDirectory
                ? .unusable("\(error.description) (\(path))") : StoreFailure(error, path)
        case let error: throw StoreFailure(error, path)
        }
    }
}
