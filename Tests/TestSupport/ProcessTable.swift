import CTestLinux
import Dispatch
import FoundationEssentials
import Glibc

/// Information from /proc about processes that are not children of the tests, such as a bridge started by `xpb`.
package enum ProcessTable {
    /// Returns the processes, except this one, whose environment contains `marker`.
    package static func processes(withEnvironmentContaining marker: String) -> [Int32] {
        let wanted = Array(marker.utf8)
        return (entries("/proc").compactMap { Int32($0) }).filter { process in
            process != getpid() && contains(bytes("/proc/\(process)/environ"), wanted)
        }
    }

    /// Returns the file name of the executable; nil if the process is gone.
    package static func executable(of process: Int32) -> String? {
        link("/proc/\(process)/exe").flatMap { $0.split(separator: "/").last.map(String.init) }
    }

    /// Returns the targets of all open descriptors of the process, such as `pipe:[4711]`.
    package static func descriptors(of process: Int32) -> [Int32: String] {
        let folder = "/proc/\(process)/fd"
        var open: [Int32: String] = [:]
        for entry in entries(folder) {
            if let number = Int32(entry) { open[number] = link("\(folder)/\(entry)") }
        }
        return open
    }

    /// Returns the working directory of the process.
    package static func workingDirectory(of process: Int32) -> String? { link("/proc/\(process)/cwd") }

    /// Returns the session of the process. See proc_pid_stat(5).
    package static func session(of process: Int32) -> Int32? {
        // The name, in parentheses, may contain any character, so fields are counted from its closing parenthesis.
        let stat = String(decoding: bytes("/proc/\(process)/stat"), as: UTF8.self)
        guard let end = stat.lastIndex(of: ")") else { return nil }
        let fields = stat[end...].split(separator: " ")
        return fields.count > 4 ? Int32(fields[4]) : nil
    }

    /// Returns the numbers of voluntary and involuntary context switches of each thread (proc_pid_status(5)). A thread
    /// that made a system call and slept again has a higher number.
    package static func switches(of process: Int32) -> [String: [String]] {
        let folder = "/proc/\(process)/task"
        var counters: [String: [String]] = [:]
        for thread in entries(folder) {
            let status = String(decoding: bytes("\(folder)/\(thread)/status"), as: UTF8.self)
            counters[thread] = status.split(separator: "\n").map(String.init).filter { $0.contains("ctxt_switches") }
        }
        return counters
    }

    /// Waits until the process has ended, or the task is cancelled. Returns at once if the process does not exist.
    package static func awaitEnd(of process: Int32) async {
        let descriptor = pidfd_open(process, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let cancelling = eventfd(0, Int32(EFD_CLOEXEC))
        guard cancelling >= 0 else { return }
        defer { close(cancelling) }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (ended: CheckedContinuation<Void, Never>) in
                DispatchQueue.global().async {
                    var waiting = [descriptor, cancelling].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
                    while unsafe poll(&waiting, nfds_t(waiting.count), -1) < 0, errno == EINTR {}
                    ended.resume()
                }
            }
        } onCancel: {
            eventfd_write(cancelling, 1)
        }
    }

    /// Kills a process started by the calling test, and waits until it has ended.
    package static func end(_ process: Int32) async {
        kill(process, SIGKILL)
        await awaitEnd(of: process)
    }

    private static func contains(_ bytes: [UInt8], _ wanted: [UInt8]) -> Bool {
        unsafe memmem(bytes, bytes.count, wanted, wanted.count) != nil
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
