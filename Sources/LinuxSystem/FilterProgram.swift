import CLinux
import Glibc
package import SystemPackage

/// Runs a program on bytes: they are its standard input, and what it writes is the result.
package struct FilterProgram: Sendable {
    /// The program, looked for in PATH, and its arguments; not empty. No shell is involved.
    package var command: [String]
    package var environment: [String: String]
    /// From the start to the end; nil where there is no hurry.
    package var deadline: Duration?
    /// The most it may write, in bytes.
    package var limit: Int
    /// Whether it runs in this program's folder, and not in `/`.
    package var keepsFolder = false

    /// So many bytes of what it says on its standard error are kept, the last ones.
    private static let longestComplaint = 4_096

    package init(
        command: [String], environment: [String: String], deadline: Duration?, limit: Int, keepsFolder: Bool = false
    ) {
        self.command = command
        self.environment = environment
        self.deadline = deadline
        self.limit = limit
        self.keepsFolder = keepsFolder
    }

    package struct Result: Sendable {
        /// Nil where it failed; see ``failure``.
        package let output: MemoryFile?
        package let failure: Failure?
        /// What it wrote on its standard error, the last 4 KiB of it.
        package let complaint: [UInt8]
    }

    package enum Failure: Error, Equatable, Sendable {
        /// It could not be started.
        case notStarted(Errno)
        case status(Int32)
        /// Ended by a signal.
        case signal(Int32)
        case late
        /// It wrote more than the limit.
        case tooLong
        /// The bridge ends.
        case stopped
        /// Its output could not be kept.
        case noRoom(Errno)
    }

    /// Runs it, and waits for its end. All of its process group has ended then, or is killed.
    ///
    /// - Parameter stop: Readable when the program is to be ended before its time.
    package func run(on input: MemoryFile, _ range: Range<Int>, stop: FileDescriptor) -> Result {
        var complaint: [UInt8] = []
        do throws(Failure) {
            let output = try run(on: input, range, stop: stop, complaint: &complaint)
            return Result(output: output, failure: nil, complaint: complaint)
        } catch {
            return Result(output: nil, failure: error, complaint: complaint)
        }
    }

    private func run(
        on input: MemoryFile, _ range: Range<Int>, stop: FileDescriptor, complaint: inout [UInt8]
    ) throws(Failure) -> MemoryFile {
        let until = deadline.map { ContinuousClock.now + $0 }
        let program: PipedProgram
        do throws(Errno) {
            let source = try Self.file(of: input, range)
            program = try ChildProcess.spawnPiped(
                command: command, environment: environment, standardInput: source.fileDescriptor,
                keepsFolder: keepsFolder)
        } catch {
            throw .notStarted(error)
        }
        let output: MemoryFile
        do throws(Failure) {
            output = try collect(from: program, until: until, stop: stop, complaint: &complaint)
        } catch {
            _ = try? Self.end(program)
            throw error
        }
        switch try Self.keeping({ () throws(Errno) in try Self.end(program) }) {
        case .exited(0): return output
        case .exited(let status): throw .status(status)
        case .killed(let signal): throw .signal(signal)
        }
    }

    /// Ends the program, with whatever it left running, and says how it ended. To be called once: the group's number may
    /// be somebody else's when the program has been waited for.
    private static func end(_ program: PipedProgram) throws(Errno) -> ChildProcess.End {
        kill(-program.process, SIGKILL)
        return try ChildProcess.wait(for: program.process)
    }

    /// The bytes as a file with an offset of its own: that of a passed descriptor is shared with everybody who has it.
    private static func file(of input: MemoryFile, _ range: Range<Int>) throws(Errno) -> Descriptor {
        let isWhole = range.lowerBound == 0 && range.upperBound == input.length
        let file = isWhole ? input : try MemoryFile.containing(try input.bytes(in: range))
        return try withExtendedLifetime(file) { () throws(Errno) in
            try rethrowingErrno {
                let path = FilePath("/proc/self/fd/\(file.descriptor.fileDescriptor.rawValue)")
                return Descriptor(
                    adopting: try FileDescriptor.open(path, .readOnly, options: .closeOnExec))
            }
        }
    }

    /// Reads what the program writes until it has ended. What it left running is ended, and what got away from its
    /// process group is not awaited.
    private func collect(
        from program: PipedProgram, until: ContinuousClock.Instant?, stop: FileDescriptor, complaint: inout [UInt8]
    ) throws(Failure) -> MemoryFile {
        let (output, errors) = (program.output.fileDescriptor, program.errors.fileDescriptor)
        let end = try Self.keeping { () throws(Errno) in
            try ChildProcess.endDescriptor(of: program.process)
        }
        let writer = try Self.keeping { () throws(Errno) in try MemoryFileWriter() }
        var waiting = [stop, end.fileDescriptor, output, errors]
        while waiting.contains(end.fileDescriptor) || waiting.count > 1 {
            let hasEnded = !waiting.contains(end.fileDescriptor)
            let ready = try Self.keeping { () throws(Errno) in
                try Self.ready(of: waiting, until: hasEnded ? .now : until)
            }
            if ready.isEmpty {
                guard hasEnded else { throw .late }
                break
            }
            if ready.contains(stop) { throw .stopped }
            // poll(2) does not look at the time while there is always something to read.
            if let until, until <= .now { throw .late }
            if ready.contains(end.fileDescriptor) {
                waiting.removeAll { $0 == end.fileDescriptor }
                // What it left running may write without end.
                kill(-program.process, SIGKILL)
            }
            for descriptor in [output, errors] where ready.contains(descriptor) {
                let bytes = try Self.keeping { () throws(Errno) in try descriptor.readBytes(atMost: 65_536) }
                if bytes.isEmpty {
                    waiting.removeAll { $0 == descriptor }
                } else if descriptor == errors {
                    complaint = Array((complaint + bytes).suffix(Self.longestComplaint))
                } else {
                    guard writer.length + bytes.count <= limit else { throw .tooLong }
                    try Self.keeping { () throws(Errno) in try writer.append(bytes) }
                }
            }
        }
        return try Self.keeping { () throws(Errno) in try writer.seal() }
    }

    private static func ready(
        of descriptors: [FileDescriptor], until deadline: ContinuousClock.Instant?
    ) throws(Errno) -> [FileDescriptor] {
        var set = PollSet()
        for descriptor in descriptors { set.append(descriptor, .input) }
        guard try set.wait(until: deadline) > 0 else { return [] }
        return descriptors.indices.filter { set.result(at: $0) != [] }.map { descriptors[$0] }
    }

    private static func keeping<Value>(_ body: () throws(Errno) -> Value) throws(Failure) -> Value {
        do {
            return try body()
        } catch {
            throw .noRoom(error)
        }
    }
}
