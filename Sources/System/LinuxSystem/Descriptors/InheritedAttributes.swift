import CLinux
import Glibc
import SystemPackage

/// The attributes that a process inherits from the program that started it. A service that any program may start on
/// demand, and that outlives that program, should keep none of these attributes: a shell's `ulimit`, a batch job's
/// niceness, the processors of a pinned program.
///
/// | attribute | default |
/// |---|---|
/// | limits on processor time, memory, and the size of files | the hard limit |
/// | nice value | 0 |
/// | scheduling policy | SCHED_OTHER |
/// | disk priority | derived from the nice value |
/// | processors | all |
/// | adjustment of the out-of-memory killer | 0, or as close to it as is allowed |
/// | umask | 077 |
package enum InheritedAttributes {
    /// The resources whose soft limits are raised to the hard limits. ``DescriptorLimit`` raises the limit on
    /// descriptors.
    private static let resources: [(resource: __rlimit_resource, name: String)] = [
        (RLIMIT_CPU, "processor time"), (RLIMIT_FSIZE, "the size of files"), (RLIMIT_AS, "memory"),
        (RLIMIT_DATA, "data memory"),
    ]

    /// The minimum limit on descriptors. Below it, a bridge fails even with few clients.
    private static let minDescriptors: UInt = 1_024
    /// The adjustment that the services of a user have on common systems.
    private static let usualKillAdjustment = 200

    /// Gives this process the defaults. Call this before the process has other threads: the nice value, the policies
    /// and the processors belong to a thread, and are inherited by threads that it starts.
    ///
    /// - Returns: Phrases for the attributes that a process without privileges cannot reset.
    package static func reset() -> [String] {
        umask(0o077)
        linux_use_all_processors()
        let policy = resetPolicy()
        linux_reset_disk_priority()
        return [raiseLimits(), [policy, resetNiceValue(), resetKillAdjustment()].compactMap(\.self)].flatMap(\.self)
    }

    private static func raiseLimits() -> [String] {
        var left: [String] = []
        for (resource, name) in resources {
            var limit = rlimit()
            guard unsafe getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else { continue }
            limit.rlim_cur = limit.rlim_max
            unsafe setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
            if limit.rlim_max != rlim_t.max {
                left.append("a limit on \(name) (\(limit.rlim_max) \(resource == RLIMIT_CPU ? "s" : "bytes"))")
            }
        }
        var descriptors = rlimit()
        if unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &descriptors) == 0,
            descriptors.rlim_max < minDescriptors
        {
            left.append("a limit on open files (\(descriptors.rlim_max))")
        }
        return left
    }

    /// Resets the policy. A process without privileges may leave any policy except SCHED_IDLE, which requires
    /// permission for its nice value. See sched(7).
    private static func resetPolicy() -> String? {
        let resetOnFork: Int32 = 0x4000_0000
        let policy = sched_getscheduler(0)
        guard policy >= 0, policy & ~resetOnFork != SCHED_OTHER else { return nil }
        var parameters = sched_param()
        let isReset = unsafe sched_setscheduler(0, SCHED_OTHER, &parameters) == 0
        return isReset ? nil : "the scheduling policy \(policyNames[policy & ~resetOnFork] ?? "\(policy)")"
    }

    /// The names of the policies of sched(7). The header has some of them for _GNU_SOURCE only.
    private static let policyNames: [Int32: String] = [
        1: "SCHED_FIFO", 2: "SCHED_RR", 3: "SCHED_BATCH", 5: "SCHED_IDLE", 6: "SCHED_DEADLINE",
    ]

    private static func resetNiceValue() -> String? {
        let value = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
        guard value != 0, setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 0) != 0 else { return nil }
        return "a nice value (\(value))"
    }

    /// Resets the adjustment. A process without privileges may lower it to the lowest value that a privileged process
    /// has set. See proc(5), `/proc/pid/oom_score_adj`.
    private static func resetKillAdjustment() -> String? {
        let path = "/proc/self/oom_score_adj"
        func adjustment() -> Int? { Descriptor.firstLine(of: path).flatMap { Int($0) } }
        guard let inherited = adjustment(), inherited != 0 else { return nil }
        for wanted in [0, usualKillAdjustment / 2, usualKillAdjustment] where wanted < abs(inherited) {
            guard let file = try? Descriptor.open(FilePath(path), .writeOnly) else { break }
            if (try? file.fileDescriptor.writeAll("\(wanted)".utf8)) != nil { break }
        }
        guard let left = adjustment(), left > usualKillAdjustment else { return nil }
        return "a preference of the out-of-memory killer (\(left))"
    }
}
