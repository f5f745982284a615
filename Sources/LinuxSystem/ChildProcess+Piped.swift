import CLinux
import Glibc
import SystemPackage

/// A program with pipes on its standard output and error.
struct PipedProgram {
    /// Its process id, which is that of its process group too.
    let process: Int32
    let output: Descriptor
    let errors: Descriptor
}

extension ChildProcess {
    /// Starts a program in a process group of its own, in `/` unless it keeps this one's folder, with no descriptor but
    /// its three standard ones and no signal blocked or ignored.
    ///
    /// - Parameter command: The program, looked for in PATH, and its arguments; not empty.
    /// - Throws: `noSuchFileOrDirectory`, `permissionDenied` and what else execve(2) says.
    static func spawnPiped(
        command: [String], environment: [String: String], standardInput: FileDescriptor, keepsFolder: Bool
    ) throws(Errno) -> PipedProgram {
        guard let program = command.first else { throw .invalidArgument }
        let (output, outputEnd) = try pipe()
        let (errors, errorsEnd) = try pipe()
        var actions = unsafe posix_spawn_file_actions_t()
        try checked(unsafe posix_spawn_file_actions_init(&actions))
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        // Moved out of the way of the three numbers that are set.
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
        if !keepsFolder { try checked(unsafe posix_spawn_file_actions_addchdir_np(&actions, "/")) }

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

    /// The reading and the writing end, both close-on-exec.
    private static func pipe() throws(Errno) -> (Descriptor, Descriptor) {
        var ends: [Int32] = [0, 0]
        try systemCall { unsafe pipe2(&ends, O_CLOEXEC) }
        return (
            Descriptor(adopting: FileDescriptor(rawValue: ends[0])),
            Descriptor(adopting: FileDescriptor(rawValue: ends[1]))
        )
    }
}
