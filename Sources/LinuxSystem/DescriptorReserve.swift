import Glibc
import Synchronization
import SystemPackage

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
