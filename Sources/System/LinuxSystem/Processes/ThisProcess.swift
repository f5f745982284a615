import CLinux
import Glibc
package import SystemPackage

package enum ThisProcess {
    /// The name of the system and the processor, such as `Linux x86_64`. See uname(2).
    package static var systemAndArchitecture: String {
        var name = utsname()
        guard unsafe uname(&name) == 0 else { return "Linux" }
        func text(_ field: some Any) -> String {
            unsafe withUnsafeBytes(of: field) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        return "\(text(name.sysname)) \(text(name.machine))"
    }

    /// The name of this machine as the user knows it: the value of XPB_MACHINE, or the host's name.
    package static var machineName: String {
        if let name = environment()["XPB_MACHINE"], !name.isEmpty { return name }
        return hostName
    }

    /// The name of the host. See gethostname(2).
    package static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Returns the path of the running program with links resolved, encoded by ``LosslessText``. See proc(5),
    /// `/proc/self/exe`; without /proc, the path that execve(2) was given (getauxval(3), AT_EXECFN).
    package static func executablePath() throws(Errno) -> String {
        do throws(Errno) {
            return try target(of: "/proc/self/exe")
        } catch {
            let given = unsafe UnsafePointer<CChar>(bitPattern: getauxval(UInt(AT_EXECFN)))
            guard let given = unsafe given, let found = unsafe realpath(given, nil) else { throw error }
            defer { unsafe free(found) }
            return LosslessText.string(of: unsafe Array(UnsafeRawBufferPointer(start: found, count: strlen(found))))
        }
    }

    /// Returns the path of the file behind a descriptor, encoded by ``LosslessText``. See proc(5), `/proc/self/fd`.
    package static func path(of fileDescriptor: FileDescriptor) throws(Errno) -> String {
        try target(of: "/proc/self/fd/\(fileDescriptor.rawValue)")
    }

    /// Returns the working folder, encoded by ``LosslessText``. See getcwd(3).
    package static func workingFolder() throws(Errno) -> String {
        // Paths are limited to PATH_MAX, 4096 bytes.
        var bytes = [CChar](repeating: 0, count: 4_096)
        guard unsafe getcwd(&bytes, bytes.count) != nil else { throw Errno(rawValue: errno) }
        return LosslessText.string(of: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)))
    }

    /// Ends the process without the clean-up of exit(3), for callers that have nothing to clean up. See _exit(2).
    package static func end(status: Int32) -> Never { _exit(status) }

    package static var processID: Int32 { getpid() }

    /// True if the program has privileges that its caller lacks: set-user-id, set-group-id or file capabilities. In
    /// that case the caller's environment variables, such as `PATH` and `XDG_RUNTIME_DIR`, must not be trusted. See
    /// getauxval(3), `AT_SECURE`.
    package static var isPrivileged: Bool {
        getuid() != geteuid() || getgid() != getegid() || getauxval(UInt(AT_SECURE)) != 0
    }

    /// Disables core dumps, and stops other processes of the user from reading this one's memory. See prctl(2),
    /// `PR_SET_DUMPABLE`.
    package static func forbidDumping() { isDumpable = false }

    /// True if other processes of the user may read the memory of this one.
    package static var isDumpable: Bool {
        get { linux_is_dumpable() == 1 }
        // This cannot fail with a valid value.
        set { _ = linux_set_dumpable(newValue ? 1 : 0) }
    }

    /// Returns the environment, encoded by ``LosslessText``. If a name occurs twice, the first variable counts, as for
    /// getenv(3).
    package static func environment() -> [String: String] {
        // A typical environment fits, so the dictionary need not grow and hash its entries again.
        var variables = Dictionary<String, String>(minimumCapacity: 48)
        var entry = unsafe environ
        while let text = unsafe entry.pointee {
            unsafe entry = unsafe entry.advanced(by: 1)
            let variable = LosslessText.string(
                of: unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text))))
            guard let mark = variable.utf8.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let name = String(variable[..<mark])
            guard variables[name] == nil else { continue }
            variables[name] = String(variable[variable.utf8.index(after: mark)...])
        }
        return variables
    }

    /// Returns the arguments without the program's name, encoded by ``LosslessText``. `CommandLine` would replace
    /// bytes that are not valid UTF-8.
    package static func arguments() -> [String] { ArgumentBytes().map(LosslessText.string) }

    // Both variables are unchecked because they are written only once, before `main`, by the only thread.
    nonisolated(unsafe) private static var argumentCount: Int32 = 0
    nonisolated(unsafe) private static var argumentStart: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?

    /// Stores the arguments that glibc passes to a start-up function, which must run before `main`. The standard
    /// library reads /proc/self/cmdline instead, and has no arguments if that file cannot be read.
    package static func keepArguments(_ count: Int32, _ start: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) {
        unsafe argumentCount = count
        unsafe argumentStart = unsafe start
    }

    /// The sequence of the arguments' bytes, without the program's name.
    @safe package struct ArgumentBytes: Sequence, IteratorProtocol {
        private var number: Int32 = 0
        private let count: Int32
        private let start: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

        package init() {
            if let start = unsafe ThisProcess.argumentStart {
                unsafe self.init(count: ThisProcess.argumentCount, start: start)
            } else {
                unsafe self.init(count: CommandLine.argc, start: CommandLine.unsafeArgv)
            }
        }

        /// - Parameters:
        ///   - count: The argument count of `main`, for code that runs before `main`.
        ///   - start: The argument vector of `main`, which must stay valid.
        package init(count: Int32, start: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) {
            self.count = count
            unsafe self.start = unsafe start
        }

        /// Returns true if `name` is the last component of the program's name. Compares bytes only, for the fast path.
        package func programIs(_ name: StaticString) -> Bool {
            guard count > 0, let text = unsafe start[0] else { return false }
            let length = unsafe strlen(text)
            let first = length - name.utf8CodeUnitCount
            guard first >= 0, unsafe memcmp(text + first, name.utf8Start, name.utf8CodeUnitCount) == 0 else {
                return false
            }
            return unsafe first == 0 || text[first - 1] == CChar(UInt8(ascii: "/"))
        }

        package mutating func next() -> [UInt8]? {
            number += 1
            guard number < count, let text = unsafe start[Int(number)] else { return nil }
            return unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
        }
    }

    /// Returns the target of a symbolic link, followed once. See readlink(2).
    package static func target(of link: String) throws(Errno) -> String {
        // Paths are limited to PATH_MAX, 4,096 bytes.
        var bytes = [CChar](repeating: 0, count: 4_096)
        let count = try systemCall { unsafe readlink(link, &bytes, bytes.count) }
        return LosslessText.string(of: bytes[..<count].map(UInt8.init(bitPattern:)))
    }
}

package enum Environment {
    /// Returns the bytes of the first variable with this name; nil if there is none. See getenv(3).
    package static func bytes(of name: String) -> [UInt8]? {
        guard let text = unsafe getenv(name) else { return nil }
        return unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }

    /// Sets a variable to a value encoded by ``LosslessText``. No other thread may read the environment at the same
    /// time, because getenv(3) takes no lock.
    package static func set(_ name: String, to value: String) {
        let characters = LosslessText.bytes(of: value).map { CChar(bitPattern: $0) } + [0]
        unsafe setenv(name, characters, 1)
    }
}
