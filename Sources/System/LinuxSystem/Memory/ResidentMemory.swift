import CLinux
import Glibc

/// Control over the resident memory of this process.
package enum ResidentMemory {
    /// Limits the freed memory that malloc(3) keeps to one mebibyte per thread, for the lifetime of the process.
    ///
    /// By default, freeing a block that has its own mapping raises the threshold for trimming to twice the block's
    /// length (mallopt(3), M_MMAP_THRESHOLD), and free(3) trims only the end of a heap. Smaller blocks are reused
    /// without new pages: a chunk of a transfer is 256 KiB, and libX11 holds two of them at a time.
    package static func limitFreedMemory() {
        mallopt(M_MMAP_THRESHOLD, keptFree)
        mallopt(M_TRIM_THRESHOLD, keptFree)
    }

    private static let keptFree: CInt = 1 << 20

    /// Returns reclaimable memory to the system: pages of code, most of which are only needed at startup, and the free
    /// memory that malloc(3) keeps.
    ///
    /// Code pages are backed by their file. They are mapped again when they are next executed (madvise(2),
    /// MADV_DONTNEED), without disk access while the system has them cached. Read-only data is not dropped, because the
    /// dynamic linker has written to some of it.
    package static func releaseUnused() {
        for pages in codePages(of: ProcessState.contents("/proc/self/maps", limit: .max) ?? []) {
            _ = unsafe madvise(UnsafeMutableRawPointer(bitPattern: pages.lowerBound), pages.count, MADV_DONTNEED)
        }
        malloc_trim(0)
    }

    /// Returns the address ranges of mapped files with executable code. The format is that of proc_pid_maps(5), for
    /// example:
    /// `7f12c000-7f12e000 r-xp 00000000 fd:00 1234  /usr/lib/libX11.so.6`.
    package static func codePages(of maps: [UInt8]) -> [Range<UInt>] {
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
}
