import LinuxSystem
import SystemPackage

/// A file that has an input.
enum CorpusFile {
    static func bytes(at path: String) throws -> [UInt8] {
        let file = Descriptor(adopting: try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec))
        var bytes: [UInt8] = []
        while true {
            let piece = try file.fileDescriptor.readBytes(atMost: 1 << 16)
            if piece.isEmpty { return bytes }
            bytes += piece
        }
    }
}
