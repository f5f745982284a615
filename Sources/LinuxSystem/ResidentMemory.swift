import CLinux
import Glibc
import SystemPackage

/// What the process has of the machine's memory.
package enum ResidentMemory {
    /// Bounds what malloc(3) keeps of memory that was freed, to a mebibyte for each thread, for as long as the process lives.
    ///
    /// Otherwise each block that had pages of its own raises what is kept, to twice its length (mallopt(3),
    /// M_MMAP_THRESHOLD), and malloc_trim(3) gives no thread but the first the end of its heap back. Smaller blocks are
    /// had again without new pages: a piece of a transfer is 256 KiB, and libX11 has two of them at once.
    package static func boundFree() {
        mallopt(M_MMAP_THRESHOLD, keptFree)
        mallopt(M_TRIM_THRESHOLD, keptFree)
    }

    private static let keptFree: CInt = 1 << 20

    /// Gives back to the system what can be had again: the pages of code, of which a start needs far more than what comes
    /// after it, and what malloc(3) keeps for later.
    ///
    /// Such a page is the file's, and is mapped again when it is next run (madvise(2), MADV_DONTNEED), without the disk as
    /// long as the system keeps it in memory. What is mapped to be read only is left: the linker has written to some of it.
    package static func giveBack() {
        for pages in codePages(of: (try? bytes(of: "/proc/self/maps")) ?? []) {
            _ = unsafe madvise(UnsafeMutableRawPointer(bitPattern: pages.lowerBound), pages.count, MADV_DONTNEED)
        }
        malloc_trim(0)
    }

    /// Where files are mapped to be run; see proc_pid_maps(5): `7f12c000-7f12e000 r-xp 00000000 fd:00 1234  /usr/lib/libX11.so.6`.
    static func codePages(of maps: [UInt8]) -> [Range<UInt>] {
        maps.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
            guard fields.count == 6, fields[1].elementsEqual("r-xp".utf8),
                fields[5].first(where: { $0 != UInt8(ascii: " ") }) == UInt8(ascii: "/")
            else { return nil }
            let bounds = fields[0].split(separator: UInt8(ascii: "-")).map {
                UInt(String(decoding: $0, as: UTF8.self), radix: 16)
            }
            guard bounds.count == 2, let start = bounds[0], let end = bounds[1], start < end else { return nil }
            return start..<end
        }
    }

    private static func bytes(of path: FilePath) throws(Errno) -> [UInt8] {
        let file = try rethrowingErrno {
            Descriptor(adopting: try FileDescriptor.open(path, .readOnly, options: .closeOnExec))
        }
        var bytes: [UInt8] = []
        while true {
            let more = try file.fileDescriptor.readBytes(atMost: 1 << 16)
            if more.isEmpty { return bytes }
            bytes += more
        }
    }
}
