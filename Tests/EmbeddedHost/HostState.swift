import CX11
import Glibc

/// What a library has to leave as it is: signals, limits, environment, folder.
enum HostState {
    /// In one line, the same for the same state.
    static func described() -> String {
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

    /// How many there are, by what /proc/self lists.
    static func count(_ folder: String) -> Int {
        guard let directory = unsafe opendir("/proc/self/\(folder)") else { return -1 }
        defer { unsafe closedir(directory) }
        var count = 0
        while unsafe readdir(directory) != nil { count += 1 }
        return count
    }
}
