import CLinux
import CTestLinux
import Foundation
import Glibc
import LinuxSystem
import SystemPackage
import Testing

struct SecretMemoryTests {
    private func secret(_ bytes: [UInt8]) throws -> SecretMemory {
        try unsafe bytes.withUnsafeBytes { try SecretMemory.copying(unsafe $0.bytes) }
    }

    private func bytes(_ secret: SecretMemory, in range: Range<Int>? = nil) throws -> [UInt8] {
        try secret.withBytes(in: range ?? 0..<secret.length) { Array(copying: $0) }
    }

    private func filled(_ bytes: [UInt8]) throws -> (reading: Descriptor, writing: Descriptor) {
        let (reading, writing) = try FileDescriptor.pipe(options: .closeOnExec)
        try writing.writeAll(bytes)
        return (Descriptor(adopting: reading), Descriptor(adopting: writing))
    }

    /// Returns the whole text of /proc/self/smaps. Foundation would return only the first part of such a file.
    private static func maps() throws -> String {
        let file = Descriptor(
            adopting: try FileDescriptor.open(FilePath("/proc/self/smaps"), .readOnly, options: .closeOnExec))
        var text: [UInt8] = []
        while true {
            let piece = try file.fileDescriptor.readBytes(atMost: 1 << 16)
            if piece.isEmpty { return String(decoding: text, as: UTF8.self) }
            text += piece
        }
    }

    // MARK: Memory

    @Test("Any range of the bytes can be read in place", arguments: [0, 1, 4_096, 5_000, 65_536])
    func keeps(count: Int) throws {
        let secret = try secret(pattern(count))
        #expect(secret.length == count)
        for range in [0..<count, 0..<count / 2, count / 3..<count, count..<count] {
            #expect(try bytes(secret, in: range) == Array(pattern(count)[range]))
        }
        #expect(throws: Errno.invalidArgument) { try bytes(secret, in: 0..<count + 1) }
        #expect(throws: Errno.invalidArgument) { try bytes(secret, in: -1..<0) }
    }

    @Test("With protection enabled, other processes of the user cannot read the memory while there is a secret")
    func isProtected() async {
        await #expect(processExitsWith: .success) {
            func secret() throws -> SecretMemory { try Self().secret(pattern(10)) }
            _ = try secret()
            #expect(ThisProcess.isDumpable)
            SecretProtection.enable()
            let first = try secret()
            let second = try secret()
            #expect(!ThisProcess.isDumpable)
            withExtendedLifetime(second) {}
            _ = consume second
            #expect(!ThisProcess.isDumpable)
            withExtendedLifetime(first) {}
            _ = consume first
            #expect(ThisProcess.isDumpable)
        }
    }

    /// This runs in a separate process, because that process has few mappings.
    @Test(
        "The memory is locked, excluded from core dumps, and empty in children",
        .enabled(
            if: ProcessInfo.processInfo.environment["XPB_SANITIZER"] == nil,
            "AddressSanitizer disables mlock(2)"))
    func isLocked() async {
        await #expect(processExitsWith: .success) {
            let secret = try Self().secret(pattern(10))
            let start = try secret.withBytes(in: 0..<10) { span in
                unsafe span.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
            }
            var flags: Substring?
            var isThere = false
            for line in try Self.maps().split(separator: "\n") {
                let bounds = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
                if bounds.count == 2 { isThere = bounds[0] <= start && start < bounds[1] }
                if isThere, line.hasPrefix("VmFlags:") { flags = line }
            }
            #expect(secret.length == 10)
            let found = try #require(flags).split(separator: " ")
            for flag in ["lo", "dd", "wf"] { #expect(found.contains(Substring(flag)), "\(flag) in \(found)") }
        }
    }

    @Test("The memory is wiped when it is released")
    func isWiped() throws {
        let (reading, writing) = try FileDescriptor.pipe(options: .closeOnExec)
        let output = Descriptor(adopting: reading)
        let input = Descriptor(adopting: writing)
        var secret: SecretMemory? = try secret(pattern(4_096))
        // The pipe refers to the page itself rather than to a copy, and therefore shows its later contents.
        let spliced = try secret?.withBytes(in: 0..<4_096) { span in
            unsafe span.withUnsafeBytes {
                unsafe test_vmsplice(input.fileDescriptor.rawValue, $0.baseAddress, $0.count)
            }
        }
        #expect(spliced == 4_096)
        secret = nil
        #expect(try output.fileDescriptor.readBytes(atMost: 4_096) == [UInt8](repeating: 0, count: 4_096))
    }

    @Test("A secret that is too long is refused")
    func refusesLong() throws {
        #expect(throws: SecretMemoryError.tooLong(limit: 65_536)) { try secret(pattern(65_537)) }
        let writer = try SecretMemoryWriter(room: 3)
        #expect(throws: SecretMemoryError.tooLong(limit: 3)) { try writer.append(Data(pattern(4))) }
    }

    @Test("A failure to lock memory is reported")
    func refusesUnlocked() {
        // Root may exceed the limit, but nobody can lock more memory than the machine has.
        #expect(throws: SecretMemoryError.self) { try LockedPages(1 << 46) }
        #expect("\(SecretMemoryError.notLockable(.noMemory))".contains("ulimit -l"))
    }

    // MARK: Reading from descriptors

    @Test("A source is read completely", arguments: [0, 1, 4_096, 10_000, 65_536])
    func readsSource(count: Int) throws {
        let source = try filled(pattern(count)).reading
        let writer = try SecretMemoryWriter()
        try writer.append(from: source.fileDescriptor)
        #expect(try bytes(writer.seal()) == pattern(count))
    }

    @Test("A source that is too long is refused")
    func refusesLongSource() throws {
        let file = try MemoryFile.containing(pattern(65_537))
        _ = try file.descriptor.fileDescriptor.seek(offset: 0, from: .start)
        let writer = try SecretMemoryWriter()
        #expect(throws: SecretMemoryError.tooLong(limit: 65_536)) {
            try writer.append(from: file.descriptor.fileDescriptor)
        }
    }

    @Test("The contents of a passed pipe are read, even if its writing end is still open")
    func takesPipe() throws {
        let pipe = try filled(pattern(5_000))
        let writer = try SecretMemoryWriter(room: 5_000)
        try writer.append(5_000, fromPipe: pipe.reading.fileDescriptor)
        #expect(try bytes(writer.seal()) == pattern(5_000))
    }

    @Test("A pipe with fewer bytes than announced is refused without waiting", arguments: [false, true])
    func refusesShortPipe(isOpen: Bool) throws {
        let (reading, writing) = try FileDescriptor.pipe(options: .closeOnExec)
        let output = Descriptor(adopting: reading)
        var input: Descriptor? = Descriptor(adopting: writing)
        try writing.writeAll(pattern(3))
        if !isOpen { input = nil }
        let writer = try SecretMemoryWriter(room: 10)
        #expect(throws: SecretMemoryError.incomplete(3, of: 10)) {
            try writer.append(10, fromPipe: output.fileDescriptor)
        }
        // The pipe is still blocking for the process that passed it.
        #expect(fcntl(reading.rawValue, F_GETFL) & O_NONBLOCK == 0)
        _ = input
    }

    @Test("Only the reading end of a pipe is accepted")
    func refusesOthers() throws {
        let writer = try SecretMemoryWriter(room: 1)
        let file = try MemoryFile.containing(pattern(1))
        #expect(throws: SecretMemoryError.notAPipe) {
            try writer.append(1, fromPipe: file.descriptor.fileDescriptor)
        }
        let pipe = try filled([1])
        #expect(throws: SecretMemoryError.notAPipe) { try writer.append(1, fromPipe: pipe.writing.fileDescriptor) }
    }

    // MARK: Passing on

    @Test("A pipe passes a range of a secret, then ends", arguments: [0..<0, 0..<65_536, 1..<65_536, 4_000..<4_200])
    func passes(range: Range<Int>) throws {
        let secret = try secret(pattern(65_536))
        let pipe = try secret.pipe(in: range)
        let writer = try SecretMemoryWriter()
        try writer.append(from: pipe.fileDescriptor)
        #expect(try bytes(writer.seal()) == Array(pattern(65_536)[range]))
        #expect(fcntl(pipe.fileDescriptor.rawValue, F_GETFD) & FD_CLOEXEC != 0)
    }

    @Test("All of a passed pipe is read, up to the remaining room")
    func takesAllOfPipe() throws {
        let pipe = try filled(pattern(5_000))
        let writer = try SecretMemoryWriter()
        try writer.append(allOfPipe: pipe.reading.fileDescriptor)
        #expect(try bytes(writer.seal()) == pattern(5_000))
        let (short, long) = (try SecretMemoryWriter(room: 10), try filled(pattern(11)))
        #expect(throws: SecretMemoryError.tooLong(limit: 10)) {
            try short.append(allOfPipe: long.reading.fileDescriptor)
        }
    }

    @Test("Passed bytes are adopted according to their kind, as a file or a secret", arguments: [false, true])
    func adopts(isSecret: Bool) throws {
        let held =
            isSecret ? ImmutableBytes.secret(try secret(pattern(70))) : .file(try MemoryFile.containing(pattern(70)))
        let adopted = try ImmutableBytes(adopting: try held.passed(0..<70).descriptor)
        #expect((adopted.secret != nil) == isSecret)
        #expect(try adopted.withBytes(in: 10..<20) { Array(copying: $0) } == Array(pattern(70)[10..<20]))
    }

    @Test("A range of a secret is written to a descriptor")
    func isWritten() throws {
        let secret = try secret(pattern(300))
        let (reading, writing) = try FileDescriptor.pipe(options: .closeOnExec)
        let (output, input) = (Descriptor(adopting: reading), Descriptor(adopting: writing))
        try Transfer.copy(from: ImmutableBytes.secret(secret), range: 100..<300, to: input.fileDescriptor)
        #expect(try output.fileDescriptor.readBytes(atMost: 400) == Array(pattern(300)[100..<300]))
    }
}
