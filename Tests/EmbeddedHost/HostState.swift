import CX11
import Glibc

/// State that a library must not change: signals, limits, environment, folder.
enum HostState {
    /// Returns the state in one line: equal states give equal lines.
    static func description() -> String {
        let signals = [SIGHUP, SIGINT, SIGPIPE, SIGTERM, SIGCHLD, SIGUSR1].map(disposition).joined(separator: ",")
        var limit = rlimit()
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let authority = unsafe getenv("XAUTHORITY").map { unsafe String(cString: $0) } ?? "-"
        let folder = unsafe getcwd(nil, 0).map { text in
            defer { unsafe free(text) }
            return unsafe String(cString: text)
        }
        let mask = umask(0)
        umask(mask)
        var blocked = sigset_t()
        unsafe pthread_sigmask(SIG_BLOCK, nil, &blocked)
        let isBlocked = (1..<32).filter { unsafe sigismember(&blocked, $0) == 1 }
        return "signals \(signals) blocked \(isBlocked) descriptors \(limit.rlim_cur) authority \(authority) "
            + "folder \(folder ?? "-") umask \(mask)"
    }

    private static func disposition(_ signal: Int32) -> String {
        var action = sigaction()
        unsafe sigaction(signal, nil, &action)
        return
            unsafe "\(signal)=\(UInt(bitPattern: unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)))"
    }

    /// Returns the number of entries of a folder in /proc/self; -1 if it cannot be opened.
    static func count(_ folder: String) -> Int {
        guard let directory = unsafe opendir("/proc/self/\(folder)") else { return -1 }
        defer { unsafe closedir(directory) }
        var count = 0
        while unsafe readdir(directory) != nil { count += 1 }
        return count
    }
}

/// Descriptors that use up the program's limit.
final class HostDescriptors {
    private var held: [Int32] = []
    private var limitBefore = rlimit()

    /// Lowers the limit, and opens descriptors up to it.
    func exhaust() {
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limitBefore)
        var limit = rlimit(rlim_cur: 64, rlim_max: limitBefore.rlim_max)
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        while case let number = dup(0), number >= 0 { held.append(number) }
    }

    func release() {
        for number in held { close(number) }
        held = []
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limitBefore)
    }
}
