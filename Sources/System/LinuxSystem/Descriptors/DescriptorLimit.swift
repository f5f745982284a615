import Glibc
import Synchronization
import SystemPackage

/// The limit on the number of open descriptors of this process.
package enum DescriptorLimit {
    /// The current limit. See getrlimit(2), RLIMIT_NOFILE.
    package static var current: Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        return Int(clamping: limit.rlim_cur)
    }

    /// The number of open descriptors. See proc(5), `/proc/self/fd`.
    package static var used: Int {
        do throws(Errno) {
            // One of the entries is the descriptor of the folder itself.
            return try Folder.names(in: "/proc/self/fd").count - 1
        } catch {
            return current
        }
    }

    /// Raises the limit as far as an unprivileged process may, but not above `wanted`. See setrlimit(2), RLIMIT_NOFILE.
    ///
    /// The usual limit of 1,024 is low only for the sake of programs that use select(2), which this project does not.
    ///
    /// - Returns: The limit after the call.
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

/// A number of descriptors that a serving process reserves for its own short-lived work: connections, pipes and files
/// that are open briefly. Descriptors that hold contents, which clients may keep for an unlimited time, must not use
/// the reserve.
///
/// A new descriptor gets the lowest free number, so its number is a lower bound for the number of open descriptors. No
/// counting is needed.
package enum DescriptorReserve {
    private static let isEnabled = Atomic(false)
    private static let maxReserve = 4_096

    package static func enable() { isEnabled.store(true, ordering: .relaxed) }

    /// The number of descriptors outside the reserve: at least three quarters of all.
    package static var limit: Int {
        let all = DescriptorLimit.current
        return all - min(all / 4, maxReserve)
    }

    /// Returns true if a descriptor that was just opened or received falls into the reserve.
    package static func contains(_ descriptor: Descriptor) -> Bool {
        isEnabled.load(ordering: .relaxed) && Int(descriptor.fileDescriptor.rawValue) >= limit
    }
}
