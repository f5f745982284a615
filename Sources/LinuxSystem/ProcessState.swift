import SystemPackage

/// What proc(5) tells of processes.
package enum ProcessState {
    /// Whether a signal, or a debugger, stopped the process where it stands; nil where there is none of that id.
    package static func isStopped(_ process: Int32) -> Bool? {
        guard let bytes = contents("/proc/\(process)/stat") else { return nil }
        // The name, in parentheses, may hold anything: what follows is counted from its end.
        guard let end = bytes.lastIndex(of: UInt8(ascii: ")")), end + 2 < bytes.count else { return nil }
        return [UInt8(ascii: "T"), UInt8(ascii: "t")].contains(bytes[end + 2])
    }

    /// Whether the file that the process runs is not the one that has its name now, as after an update; nil where that is
    /// not to be seen.
    package static func isReplaced(_ process: Int32) -> Bool? {
        let link = FilePath("/proc/\(process)/exe")
        guard let running = try? Stat(link) else { return nil }
        return running.linkCount == 0
    }

    /// The processes of a user.
    package static func all(of user: UInt32) -> [Int32] {
        let names = (try? Folder.names(in: "/proc")) ?? []
        return names.compactMap { Int32($0) }.sorted().filter { process in
            (try? Stat(FilePath("/proc/\(process)")))?.userID.rawValue == user
        }
    }

    /// The environment that a process was started with; nil where there is none of that id, or it is not to be seen, as that
    /// of another user's or of one that holds secrets.
    package static func environment(of process: Int32) -> [String: String]? {
        guard let bytes = contents("/proc/\(process)/environ", limit: 1 << 20) else { return nil }
        return bytes.split(separator: 0).reduce(into: [:]) { variables, entry in
            guard let mark = entry.firstIndex(of: UInt8(ascii: "=")) else { return }
            let name = LosslessText.string(of: Array(entry[..<mark]))
            if variables[name] == nil { variables[name] = LosslessText.string(of: Array(entry[(mark + 1)...])) }
        }
    }

    private static func contents(_ path: String, limit: Int = 4096) -> [UInt8]? {
        guard let file = try? FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec) else { return nil }
        let descriptor = Descriptor(adopting: file)
        var bytes: [UInt8] = []
        while bytes.count < limit {
            guard let piece = try? descriptor.fileDescriptor.readBytes(atMost: limit - bytes.count) else { return nil }
            if piece.isEmpty { break }
            bytes += piece
        }
        return bytes
    }
}
