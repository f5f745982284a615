import LinuxSystem
import SystemPackage

/// The file of `-o`.
enum FileOutput {
    static func write(_ bytes: HeldBytes, _ range: Range<Int>, _ suffix: String, to path: String) throws(Failure) {
        try write(to: path) { destination throws(Errno) in
            try Transfer.copy(from: bytes, range: range, to: destination)
            if !suffix.isEmpty { try destination.writeBytes(Array(suffix.utf8)) }
        }
    }

    /// A regular file is written beside its place and put there when it is whole; a device or a pipe is written to.
    static func write(to path: String, _ body: (FileDescriptor) throws(Errno) -> Void) throws(Failure) {
        do {
            let type = (try? Stat(FilePath(lossless: path)))?.type
            guard type == nil || type == .regular else {
                let device = try opening(path) {
                    Descriptor(
                        adopting: try FileDescriptor.open(FilePath(lossless: path), .writeOnly, options: .closeOnExec))
                }
                return try body(device.fileDescriptor)
            }
            let replacement = try opening(path) { try ReplacementFile(replacing: path) }
            try body(replacement.fileDescriptor)
            try replacement.commit()
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.broken, "\(path) cannot be written: \(error)")
        }
    }

    private static func opening<Result>(_ path: String, _ body: () throws -> Result) throws(Failure) -> Result {
        do {
            return try body()
        } catch {
            throw .usage("\(path) cannot be written: \(error); name another file with -o")
        }
    }
}
