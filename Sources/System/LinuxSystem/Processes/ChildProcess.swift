import CLinux
import Glibc
package import SystemPackage

/// Functions that start other programs. See posix_spawn(3).
package enum ChildProcess {
    /// Starts a program that shares nothing with this process.
    ///
    /// The program runs in its own session, in `/` unless `keepsWorkingDirectory` is set, with /dev/null as standard
    /// input, output and error, with no descriptors except the passed ones, and with no signal blocked or ignored. It
    /// is not a child of this process.
    ///
    /// - Parameters:
    ///   - executable: A path; PATH is not searched.
    ///   - arguments: The arguments, beginning with the name of the program.
    ///   - passing: Descriptors and the numbers they get in the program; 0, 1 and 2 are allowed.
    /// - Throws: `noSuchFileOrDirectory`, `permissionDenied` and the other errors of execve(2).
    package static func spawnDetached(
        executable: String, arguments: [String], environment: [String: String],
        passing: [(FileDescriptor, Int32)] = [], keepsWorkingDirectory: Bool = false
    ) throws(Errno) {
        var actions = unsafe posix_spawn_file_actions_t()
        try checked(unsafe posix_spawn_file_actions_init(&actions))
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        // A target number may be the number of a source descriptor that is still to be passed, so every source is first
        // duplicated above all targets.
        let targets = Set(passing.map(\.1))
        let end = max(targets.max() ?? 0, STDERR_FILENO) + 1
        var movedAside: [Descriptor] = []
        for (source, target) in passing {
            let moved = try source.duplicatedCloseOnExec(atLeast: end)
            movedAside.append(Descriptor(adopting: moved))
            try checked(unsafe posix_spawn_file_actions_adddup2(&actions, moved.rawValue, target))
        }
        for number in 0..<end where !targets.contains(number) {
            if number <= STDERR_FILENO {
                try checked(unsafe posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0))
            } else {
                try checked(unsafe posix_spawn_file_actions_addclose(&actions, number))
            }
        }
        try checked(unsafe posix_spawn_file_actions_addclosefrom_np(&actions, end))
        if !keepsWorkingDirectory { try checked(unsafe posix_spawn_file_actions_addchdir_np(&actions, "/")) }

        var attributes = posix_spawnattr_t()
        try checked(unsafe posix_spawnattr_init(&attributes))
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        try setDefaultSignals(&attributes, flags: Int32(POSIX_SPAWN_SETSID))

        let argumentList = CStrings(arguments)
        let environmentList = CStrings(environment: environment)
        let result = withExtendedLifetime((movedAside, argumentList, environmentList)) {
            unsafe linux_spawn_orphan(
                executable, &actions, &attributes, argumentList.pointers, environmentList.pointers)
        }
        try checked(result)
    }

    /// Makes the program start with no signal blocked or ignored, and with the given flags of
    /// posix_spawnattr_setflags(3).
    static func setDefaultSignals(_ attributes: inout posix_spawnattr_t, flags: Int32) throws(Errno) {
        var signals = sigset_t(of: [])
        try checked(unsafe posix_spawnattr_setsigmask(&attributes, &signals))
        unsafe sigfillset(&signals)
        try checked(unsafe posix_spawnattr_setsigdefault(&attributes, &signals))
        let all = flags | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        try checked(unsafe posix_spawnattr_setflags(&attributes, Int16(all)))
    }
}

/// A null-terminated list of C strings, as execve(2) takes. The strings are encoded by ``LosslessText``.
@safe
final class CStrings {
    let pointers: [UnsafeMutablePointer<CChar>?]

    init(_ strings: [String]) {
        let characters = strings.map { LosslessText.bytes(of: $0).map { CChar(bitPattern: $0) } + [0] }
        unsafe pointers = characters.map { unsafe strdup($0) } + [nil]
    }

    /// Creates the list of variables in the format of environ(7).
    convenience init(environment: [String: String]) {
        self.init(environment.map { "\($0.key)=\($0.value)" })
    }

    deinit {
        unsafe pointers.forEach { unsafe free($0) }
    }
}

/// A command run on behalf of the caller: in the same folder and session, with the same standard output and error.
extension ChildProcess {
    package enum Termination: Equatable, Sendable {
        case exited(Int32)
        /// The program was killed by the signal with this number.
        case killed(Int32)
    }

    /// Starts a program with the given standard input. SIGPIPE has its default action in the program even if this
    /// process ignores it, and no signal is blocked.
    ///
    /// - Parameters:
    ///   - command: The program, which is searched for in PATH, and its arguments; not empty.
    ///   - standardOutput: The standard output; nil for the standard output of this process.
    ///   - standardError: The standard error; nil for the standard error of this process.
    /// - Returns: The process id.
    /// - Throws: `noSuchFileOrDirectory`, `permissionDenied` and the other errors of execve(2).
    package static func spawn(
        command: [String], environment: [String: String], standardInput: FileDescriptor,
        standardOutput: FileDescriptor? = nil, standardError: FileDescriptor? = nil
    ) throws(Errno) -> Int32 {
        guard let program = command.first else { throw .invalidArgument }
        var actions = unsafe posix_spawn_file_actions_t()
        try checked(unsafe posix_spawn_file_actions_init(&actions))
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        try checked(unsafe posix_spawn_file_actions_adddup2(&actions, standardInput.rawValue, STDIN_FILENO))
        if let output = standardOutput?.rawValue {
            try checked(unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO))
        }
        if let errors = standardError?.rawValue {
            try checked(unsafe posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO))
        }

        var attributes = posix_spawnattr_t()
        try checked(unsafe posix_spawnattr_init(&attributes))
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t(of: [])
        try checked(unsafe posix_spawnattr_setsigmask(&attributes, &signals))
        signals = sigset_t(of: [.brokenPipe])
        try checked(unsafe posix_spawnattr_setsigdefault(&attributes, &signals))
        try checked(unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)))

        let arguments = CStrings(command)
        let variables = CStrings(environment: environment)
        var process: pid_t = 0
        let result = withExtendedLifetime((arguments, variables)) {
            unsafe posix_spawnp(&process, program, &actions, &attributes, arguments.pointers, variables.pointers)
        }
        try checked(result)
        return process
    }

    /// Returns a descriptor that becomes readable when the child has ended; the child must still be waited for. See
    /// pidfd_open(2).
    package static func terminationDescriptor(of process: Int32) throws(Errno) -> Descriptor {
        Descriptor(adopting: FileDescriptor(rawValue: try systemCall { pidfd_open(process, 0) }))
    }

    /// Sends a signal to a child that has not been waited for yet.
    package static func send(_ signal: Signal, to process: Int32) {
        // This fails only if the child has changed its user, and then nothing can be done.
        _ = kill(process, signal.rawValue)
    }

    /// Waits until a child has ended. See waitpid(2).
    package static func wait(for process: Int32) throws(Errno) -> Termination {
        var status: Int32 = 0
        try systemCall { unsafe waitpid(process, &status, 0) }
        // WIFEXITED and the related macros are not available in Swift: the low seven bits are the signal, the next byte
        // the status.
        return status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .killed(status & 0x7F)
    }
}

/// A running program whose standard output and error are pipes to this process.
struct PipedProgram {
    /// The process id, which is also the id of the process group.
    let process: Int32
    let output: Descriptor
    let errors: Descriptor
}

extension ChildProcess {
    /// Starts a program in its own process group, in `/` unless `keepsWorkingDirectory` is set, with only its three
    /// standard descriptors and with no signal blocked or ignored.
    ///
    /// - Parameter command: The program, which is searched for in PATH, and its arguments; not empty.
    /// - Throws: `noSuchFileOrDirectory`, `permissionDenied` and the other errors of execve(2).
    static func spawnPiped(
        command: [String], environment: [String: String], standardInput: FileDescriptor, keepsWorkingDirectory: Bool
    ) throws(Errno) -> PipedProgram {
        guard let program = command.first else { throw .invalidArgument }
        let (output, outputEnd) = try Descriptor.pipe()
        let (errors, errorsEnd) = try Descriptor.pipe()
        var actions = unsafe posix_spawn_file_actions_t()
        try checked(unsafe posix_spawn_file_actions_init(&actions))
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        // The sources are duplicated above 2, so that setting one standard descriptor does not overwrite the source of
        // another.
        let sources = [
            (standardInput, STDIN_FILENO), (outputEnd.fileDescriptor, STDOUT_FILENO),
            (errorsEnd.fileDescriptor, STDERR_FILENO),
        ]
        var moved: [Descriptor] = []
        for (source, target) in sources {
            let aside = try source.duplicatedCloseOnExec(atLeast: STDERR_FILENO + 1)
            moved.append(Descriptor(adopting: aside))
            try checked(unsafe posix_spawn_file_actions_adddup2(&actions, aside.rawValue, target))
        }
        try checked(unsafe posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1))
        if !keepsWorkingDirectory { try checked(unsafe posix_spawn_file_actions_addchdir_np(&actions, "/")) }

        var attributes = posix_spawnattr_t()
        try checked(unsafe posix_spawnattr_init(&attributes))
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        try checked(unsafe posix_spawnattr_setpgroup(&attributes, 0))
        try setDefaultSignals(&attributes, flags: Int32(POSIX_SPAWN_SETPGROUP))

        let arguments = CStrings(command)
        let variables = CStrings(environment: environment)
        var process: pid_t = 0
        let result = withExtendedLifetime((moved, arguments, variables)) {
            unsafe posix_spawnp(&process, program, &actions, &attributes, arguments.pointers, variables.pointers)
        }
        try checked(result)
        return PipedProgram(process: process, output: output, errors: errors)
    }
}
