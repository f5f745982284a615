import CLinux
import Glibc
package import SystemPackage

/// Information from proc(5) about other processes.
package enum ProcessState {
    /// Returns true if a signal or a debugger has stopped the process; nil if the process does not exist.
    package static func isStopped(_ process: Int32) -> Bool? {
        fields(process)?.first.map { ["T", "t"].contains($0) }
    }

    /// Returns true if the process does not exist or has terminated.
    package static func hasEnded(_ process: Int32) -> Bool {
        fields(process)?.first.map { ["Z", "X"].contains($0) } ?? true
    }

    /// Returns the running processes in the group of `leader`, including processes that it left running when it ended.
    /// While any of these exist, no other process gets the leader's number. This reads the state of every process of
    /// the user, which takes a while.
    package static func group(of leader: Int32, user: UInt32) -> [Int32] {
        all(of: user).filter { process in
            guard let fields = fields(process), fields.count > 2 else { return false }
            return fields[2] == "\(leader)" && !hasEnded(process)
        }
    }

    /// Returns the parent of a process; nil if the process does not exist.
    package static func parent(of process: Int32) -> Int32? {
        guard let fields = fields(process), fields.count > 1 else { return nil }
        return Int32(fields[1])
    }

    /// Returns true if a process is the parent of another process, or a more distant ancestor.
    package static func isAncestor(_ process: Int32, of descendant: Int32) -> Bool {
        guard process > 1 else { return false }
        var next = descendant
        // The depth is limited because a process may end, and its number be reused, while the ancestors are read.
        for _ in 0..<64 where next > 1 {
            guard let parent = parent(of: next) else { return false }
            if parent == process { return true }
            next = parent
        }
        return false
    }

    /// Returns true if `starter` started a process with this name: that process descends from the starter, or has one
    /// of the starter's sockets. This reads the name of every process of the user, which takes a while.
    ///
    /// Both checks are needed: the parent of Xwayland is process 1 under wlroots, and the sockets of a KWin with a
    /// capability cannot be read.
    package static func hasStarted(_ starter: Int32, _ name: String) -> Bool {
        let started = ProcessName.running([name], of: getuid()).map(\.process)
        guard !started.isEmpty else { return false }
        let sockets = sockets(of: starter)
        return started.contains { isAncestor(starter, of: $0) || !sockets.isDisjoint(with: Self.sockets(of: $0)) }
    }

    /// Returns the names of a process's sockets, as far as they are accessible.
    private static func sockets(of process: Int32) -> Set<String> {
        let folder = "/proc/\(process)/fd"
        let links = ((try? Folder.names(in: folder)) ?? []).compactMap {
            try? ThisProcess.target(of: "\(folder)/\($0)")
        }
        return Set(links.filter { $0.hasPrefix("socket:") })
    }

    /// Returns the fields of `stat` after the name: state, parent, group and so on.
    private static func fields(_ process: Int32) -> [Substring]? {
        guard let bytes = contents("/proc/\(process)/stat") else { return nil }
        // The name, in parentheses, may contain any character, so fields are counted from its closing parenthesis.
        guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        return String(decoding: bytes[(end + 1)...], as: UTF8.self).split(separator: " ")
    }

    /// Returns true if the process runs a program file that has been replaced or removed, for example by an update; nil
    /// if that cannot be determined.
    package static func isReplaced(_ process: Int32) -> Bool? {
        let link = FilePath("/proc/\(process)/exe")
        guard let running = try? Stat(link) else { return nil }
        return running.linkCount == 0
    }

    /// Returns the path of the program that the process runs; nil if that cannot be determined.
    package static func executable(of process: Int32) -> String? {
        try? ThisProcess.target(of: "/proc/\(process)/exe")
    }

    package static func all(of user: UInt32) -> [Int32] {
        let names = (try? Folder.names(in: "/proc")) ?? []
        return names.compactMap { Int32($0) }.sorted().filter { process in
            (try? Stat(FilePath("/proc/\(process)")))?.userID.rawValue == user
        }
    }

    /// Returns the environment with which a process was started; nil if the process does not exist or is not
    /// accessible, for example because it belongs to another user or holds secrets.
    package static func environment(of process: Int32) -> [String: String]? {
        guard let bytes = contents("/proc/\(process)/environ", limit: 1 << 20) else { return nil }
        return bytes.split(separator: 0).reduce(into: [:]) { variables, entry in
            guard let mark = entry.firstIndex(of: UInt8(ascii: "=")) else { return }
            let name = LosslessText.string(of: Array(entry[..<mark]))
            if variables[name] == nil { variables[name] = LosslessText.string(of: Array(entry[(mark + 1)...])) }
        }
    }

    /// Returns the path of the program's file; nil if it is not accessible. See proc(5), `/proc/pid/exe`.
    package static func programPath(of process: Int32) -> String? {
        guard process > 0, let path = try? ThisProcess.target(of: "/proc/\(process)/exe") else { return nil }
        // An update replaces the file while the program runs.
        let suffix = " (deleted)"
        return path.hasSuffix(suffix) ? String(path.dropLast(suffix.count)) : path
    }

    /// Returns the path of the program's file and the first two words of the command line, as far as they are
    /// accessible.
    fileprivate static func programPaths(of process: Int32) -> [String] {
        let file = programPath(of: process).map { [$0] } ?? []
        let words = (contents("/proc/\(process)/cmdline") ?? []).split(separator: 0).prefix(2)
        return file + words.map { String(decoding: $0, as: UTF8.self) }
    }

    static func contents(_ path: String, limit: Int = 4096) -> [UInt8]? {
        guard let file = try? Descriptor.open(FilePath(path)) else { return nil }
        return try? file.fileDescriptor.readToEnd(atMost: limit)
    }
}

/// The short name of a process, such as `firefox`: `comm` in proc(5), at most 15 bytes.
package enum ProcessName {
    /// Returns the name; nil if the process does not exist or is not accessible.
    package static func of(_ process: Int32) -> String? {
        guard process > 0, let name = Descriptor.firstLine(of: "/proc/\(process)/comm"), !name.isEmpty else {
            return nil
        }
        return name
    }
}

extension ProcessName {
    /// The length in bytes at which the kernel cuts a name.
    private static let maxLength = 15

    /// Returns the whole name of the program, such as `gnome-text-editor`; nil if the process does not exist or is not
    /// accessible.
    ///
    /// A name that the kernel has cut is completed from the program's file, or from the first or, for a script, the
    /// second word of the command line, if the file or word begins like the name.
    package static func whole(of process: Int32) -> String? {
        guard let name = of(process), name.utf8.count >= maxLength else { return of(process) }
        let names = ProcessState.programPaths(of: process).compactMap { $0.split(separator: "/").last.map(String.init) }
        return names.first { $0.utf8.starts(with: name.utf8) } ?? name
    }

    /// Returns true if a name, which the kernel may have cut, is the name of a program.
    package static func isName(_ name: String, of program: String) -> Bool {
        program.utf8.prefix(maxLength).elementsEqual(name.utf8.prefix(maxLength))
    }

    /// Returns the user's running processes that have the name of one of the programs. This reads the name of every
    /// process of the user, which takes a while.
    package static func running(_ programs: [String], of user: UInt32) -> [(process: Int32, name: String)] {
        ProcessState.all(of: user).compactMap { process in
            guard let name = of(process), programs.contains(where: { isName(name, of: $0) }) else { return nil }
            return (process, name)
        }
    }
}

/// A reference to a process by descriptor, which, unlike its number, can never refer to a later process. See
/// pidfd_open(2).
package final class ProcessHandle: Sendable {
    private let descriptor: Descriptor

    /// - Throws: `noSuchProcess` if no process has this number.
    package init(_ process: Int32) throws(Errno) {
        descriptor = Descriptor(adopting: FileDescriptor(rawValue: try systemCall { pidfd_open(process, 0) }))
    }

    /// Kills the process, even if it is stopped. The corresponding C constant is `SIGKILL`.
    package func kill() throws(Errno) {
        do throws(Errno) {
            try systemCall {
                pidfd_send_signal(descriptor.fileDescriptor.rawValue, SIGKILL, nil, 0)
            }
        } catch .noSuchProcess {
            // The process has already ended.
        }
    }

    /// Waits for the end of the process. Returns true if the process has ended, false if the deadline passed.
    package func awaitEnd(until deadline: ContinuousClock.Instant) throws(Errno) -> Bool {
        try waitReadable(descriptor.fileDescriptor, until: deadline)
    }
}
