import Glibc

/// How many descriptors the process may have open.
package enum DescriptorLimit {
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
