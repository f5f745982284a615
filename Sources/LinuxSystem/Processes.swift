import CLinux
import Glibc
package import SystemPackage

/// What proc(5) tells of processes.
package enum ProcessState {
    /// Whether a signal, or a debugger, stopped the process where it stands; nil where there is none of that id.
    package static func isStopped(_ process: Int32) -> Bool? {
        fields(process)?.first.map { ["T", "t"].contains($0) }
    }

    /// Whether there is no process of that id that does anything any more.
    package static func hasEnded(_ process: Int32) -> Bool {
        fields(process)?.first.map { ["Z", "X"].contains($0) } ?? true
    }

    /// The processes in the group of that one: where it led one and has ended, those that it left its work to. As long as
    /// there are any, no other process has its number. It looks at every process of the user, which takes a while.
    package static func group(of leader: Int32, user: UInt32) -> [Int32] {
        all(of: user).filter { process in
            guard let fields = fields(process), fields.count > 2 else { return false }
            return fields[2] == "\(leader)" && !hasEnded(process)
        }
    }

    /// The state, the parent, the group and so on.
    private static func fields(_ process: Int32) -> [Substring]? {
        guard let bytes = contents("/proc/\(process)/stat") else { return nil }
        // The name, in parentheses, may hold anything: what follows is counted from its end.
        guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        return String(decoding: bytes[(end + 1)...], as: UTF8.self).split(separator: " ")
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

/// The name of a process, `firefox`, as proc(5) has it in `comm`: at most 15 bytes.
package enum ProcessName {
    /// Nil where there is no such process any more, or it is not to be seen.
    package static func of(_ process: Int32) -> String? {
        guard process > 0,
            let file = try? FileDescriptor.open(FilePath("/proc/\(process)/comm"), .readOnly, options: .closeOnExec)
        else { return nil }
        let descriptor = Descriptor(adopting: file)
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = try? unsafe bytes.withUnsafeMutableBytes { unsafe try descriptor.fileDescriptor.read(into: $0) }
        let name = String(decoding: bytes.prefix(count ?? 0).prefix { $0 != 0x0A }, as: UTF8.self)
        return name.isEmpty ? nil : name
    }
}

/// A process by a descriptor of it, which never becomes another one's, as its number does. See pidfd_open(2).
package final class ProcessHandle: Sendable {
    private let descriptor: Descriptor

    /// - Throws: `noSuchProcess` where there is none of that number any more.
    package init(_ process: Int32) throws(Errno) {
        descriptor = Descriptor(adopting: FileDescriptor(rawValue: try systemCall { pidfd_open(process, 0) }))
    }

    /// Ends the process where it stands, one that is stopped as well. The corresponding C constant is `SIGKILL`.
    package func kill() throws(Errno) {
        do throws(Errno) {
            try systemCall {
                pidfd_send_signal(descriptor.fileDescriptor.rawValue, SIGKILL, nil, 0)
            }
        } catch .noSuchProcess {
            // It has ended by itself.
        }
    }

    /// - Returns: Whether it has ended, at the deadline.
    package func awaitEnd(until deadline: ContinuousClock.Instant) throws(Errno) -> Bool {
        try waitReadable(descriptor.fileDescriptor, until: deadline)
    }
}
