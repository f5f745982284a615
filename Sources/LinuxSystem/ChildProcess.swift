import CLinux
import Glibc
package import SystemPackage

/// Starts programs. See posix_spawn(3).
package enum ChildProcess {
    /// Starts a program that shares nothing with this one: a session of its own, `/` as its folder unless it keeps this
    /// one's, /dev/null as standard input, output and error, no descriptor but the passed ones, no signal blocked or
    /// ignored. It is no child of this process.
    ///
    /// - Parameters:
    ///   - executable: A path; PATH is not searched.
    ///   - arguments: Including the name of the program, the first one.
    ///   - passing: Descriptors and the numbers they have in the program; 0, 1 and 2 are allowed.
    /// - Throws: `noSuchFileOrDirectory`, `permissionDenied` and what else execve(2) says.
    package static func spawnDetached(
        executable: String, arguments: [String], environment: [String: String],
        passing: [(FileDescriptor, Int32)] = [], keepsFolder: Bool = false
    ) throws(Errno) {
        var actions = unsafe posix_spawn_file_actions_t()
        try checked(unsafe posix_spawn_file_actions_init(&actions))
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        // A number to be set may be that of another descriptor still to be passed: all are moved out of the way.
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
        if !keepsFolder { try checked(unsafe posix_spawn_file_actions_addchdir_np(&actions, "/")) }

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

    /// Has the program begin with no signal blocked or ignored, and with the other flags of posix_spawnattr_setflags(3).
    static func setDefaultSignals(_ attributes: inout posix_spawnattr_t, flags: Int32) throws(Errno) {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        try checked(unsafe posix_spawnattr_setsigmask(&attributes, &signals))
        unsafe sigfillset(&signals)
        try checked(unsafe posix_spawnattr_setsigdefault(&attributes, &signals))
        let all = flags | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        try checked(unsafe posix_spawnattr_setflags(&attributes, Int16(all)))
    }
}

/// A list of C strings that ends with a null pointer, as execve(2) takes it; see ``LosslessText``.
@safe
final class CStrings {
    let pointers: [UnsafeMutablePointer<CChar>?]

    init(_ strings: [String]) {
        let characters = strings.map { LosslessText.bytes(of: $0).map { CChar(bitPattern: $0) } + [0] }
        unsafe pointers = characters.map { unsafe strdup($0) } + [nil]
    }

    /// Variables as environ(7) has them.
    convenience init(environment: [String: String]) {
        self.init(environment.map { "\($0.key)=\($0.value)" })
    }

    deinit {
        unsafe pointers.forEach { unsafe free($0) }
    }
}
