import LinuxSystem
import Testing

struct ResidentMemoryTests {
    /// This runs in a separate process, because it releases memory of the whole process.
    @Test("Released code still runs, and relocated data is unchanged")
    func releaseUnused() async {
        await #expect(processExitsWith: .success) {
            for _ in 0..<3 {
                ResidentMemory.releaseUnused()
                let file = try MemoryFile.containing([1, 2, 3])
                #expect(try file.bytes(in: 1..<3) == [2, 3])
                #expect("\(ContinuousClock.Duration.seconds(1))" == "1.0 seconds")
            }
        }
    }

    @Test("Only executable mappings of files are code")
    func codePages() {
        let maps = """
            00400000-00452000 r-xp 00000000 08:02 173521      /usr/bin/a program
            00651000-00652000 r--p 00051000 08:02 173521      /usr/bin/a program
            00652000-00655000 rw-p 00052000 08:02 173521      /usr/bin/a program
            35b1800000-35b1820000 r-xp 00000000 08:02 135522  /usr/lib64/ld-2.15.so
            7fffb2c0d000-7fffb2c2e000 rw-p 00000000 00:00 0   [stack]
            7fffb2d48000-7fffb2d49000 r-xp 00000000 00:00 0   [vdso]
            7fffb2e48000-7fffb2e49000 r-xp 00000000 00:00 0 
            7ffff7fc1000 r-xp
            zz-yy r-xp 00000000 08:02 135522  /usr/lib64/ld-2.15.so
            """
        let code: [Range<UInt>] = [0x400000..<0x452000, 0x35_b180_0000..<0x35_b182_0000]
        #expect(ResidentMemory.codePages(of: Array(maps.utf8)) == code)
    }
}
