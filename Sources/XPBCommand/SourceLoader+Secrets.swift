import LinuxSystem
import SystemPackage

/// The sources of `--concealed`.
extension SourceLoader {
    /// Each source goes straight into locked memory.
    func readSecrets(_ sources: [Source]) throws(Failure) -> ([HeldBytes], [Place]) {
        var blobs: [HeldBytes] = []
        for source in sources {
            guard let (file, name) = try opened(source.origin) else { continue }
            do throws(SecretMemoryError) {
                let left = SecretMemory.mostBytes - blobs.reduce(0) { $0 + $1.length }
                let writer = try SecretMemoryWriter(room: left)
                try writer.append(from: file.fileDescriptor)
                blobs.append(.secret(writer.seal()))
            } catch {
                switch error {
                case .tooLong:
                    throw Failure(
                        .refused,
                        "--concealed takes at most \(SecretMemory.mostBytes) bytes in all, which are locked in memory")
                case .unreadable(.isDirectory): throw .usage("\(name) cannot be read: it is a folder")
                case .unreadable(let error):
                    throw Failure(.broken, "\(name) cannot be read to its end: \(error); nothing was changed")
                case .notLockable, .notAPipe, .incomplete: throw Failure(.refused, "\(error)")
                }
            }
        }
        return (blobs, blobs.indices.map { Place(blob: $0, range: 0..<blobs[$0].length) })
    }
}
