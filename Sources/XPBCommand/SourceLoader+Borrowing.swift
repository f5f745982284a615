import LinuxSystem
import SystemPackage

/// A long file, which the bridge copies from where it is to where it stores it, once.
extension SourceLoader {
    /// Of shorter sources, in bytes, a copy in memory costs nothing that would be noticed.
    private static let minBorrowed = 1 << 20

    /// The only source, where it is a long file on a disk; nil where it is to be read.
    func borrowed(_ sources: [Source]) throws(Failure) -> ([HeldBytes], [Place])? {
        guard sources.count == 1, let source = sources.first,
            let (descriptor, start) = try descriptor(of: source.origin),
            let file = try? MemoryFile(.borrowed, onDisk: descriptor),
            case let range = min(start, file.length)..<file.length,
            range.count >= Self.minBorrowed, range.count <= limit
        else { return nil }
        return ([.file(file)], [Place(blob: 0, range: range)])
    }

    /// Of a file, and where in it the source begins.
    private func descriptor(of origin: Source.Origin) throws(Failure) -> (Descriptor, start: Int)? {
        switch origin {
        case .text, .fileURL, .command: return nil
        case .file:
            guard let (file, _) = try opened(origin), case .opened(let descriptor) = file else { return nil }
            return (descriptor, 0)
        case .standardInput:
            // It stands behind what was read of it; a pipe stands nowhere.
            guard let position = try? standardInput.seek(offset: 0, from: .current),
                let descriptor = try? Descriptor(adopting: standardInput.duplicatedCloseOnExec(atLeast: 3))
            else { return nil }
            return (descriptor, Int(position) - read.count)
        }
    }
}
