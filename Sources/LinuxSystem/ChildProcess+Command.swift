import CLinux
import Glibc
package import SystemPackage

/// A command run for the caller: in its folder and session, with its standard output and error.
extension ChildProcess {
    /// How a program ended.
    package enum End: Equatable, Sendable {
        case exited(Int32)
        /// By a signal of that number.
        case killed(Int32)
    }

    /// Starts a program with another standard input. A SIGPIPE that this program ignores is not ignored there, and no
    /// signal is blocked.
    ///
    /// - Parameter command: The program, looked for in PATH, and its arguments; not empty.
    /// - Returns: Its process id.
    /// - Throws: `noSuchFileOrDirectory`, `permissionDenied` and what else execve(2) says.
    package static func spawn(
        command: [String], environment: [String: String], standardInput: FileDescriptor
    ) throws(Errno) -> Int32 {
        guard let program = command.first else { throw .invalidArgument }
        var actions = unsafe posix_spawn_file_actions_t()
        try checked(unsafe posix_spawn_file_actions_init(&actions))
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        try checked(unsafe posix_spawn_file_actions_adddup2(&actions, standardInput.rawValue, STDIN_FILENO))

        var attributes = posix_spawnattr_t()
        try checked(unsafe posix_spawnattr_init(&attributes))
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        try checked(unsafe posix_spawnattr_setsigmask(&attributes, &signals))
        unsafe sigaddset(&signals, SIGPIPE)
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

    /// Readable once a child has ended, which is still to be waited for. See pidfd_open(2).
    package static func endDescriptor(of process: Int32) throws(Errno) -> Descriptor {
        Descriptor(adopting: FileDescriptor(rawValue: try systemCall { pidfd_open(process, 0) }))
    }

    /// Sends a signal to a child that has not been waited for.
    package static func send(_ signal: Signal, to process: Int32) {
        // It fails only for one that has changed its user, and then there is nothing to be done.
        _ = kill(process, signal.rawValue)
    }

    /// Waits until a child has ended. See waitpid(2).
    package static func wait(for process: Int32) throws(Errno) -> End {
        var status: Int32 = 0
        try systemCall { unsafe waitpid(process, &status, 0) }
        // WIFEXITED and its like are macros: the low seven bits are the signal, the next byte the status.
        return status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .killed(status & 0x7F)
    }
}
