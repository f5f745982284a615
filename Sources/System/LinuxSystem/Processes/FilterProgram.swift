import CLinux
import Glibc
package import SystemPackage

/// A program that transforms bytes from its standard input into the result on its standard output.
package struct FilterProgram: Sendable {
    /// The program, which is searched for in PATH, and its arguments; not empty. No shell is involved.
    package var command: [String]
    package var environment: [String: String]
    /// The time limit for the whole run; nil for no limit.
    package var deadline: Duration?
    /// The limit on the length of the output, in bytes.
    package var limit: Int
    /// True if the program runs in this process's folder instead of `/`.
    package var keepsWorkingDirectory = false

    /// The maximum number of bytes that are kept from the end of standard error.
    private static let maxStandardError = 4_096

    package init(
        command: [String], environment: [String: String], deadline: Duration?, limit: Int,
        keepsWorkingDirectory: Bool = false
    ) {
        self.command = command
        self.environment = environment
        self.deadline = deadline
        self.limit = limit
        self.keepsWorkingDirectory = keepsWorkingDirectory
    }

    package struct Result: Sendable {
        /// The output; nil if the program failed, see ``failure``.
        package let output: MemoryFile?
        package let failure: Failure?
        /// The end of the program's standard error, at most 4 KiB.
        package let standardError: [UInt8]
    }

    package enum Failure: Error, Equatable, Sendable {
        case notStarted(Errno)
        case status(Int32)
        /// The program was killed by the signal with this number.
        case signal(Int32)
        case timedOut
        /// The output exceeds the limit.
        case tooLong
        /// The bridge is shutting down.
        case stopped
        /// The output could not be read or stored.
        case noRoom(Errno)
    }

    /// Runs the program and waits for its end. On return every process of its group has ended or been killed.
    ///
    /// - Parameter stop: A descriptor that becomes readable if the program must be killed early.
    package func run(on input: MemoryFile, _ range: Range<Int>, stop: FileDescriptor) -> Result {
        var standardError: [UInt8] = []
        do throws(Failure) {
            let output = try run(on: input, range, stop: stop, standardError: &standardError)
            return Result(output: output, failure: nil, standardError: standardError)
        } catch {
            return Result(output: nil, failure: error, standardError: standardError)
        }
    }

    private func run(
        on input: MemoryFile, _ range: Range<Int>, stop: FileDescriptor, standardError: inout [UInt8]
    ) throws(Failure) -> MemoryFile {
        let until = deadline.map { ContinuousClock.now + $0 }
        let program: PipedProgram
        do throws(Errno) {
            let source = try Self.file(of: input, range)
            program = try ChildProcess.spawnPiped(
                command: command, environment: environment, standardInput: source.fileDescriptor,
                keepsWorkingDirectory: keepsWorkingDirectory)
        } catch {
            throw .notStarted(error)
        }
        let output: MemoryFile
        do throws(Failure) {
            output = try collect(from: program, until: until, stop: stop, standardError: &standardError)
        } catch {
            _ = try? Self.end(program)
            throw error
        }
        switch try Self.storing({ () throws(Errno) in try Self.end(program) }) {
        case .exited(0): return output
        case .exited(let status): throw .status(status)
        case .killed(let signal): throw .signal(signal)
        }
    }

    /// Kills the whole process group, and returns how the program ended. This must be called only once: after the
    /// program has been waited for, the number of the group may belong to another process group.
    private static func end(_ program: PipedProgram) throws(Errno) -> ChildProcess.Termination {
        kill(-program.process, SIGKILL)
        return try ChildProcess.wait(for: program.process)
    }

    /// Opens the bytes as a file with its own offset: a passed descriptor shares its offset with every process that has
    /// the descriptor.
    private static func file(of input: MemoryFile, _ range: Range<Int>) throws(Errno) -> Descriptor {
        let isWhole = range.lowerBound == 0 && range.upperBound == input.length
        let file = isWhole ? input : try MemoryFile.containing(try input.bytes(in: range))
        return try withExtendedLifetime(file) { () throws(Errno) in
            try Descriptor.open(FilePath("/proc/self/fd/\(file.descriptor.fileDescriptor.rawValue)"))
        }
    }

    /// Reads the output of the program until it ends. Processes that the program left running in its group are killed;
    /// processes that left the group are not waited for.
    private func collect(
        from program: PipedProgram, until: ContinuousClock.Instant?, stop: FileDescriptor, standardError: inout [UInt8]
    ) throws(Failure) -> MemoryFile {
        let (output, errors) = (program.output.fileDescriptor, program.errors.fileDescriptor)
        let end = try Self.storing { () throws(Errno) in try ChildProcess.terminationDescriptor(of: program.process) }
        let writer = try Self.storing { () throws(Errno) in try MemoryFileWriter() }
        var isRunning = true
        var pipes = [output, errors]
        while isRunning || !pipes.isEmpty {
            let waiting = [stop] + (isRunning ? [end.fileDescriptor] : []) + pipes
            // After the end of the program, only the bytes that are already in its pipes are read.
            let ready = try Self.storing { () throws(Errno) in
                try Self.ready(of: waiting, until: isRunning ? until : .now)
            }
            if ready.isEmpty, !isRunning { break }
            if ready.contains(stop) { throw .stopped }
            // poll(2) never reports a timeout while a descriptor stays readable.
            if ready.isEmpty || until.map({ $0 <= .now }) == true { throw .timedOut }
            if ready.contains(end.fileDescriptor) {
                isRunning = false
                // Processes that the program left running could write forever.
                kill(-program.process, SIGKILL)
            }
            for pipe in pipes where ready.contains(pipe) {
                let bytes = try Self.storing { () throws(Errno) in try pipe.readBytes(atMost: 65_536) }
                if bytes.isEmpty { pipes.removeAll { $0 == pipe } }
                if pipe == errors { standardError = Array((standardError + bytes).suffix(Self.maxStandardError)) }
                if pipe == output { try append(bytes, to: writer) }
            }
        }
        return try Self.storing { () throws(Errno) in try writer.seal() }
    }

    private func append(_ bytes: [UInt8], to writer: MemoryFileWriter) throws(Failure) {
        guard writer.length + bytes.count <= limit else { throw .tooLong }
        try Self.storing { () throws(Errno) in try writer.append(bytes) }
    }

    private static func ready(
        of descriptors: [FileDescriptor], until deadline: ContinuousClock.Instant?
    ) throws(Errno) -> [FileDescriptor] {
        var set = PollSet()
        for descriptor in descriptors { set.append(descriptor, .input) }
        guard try set.wait(until: deadline) > 0 else { return [] }
        return descriptors.indices.filter { set.result(at: $0) != [] }.map { descriptors[$0] }
    }

    private static func storing<Value>(_ body: () throws(Errno) -> Value) throws(Failure) -> Value {
        do {
            return try body()
        } catch {
            throw .noRoom(error)
        }
    }
}
