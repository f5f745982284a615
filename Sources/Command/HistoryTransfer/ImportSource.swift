import LinuxSystem
import SystemPackage

/// The file or program that an import reads.
package final class ImportSource {
    /// The file that the user has named; nil for the manager's own.
    let path: String?
    let environment: [String: String]
    /// Sentences about what was left out.
    private(set) var notices: [String] = []

    /// The limit on the length of a file that is read at once, or of a program's output, in bytes.
    private static let maxLength = 1 << 30

    package init(_ path: String?, environment: [String: String]) {
        self.path = path
        self.environment = environment
    }

    func note(_ sentence: String) { notices.append(sentence) }

    /// Records the number of pictures whose files are missing.
    func noteMissing(_ count: Int) {
        if count > 0 { note("\(count) picture\(count == 1 ? "" : "s") left out because of missing files") }
    }

    /// Returns a path below a folder of the XDG base directories.
    ///
    /// - Parameters:
    ///   - variable: The variable that names the folder, such as XDG_DATA_HOME.
    ///   - fallback: The folder below HOME if the variable is not set.
    func place(_ variable: String, or fallback: String, _ rest: String) -> String {
        if let folder = environment[variable], folder.hasPrefix("/") { return "\(folder)/\(rest)" }
        return "\(environment["HOME"] ?? "")/\(fallback)/\(rest)"
    }

    /// Opens the named file, or the first of the manager's own files that exists.
    func open(or places: [String] = []) throws(TransferFault) -> (file: Descriptor?, path: String) {
        if path == "-" { return (nil, "standard input") }
        var reason = "no file was named"
        for place in path.map({ [$0] }) ?? places {
            do throws(Errno) {
                return (try Descriptor.open(FilePath(lossless: place)), place)
            } catch {
                reason = "\(place) cannot be read: \(error.description)"
            }
        }
        throw TransferFault(reason)
    }

    /// Reads the whole of the named file, or of the manager's own.
    func bytes(or places: [String]) throws(TransferFault) -> (bytes: [UInt8], path: String) {
        let (file, path) = try open(or: places)
        return (try Self.contents(of: file?.fileDescriptor ?? .standardInput, path), path)
    }

    /// Reads a file that an entry refers to; nil if it is missing.
    static func bytes(ofFile path: String) -> [UInt8]? {
        guard let file = try? Descriptor.open(FilePath(lossless: path)) else { return nil }
        return try? contents(of: file.fileDescriptor, path)
    }

    private static func contents(of file: FileDescriptor, _ path: String) throws(TransferFault) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let piece = try piece(of: file, path)
            if piece.isEmpty { return bytes }
            bytes += piece
            guard bytes.count <= maxLength else { throw TransferFault("\(path) is longer than 1 GiB") }
        }
    }

    /// Reads the next part of a file; nothing at its end.
    static func piece(of file: FileDescriptor, _ path: String) throws(TransferFault) -> [UInt8] {
        do throws(Errno) {
            return try file.readBytes(atMost: 1 << 20)
        } catch {
            throw TransferFault("\(path) cannot be read to its end: \(error.description)")
        }
    }

    /// Runs a program, and returns its output.
    func output(of command: [String], input: [UInt8] = []) throws(TransferFault) -> [UInt8] {
        let program = FilterProgram(
            command: command, environment: environment, deadline: nil, limit: Self.maxLength)
        let result: FilterProgram.Result
        do throws(Errno) {
            let file = try MemoryFile.containing(input)
            let end = try EventDescriptor()
            result = program.run(on: file, 0..<file.length, stop: end.fileDescriptor)
            if let output = result.output { return try output.bytes(in: 0..<output.length) }
        } catch {
            throw TransferFault("\(command[0]) cannot be run: \(error.description)")
        }
        let said = String(decoding: result.standardError, as: UTF8.self).split(separator: "\n").last
        throw TransferFault(
            "\(command[0]) \(Self.reason(result.failure))\(said.map { ": \($0)" } ?? "")")
    }

    private static func reason(_ failure: FilterProgram.Failure?) -> String {
        switch failure {
        case .notStarted(.noSuchFileOrDirectory): "is not installed"
        case .notStarted(let error): "cannot be started: \(error.description)"
        case .status(let status): "ended with status \(status)"
        case .signal(let signal): "was killed by signal \(signal)"
        case .tooLong: "wrote more than 1 GiB"
        case .noRoom, .timedOut, .stopped, nil: "could not be read"
        }
    }
}
