import CLinux
import Glibc

/// Wall-clock times in the wire's unit, milliseconds since the Unix epoch. They are for people to read, not for
/// measuring.
package enum UnixTime {
    package static var now: Int { microseconds / 1_000 }

    /// The time in microseconds since the Unix epoch.
    package static var microseconds: Int { time(of: CLOCK_REALTIME) }

    /// Returns the hour, minute and second of a time in the user's time zone. See localtime_r(3) and TZ.
    package static func timeOfDay(_ milliseconds: Int) -> (hour: Int, minute: Int, second: Int) {
        var seconds = time_t(milliseconds / 1_000)
        var parts = unsafe tm()
        unsafe localtime_r(&seconds, &parts)
        return unsafe (Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec))
    }
}

/// Times since the start of the machine, in milliseconds, including suspends. Changes to the clock do not affect them.
/// See clock_gettime(2), CLOCK_BOOTTIME.
package enum BootTime {
    package static var now: Int { time(of: CLOCK_BOOTTIME) / 1_000 }

    /// The identifier of this start of the machine; nil without /proc. See random(4).
    package static let identifier = Descriptor.firstLine(of: "/proc/sys/kernel/random/boot_id")
}

/// Returns the time of a clock in microseconds.
private func time(of clock: clockid_t) -> Int {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
}
