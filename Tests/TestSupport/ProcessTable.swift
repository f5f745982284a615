import CTestLinux
import Dispatch
import FoundationEssentials
import Glibc

/// What /proc tells of processes that are not ours to wait for, such as a bridge that `xpb` started.
package enum ProcessTable {
    /// The processes whose environment has `marker` somewhere, ourselves apart.
    package static func processes(withEnvironmentContaining marker: String) -> [Int32] {
        let wanted = Array(marker.utf8)
        return (entries("/proc").compactMap { Int32($0) }).filter { process in
            process != getpid() && bytes("/proc/\(process)/environ").firstRange(of: wanted) != nil
        }
    }

    /// The file name of the executable; nil where the process is gone.
    package static func executable(of process: Int32) -> String? {
        link("/proc/\(process)/exe").flatMap { $0.split(separator: "/").last.map(String.init) }
    }

    /// What each open descriptor of the process stands for, `pipe:[4711]`.
    package static func descriptors(of process: Int32) -> [Int32: String] {
        let folder = "/proc/\(process)/fd"
        var open: [Int32: String] = [:]
        for entry in entries(folder) {
            if let number = Int32(entry) { open[number] = link("\(folder)/\(entry)") }
        }
        return open
    }

    /// The working directory of the process.
    package static func workingDirectory(of process: Int32) -> String? { link("/proc/\(process)/cwd") }

    /// The session the process is in, proc_pid_stat(5).
    package static func session(of process: Int32) -> Int32? {
        // The name, in parentheses, may hold anything: the fields are counted from its end.
        let stat = String(decoding: bytes("/proc/\(process)/stat"), as: UTF8.self)
        guard let end = stat.lastIndex(of: ")") else { return nil }
        let fields = stat[end...].split(separator: " ")
        return fields.count > 4 ? Int32(fields[4]) : nil
    }

    /// For every thread of the process, how often it went to sleep of itself and how often it was preempted
    /// (proc_pid_status(5)). A thread that made a system call and slept again has counted up.
    package static func switches(of process: Int32) -> [String: [String]] {
        let folder = "/proc/\(process)/task"
        var counters: [String: [String]] = [:]
        for thread in entries(folder) {
            let status = String(decoding: bytes("\(folder)/\(thread)/status"), as: UTF8.self)
            counters[thread] = status.split(separator: "\n").map(String.init).filter { $0.contains("ctxt_switches") }
        }
        return counters
    }

    /// Returns when the process is no more; at once where there is none of that id.
    package static func awaitEnd(of process: Int32) async {
        let descriptor = pidfd_open(process, 0)
        guard descriptor >= 0 else { return }
        await withCheckedContinuation { (ended: CheckedContinuation<Void, Never>) in
            DispatchQueue.global().async {
                var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                while unsafe poll(&waiting, 1, -1) < 0, errno == EINTR {}
                close(descriptor)
                ended.resume()
            }
        }
    }

    /// Kills the process, which was started by the test that calls, and awaits its end.
    package static func end(_ process: Int32) async {
        kill(process, SIGKILL)
        await awaitEnd(of: process)
    }

    private static func entries(_ folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    private static func link(_ path: String) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: path)
    }

    private static func bytes(_ path: String) -> [UInt8] {
        (FileManager.default.contents(atPath: path)).map(Array.init) ?? []
    }
}
