import Glibc

/// All descriptors that the program may have.
final class HostDescriptors {
    private var held: [Int32] = []
    private var before = rlimit()

    /// Takes what is left, of few.
    func exhaust() {
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &before)
        var few = rlimit(rlim_cur: 64, rlim_max: before.rlim_max)
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &few)
        while case let number = dup(0), number >= 0 { held.append(number) }
    }

    func release() {
        for number in held { close(number) }
        held = []
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &before)
    }
}
