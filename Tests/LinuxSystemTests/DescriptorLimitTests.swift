import Glibc
import LinuxSystem
import SystemPackage
import TestSupport
import Testing

/// These tests run in separate processes, because the limit and the reserve apply to the whole process.
struct DescriptorReserveTests {
    @Test("Memory files do not use the reserve, but other descriptors may, and the limit may change")
    func leaves() async {
        await #expect(processExitsWith: .success) {
            try limitDescriptors(to: 400)
            DescriptorReserve.enable()
            guard DescriptorReserve.limit == 300 else { exit(2) }
            var (files, others): ([MemoryFileWriter], [Descriptor]) = ([], [])
            /// Creates memory files until the limit, and returns the highest number of ten other descriptors: a low
            /// number that one of the system's threads has just released is assigned first.
            func fill() throws -> Int32 {
                do throws(Errno) {
                    while true { files.append(try MemoryFileWriter()) }
                } catch {
                    guard error == .tooManyOpenFiles else { exit(3) }
                }
                let probes = try (0..<10).map { _ in try opened("/dev/null", .readOnly) }
                return probes.map(\.fileDescriptor.rawValue).max() ?? -1
            }
            guard (300..<400).contains(try fill()) else { exit(4) }
            // Only descriptors of /dev/null are counted, because the system's threads open other files now and then.
            func open() -> Int { ProcessTable.descriptors(of: getpid()).values.count { $0 == "/dev/null" } }
            let (before, count) = (open(), files.count)
            // A number that one of those threads has just released is assigned first.
            var low: [Descriptor] = []
            while others.count < 20 {
                let other = try opened("/dev/null", .readOnly)
                if DescriptorReserve.contains(other) { others.append(other) } else { low.append(other) }
            }
            guard open() == before + 20 + low.count, low.count < 10 else { exit(5) }
            guard DescriptorLimit.used >= count + 20 else { exit(9) }
            files.removeLast(10)
            // The system's threads may have had a few numbers more or fewer at the moment of the first count.
            guard try fill() >= 320, (count - 3...count + 3).contains(files.count) else { exit(6) }
            others.removeAll()
            try limitDescriptors(to: 200)
            guard (try? MemoryFileWriter()) == nil else { exit(7) }
            try limitDescriptors(to: 800)
            guard (600..<800).contains(try fill()), files.count > count else { exit(8) }
        }
    }

    @Test("A process without a reserve can use all of its descriptors")
    func none() async {
        await #expect(processExitsWith: .success) {
            try limitDescriptors(to: 100)
            var files: [MemoryFileWriter] = []
            while let file = try? MemoryFileWriter() { files.append(file) }
            // The last few numbers may be in use by the system's threads at that moment.
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
