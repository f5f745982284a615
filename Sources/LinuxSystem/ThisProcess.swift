import Glibc
package import SystemPackage

/// What a program knows of itself.
package enum ThisProcess {
    /// The path of the running program, links resolved. See proc(5), `/proc/self/exe`.
    package static func executablePath() throws(Errno) -> String { try target(of: "/proc/self/exe") }

    /// The working folder. See proc(5), `/proc/self/cwd`.
    package static func workingFolder() throws(Errno) -> String { try target(of: "/proc/self/cwd") }

    package static var processID: Int32 { getpid() }

    /// The environment. A variable that is not UTF-8 has its bad bytes replaced.
    package static func environment() -> [String: String] {
        var variables: [String: String] = [:]
        var entry = unsafe environ
        while let text = unsafe entry.pointee {
            unsafe entry = unsafe entry.advanced(by: 1)
            let variable = unsafe String(cString: text)
            guard let mark = variable.utf8.firstIndex(of: UInt8(ascii: "=")) else { continue }
            variables[String(variable[..<mark])] = String(variable[variable.utf8.index(after: mark)...])
        }
        return variables
    }

    /// The arguments without the program's name, or the number of the first one that is not UTF-8, counted from 1:
    /// the standard library's arguments have its bytes replaced.
    package static func arguments() -> Result<[String], BadArgument> {
        var arguments: [String] = []
        for number in 1..<max(1, Int(CommandLine.argc)) {
            guard let text = unsafe CommandLine.unsafeArgv[number] else { break }
            guard let argument = unsafe String(validatingCString: text) else {
                return .failure(BadArgument(number: number))
            }
            arguments.append(argument)
        }
        return .success(arguments)
    }

    package struct BadArgument: Error, Equatable {
        package let number: Int
    }

    /// Where a symbolic link leads, one step. See readlink(2).
    private static func target(of link: String) throws(Errno) -> String {
        // No path is longer than PATH_MAX, 4096 bytes.
        var bytes = [CChar](repeating: 0, count: 4096)
        let count = try systemCall { unsafe readlink(link, &bytes, bytes.count) }
        guard let path = String(validating: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) else {
            throw .illegalByteSequence
        }
        return path
    }
}
