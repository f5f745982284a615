import Formats
import LinuxSystem
import SystemPackage

/// The URL of a file that is named on the command line.
enum SourceFile {
    /// The URL of a file that is there, links in its path kept.
    static func url(forPath path: String) throws(Failure) -> FileURL {
        do {
            // A link that leads nowhere is a file, too.
            _ = try Stat(FilePath(lossless: path), followTargetSymlink: false)
            let absolute = path.hasPrefix("/") ? path : "\(try ThisProcess.workingFolder())/\(path)"
            guard let url = FileURL(path: LosslessText.bytes(of: absolute)) else { throw Errno.noSuchFileOrDirectory }
            return url
        } catch {
            throw .usage("\(path) cannot be copied: \(error)")
        }
    }
}
