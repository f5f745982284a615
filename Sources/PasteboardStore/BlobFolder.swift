import CLinux
import Glibc
import LinuxSystem
import SystemPackage

/// The files of the contents: `blobs/04/1066` is that of entry 1066, in a folder named after the number's last byte but one:
/// so a folder is made for one of 256 copies, and those of a moment are in one. A file is complete when it gets its name,
/// and never changes.
struct BlobFolder {
    /// Contents of so many bytes are not worth a copy in memory; in bytes.
    static let leastShared = 1 << 20

    /// The number of folders in it.
    static let shards = 256

    let path: String

    init(in folder: String) { path = "\(folder)/blobs" }

    /// Makes the folder where there is none.
    func make() throws(StoreFailure) { try Self.make(path) }

    func path(of id: Int) -> String { "\(shardPath(of: id))/\(id)" }

    private func shardPath(of id: Int) -> String { shardPath((id >> 8) & (Self.shards - 1)) }

    private func shardPath(_ shard: Int) -> String {
        let digits = String(shard, radix: 16)
        return "\(path)/\(digits.count == 1 ? "0" : "")\(digits)"
    }

    // MARK: Writing

    /// Writes a file: a header, and ranges of other files behind it. The data may be in the kernel only.
    ///
    /// - Returns: Its length.
    func write(
        _ id: Int, header: [UInt8], parts: [(file: MemoryFile, range: Range<Int>)]
    ) throws(StoreFailure) -> Int {
        let temporary = "\(shardPath(of: id))/.\(id)"
        do throws(Errno) {
            let file = try open(temporary, in: shardPath(of: id))
            do throws(Errno) {
                try file.fileDescriptor.writeBytes(header)
                for part in parts {
                    try Transfer.copy(from: part.file, range: part.range, to: file.fileDescriptor)
                }
                guard unsafe rename(temporary, path(of: id)) == 0 else { throw Errno(rawValue: errno) }
            } catch {
                unsafe unlink(temporary)
                throw error
            }
        } catch {
            throw StoreFailure(error, temporary)
        }
        return header.count + parts.reduce(0) { $0 + $1.range.count }
    }

    private func open(_ path: String, in shard: String) throws(Errno) -> Descriptor {
        while true {
            // The owner may not write to it either: nothing changes it by mistake.
            let file = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o400)
            if file >= 0 { return Descriptor(adopting: FileDescriptor(rawValue: file)) }
            switch Errno(rawValue: errno) {
            case .noSuchFileOrDirectory:
                guard unsafe mkdir(shard, 0o700) == 0 || errno == EEXIST else { throw Errno(rawValue: errno) }
            // Left by a process that was killed.
            case .fileExists:
                guard unsafe unlink(path) == 0 || errno == ENOENT else { throw Errno(rawValue: errno) }
            case .interrupted: continue
            case let error: throw error
            }
        }
    }

    /// Removes a file, if it is there.
    func remove(_ id: Int) { unsafe unlink(path(of: id)) }

    /// Puts a file out of the way, so that nobody takes it for contents or collects it.
    func setAside(_ id: Int) { unsafe rename(path(of: id), "\(path(of: id)).damaged") }

    /// Sees that files are on the disk, with their names.
    func sync(_ ids: some Collection<Int>) {
        for id in ids { Self.sync(path(of: id)) }
        // The folders last: most file systems have written them with the files.
        for shard in Set(ids.map { shardPath(of: $0) }) { Self.sync(shard) }
        if !ids.isEmpty { Self.sync(path) }
    }

    /// Has the kernel write a range of a file to the disk, and waits for it. See sync_file_range(2).
    func write(_ id: Int, _ range: Range<Int>) {
        guard let file = try? FileDescriptor.open(FilePath(path(of: id)), .readOnly, options: [.closeOnExec]) else {
            return
        }
        let descriptor = Descriptor(adopting: file)
        let flags = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER
        _ = sync_file_range(
            descriptor.fileDescriptor.rawValue, Int64(range.lowerBound), Int64(range.count), UInt32(flags))
    }

    static func sync(_ path: String) {
        guard let file = try? FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec]) else { return }
        let descriptor = Descriptor(adopting: file)
        fdatasync(descriptor.fileDescriptor.rawValue)
    }

    // MARK: Reading

    /// The file, to be read by this process only.
    ///
    /// - Returns: Nil where it is not there.
    func file(_ id: Int) throws(StoreFailure) -> MemoryFile? {
        do throws(Errno) {
            let file = try rethrowingErrno {
                try FileDescriptor.open(FilePath(path(of: id)), .readOnly, options: [.closeOnExec, .noFollow])
            }
            return try MemoryFile(.stored, onDisk: Descriptor(adopting: file))
        } catch .noSuchFileOrDirectory {
            return nil
        } catch {
            throw StoreFailure(error, path(of: id))
        }
    }

    /// Its length in bytes; nil where it is not there.
    func length(of id: Int) -> Int? { Self.length(of: path(of: id)) }

    static func length(of path: String) -> Int? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// The entries that have files in one of the folders, in no order.
    func entries(inShard shard: Int) -> [Int] {
        let names = (try? Folder.names(in: shardPath(shard))) ?? []
        return names.compactMap { name in Int(name).flatMap { String($0) == name && $0 > 0 ? $0 : nil } }
    }

    /// Removes what processes that were killed left unfinished in one of the folders. None may write there meanwhile.
    func removeUnfinished(inShard shard: Int) {
        for name in (try? Folder.names(in: shardPath(shard))) ?? [] where name.hasPrefix(".") {
            unsafe unlink("\(shardPath(shard))/\(name)")
        }
    }

    /// Whether there is any file.
    var isEmpty: Bool { (0..<Self.shards).allSatisfy { entries(inShard: $0).isEmpty } }

    // MARK: Folders

    /// Takes from others what rights they have on a folder that was there.
    static func makePrivate(_ path: String) throws(StoreFailure) {
        guard unsafe chmod(path, 0o700) == 0 else { throw StoreFailure(Errno(rawValue: errno), path) }
    }

    /// Makes a folder with those that lead to it, for this user only.
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
            // The folder is there now: it is a place where none can be made, /proc for one.
            let error = Errno(rawValue: errno)
            throw error == .noSuchFileOrDirectory
                ? .unusable("\(error.description) (\(path))") : StoreFailure(error, path)
        case let error: throw StoreFailure(error, path)
        }
    }
}
