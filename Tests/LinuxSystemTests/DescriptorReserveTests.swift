import Glibc
import LinuxSystem
import SystemPackage
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
            // Others may have numbers beyond: the process has some from its start.
            func fill() throws -> Int32 {
                while true {
                    do throws(Errno) {
                        files.append(try MemoryFileWriter())
                    } catch .tooManyOpenFiles {
                        return try opened("/dev/null", .readOnly).fileDescriptor.rawValue
                    }
                }
            }
            guard try fill() >= 300, !files.isEmpty else { exit(3) }
            // A few are left for the one that looks.
            while (others.last?.fileDescriptor.rawValue ?? 0) < 395 {
                others.append(try opened("/dev/null", .readOnly))
            }
            files.removeLast(10)
            let count = files.count
            guard try fill() >= 395, files.count == count + 10, let last = others.last, DescriptorReserve.has(last)
            else {
                exit(4)
            }
            others.removeAll()
            try limitDescriptors(to: 200)
            guard (try? MemoryFileWriter()) == nil else { exit(5) }
            try limitDescriptors(to: 800)
            guard try fill() >= 600 else { exit(6) }
        }
    }

    @Test("A process that keeps no reserve has all that it may have")
    func none() async {
        await #expect(processExitsWith: .success) {
            try limitDescriptors(to: 100)
            var files: [MemoryFileWriter] = []
            while let file = try? MemoryFileWriter() { files.append(file) }
            guard let last = try? files.removeLast().seal(), last.descriptor.fileDescriptor.rawValue == 99 else {
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
