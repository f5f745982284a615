import FoundationEssentials
import Glibc

/// A run of the command `xpb`. It blocks.
enum XPBProcess {
    /// Runs the command, and returns its exit status and what it writes; nil if the command is not installed or cannot
    /// be started.
    ///
    /// - Parameter stream: The redirection that selects what is read.
    static func run(_ arguments: [String], reading stream: String) -> (status: Int32, output: Data)? {
        let words = (["xpb"] + arguments).map { "'\($0.replacing("'", with: "'\\''"))'" }
        guard let pipe = unsafe popen("exec \(words.joined(separator: " ")) \(stream)", "re") else { return nil }
        var output = Data()
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = unsafe fread(&buffer, 1, buffer.count, pipe)
            guard count > 0 else { break }
            output += buffer[..<count]
        }
        let status = unsafe pclose(pipe)
        // The status of a shell that does not find the command is 127.
        return status == 127 << 8 ? nil : (status >> 8, output)
    }

    /// Returns what the command writes to its standard output.
    static func output(_ arguments: [String]) -> (status: Int32, output: Data)? {
        run(arguments, reading: "2>/dev/null")
    }

    /// Returns the last message of the command, which writes no output.
    static func message(_ arguments: [String]) -> (status: Int32, message: String)? {
        guard let (status, output) = run(arguments, reading: "2>&1") else { return nil }
        let last = String(decoding: output, as: UTF8.self).split(separator: "\n").last.map(String.init) ?? ""
        return (status, last.hasPrefix("xpb: ") ? String(last.dropFirst(5)) : last)
    }
}
