import Glibc
import Synchronization
import SystemPackage

/// How many descriptors the process may have open.
package enum DescriptorLimit {
    /// How many it may have; see getrlimit(2), RLIMIT_NOFILE.
    package static var current: Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        return Int(clamping: limit.rlim_cur)
    }

    /// How many it has; see proc(5), `/proc/self/fd`.
    package static var used: Int {
        do throws(Errno) {
            // One is that of the folder.
            return try Folder.names(in: "/proc/self/fd").count - 1
        } catch {
            return current
        }
    }

    /// Raises the limit as far as the process may by itself, but not beyond `wanted` (setrlimit(2), RLIMIT_NOFILE).
    ///
    /// The usual limit of 1,024 is kept low for the sake of select(2), which is not used here.
    ///
    /// - Returns: the limit now in force.
    @discardableResult
    package static func raise(to wanted: UInt) -> UInt {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        let raised = rlimit(rlim_cur: max(limit.rlim_cur, min(wanted, limit.rlim_max)), rlim_max: limit.rlim_max)
        var request = raised
        guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &request) == 0 else {
            return limit.rlim_cur
        }
        return raised.rlim_cur
    }
}

/// Descriptors that a process which serves others keeps for its own work: connections, pipes, and files that are open for a
/// moment. What holds bytes, which may stay for as long as others like, takes none of them.
///
/// A new descriptor has the lowest number that is free. So the number tells how many are open at the least, whoever opened
/// them, and nobody has to count.
package enum DescriptorReserve {
    private static let isKept = Atomic(false)
    private static let most = 4_096

    /// Has this process keep the reserve from now on.
    package static func keep() { isKept.store(true, ordering: .relaxed) }

    /// How many descriptors there are beside the reserve: three quarters or more.
    package static var limit: Int {
        let all = DescriptorLimit.current
        return all - min(all / 4, most)
    }

    /// Whether one that was opened just now, or that came just now, is of the reserve.
    package static func has(_ descriptor: Descriptor) -> Bool {
        isKept.load(ordering: .relaxed) && Int(descriptor.fileDescriptor.rawValue) >= limit
    }
}
