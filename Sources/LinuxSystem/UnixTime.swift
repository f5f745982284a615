import CLinux
import Glibc

/// Wall-clock times as the wire has them: milliseconds of the Unix epoch. For people to read, never to measure with.
package enum UnixTime {
    package static var now: Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }
}
