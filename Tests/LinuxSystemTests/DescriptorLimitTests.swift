import Glibc
import LinuxSystem
import SystemPackage
import TestSupport
import Testing

/// In processes of their own, as limits and reserve are those of the process.
struct DescriptorReserveTests {
    @Test("Files in memory leave the reserve alone, to which all else may go, and whose limit may change")
    func leaves() async {
        await #expect(processExitsWith: .success) {
            try limitDescriptors(to: 400)
            DescriptorReserve.keep()
            guard DescriptorReserve.limit == 300 else { exit(2) }
            var (files, others): ([MemoryFileWriter], [Descriptor]) = ([], [])
            /// - Returns: The lowest number that is free then.
            func fill() throws -> Int32 {
                do throws(Errno) {
                    while true { files.append(try MemoryFileWriter()) }
                } catch {
                    guard error == .tooManyOpenFiles else { exit(3) }
                }
                return try opened("/dev/null", .readOnly).fileDescriptor.rawValue
            }
            guard (300..<400).contains(try fill()) else { exit(4) }
            // By what they are of: the system's threads open files of their own now and then.
            func open() -> Int { ProcessTable.descriptors(of: getpid()).values.count { $0 == "/dev/null" } }
            let (before, count) = (open(), files.count)
            // A number that one of those has just left is taken first.
            var low: [Descriptor] = []
            while others.count < 20 {
                let other = try opened("/dev/null", .readOnly)
                if DescriptorReserve.has(other) { others.append(other) } else { low.append(other) }
            }
            guard open() == before + 20 + low.count, low.count < 10 else { exit(5) }
            guard DescriptorLimit.used >= count + 20 else { exit(9) }
            files.removeLast(10)
            guard try fill() >= 320, files.count == count else { exit(6) }
            others.removeAll()
            try limitDescriptors(to: 200)
            guard (try? MemoryFileWriter()) == nil else { exit(7) }
            try limitDescriptors(to: 800)
            guard (600..<800).contains(try fill()), files.count > count else { exit(8) }
        }
    }

    @Test("A process that keeps no reserve has all that it may have")
    func none() async {
        await #expect(processExitsWith: .success) {
            try limitDescriptors(to: 100)
            var files: [MemoryFileWriter] = []
            while let file = try? MemoryFileWriter() { files.append(file) }
            // The last few numbers may be those of what the system's threads have open just then.
            guard let last = try? files.removeLast().seal(), last.descriptor.fileDescriptor.rawValue >= 95 else {
                exit(2)
            }
        }
    }
}

private func limitDescriptors(to count: UInt) throws {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
        throw Errno(rawValue: errno)
    }
    limit.rlim_cur = count
    guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
        throw Errno(rawValue: errno)
    }
}
