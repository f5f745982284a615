import CLinux
import Glibc
package import SystemPackage

/// What a program knows of itself.
package enum ThisProcess {
    /// The path of the running program, links resolved; paths are byte for byte as ``LosslessText`` has them. See
    /// proc(5), `/proc/self/exe`.
    package static func executablePath() throws(Errno) -> String { try target(of: "/proc/self/exe") }

    /// The working folder. See proc(5), `/proc/self/cwd`.
    package static func workingFolder() throws(Errno) -> String { try target(of: "/proc/self/cwd") }

    /// Ends the program without the chores of exit(3), which nothing that was begun has need of. See _exit(2).
    package static func end(status: Int32) -> Never { _exit(status) }

    package static var processID: Int32 { getpid() }

    /// Whether the program has rights that who started it has not: set-user-id, set-group-id, capabilities of its file.
    /// What that user has in the environment, `PATH` or `XDG_RUNTIME_DIR`, is to be believed no more then. See getauxval(3),
    /// `AT_SECURE`.
    package static var hasForeignRights: Bool {
        getuid() != geteuid() || getgid() != getegid() || getauxval(UInt(AT_SECURE)) != 0
    }

    /// Leaves no core dump from now on, and lets no other process of the user's look into this one's memory. See prctl(2),
    /// `PR_SET_DUMPABLE`.
    package static func forbidDumping() {
        // It cannot fail with this value.
        _ = linux_forbid_dumping()
    }

    /// The environment, byte for byte: see ``LosslessText``. Of two variables with one name the first counts, as for
    /// getenv(3).
    package static func environment() -> [String: String] {
        // Room for as many as there mostly are: to make more of it would be to hash those that are there once more.
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

    /// The arguments without the program's name, byte for byte: see ``LosslessText``. The standard library's have bytes
    /// replaced that are no UTF-8.
    package static func arguments() -> [String] { ArgumentBytes().map(LosslessText.string) }

    /// The bytes of the arguments, without the program's name, one by one.
    @safe package struct ArgumentBytes: Sequence, IteratorProtocol {
        private var number: Int32 = 0
        private let count: Int32
        private let start: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

        package init() { unsafe self.init(count: CommandLine.argc, start: CommandLine.unsafeArgv) }

        /// - Parameters:
        ///   - count: As `main` has it, and what stands before `main`.
        ///   - start: Likewise; they stay where they are.
        package init(count: Int32, start: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) {
            self.count = count
            unsafe self.start = unsafe start
        }

        package mutating func next() -> [UInt8]? {
            number += 1
            guard number < count, let text = unsafe start[Int(number)] else { return nil }
            return unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
        }
    }

    /// Where a symbolic link leads, one step. See readlink(2).
    private static func target(of link: String) throws(Errno) -> String {
        // No path is longer than PATH_MAX, 4096 bytes.
        var bytes = [CChar](repeating: 0, count: 4096)
        let count = try systemCall { unsafe readlink(link, &bytes, bytes.count) }
        return LosslessText.string(of: bytes[..<count].map(UInt8.init(bitPattern:)))
    }
}

/// The process's environment.
package enum Environment {
    /// The bytes of one variable, the first of that name; nil where there is none. See getenv(3).
    package static func bytes(of name: String) -> [UInt8]? {
        guard let text = unsafe getenv(name) else { return nil }
        return unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }

    /// Sets a variable, byte for byte: see ``LosslessText``. No other thread may be reading the environment: getenv(3)
    /// has no lock.
    package static func set(_ name: String, to value: String) {
        let characters = LosslessText.bytes(of: value).map { CChar(bitPattern: $0) } + [0]
        unsafe setenv(name, characters, 1)
    }
}
