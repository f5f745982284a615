import LinuxSystem
import SystemPackage

/// A file that tells which sequence is under way, for who finds that a machine has trapped.
struct Notes {
    private let file: Descriptor

    init?(path: String) {
        let file = try? FileDescriptor.open(
            FilePath(path), .writeOnly, options: [.create, .truncate, .closeOnExec], permissions: .ownerReadWrite)
        guard let file else { return nil }
        self.file = Descriptor(adopting: file)
    }

    func write(_ machine: String, _ seed: UInt64) {
        let line = "\(seed) \(machine)"
        // Nothing of a longer one is left.
        let padding = String(repeating: " ", count: max(60 - line.utf8.count, 0))
        _ = try? file.fileDescriptor.writeAll(toAbsoluteOffset: 0, (line + padding + "\n").utf8)
    }
}
