import SystemPackage

/// A file that a user writes, which may not be there.
package struct UserFile: Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    /// In the folder of xpb's settings; nil where the environment has no place for settings.
    package init?(named name: String, environment: [String: String]) {
        guard let folder = BaseFolders(environment: environment).config else { return nil }
        path = "\(folder)/xpb/\(name)"
    }

    /// Nil while nothing is there.
    package var stamp: FileStamp? { FileStamp(ofFileAt: path) }

    /// What was read, and a stamp from before it was: a change in the meantime shows.
    package struct Contents: Sendable {
        /// Empty where there is no file.
        package let bytes: [UInt8]
        package let stamp: FileStamp?
        /// Why there are no bytes of a file that is there.
        package let fault: FileFault?
    }

    /// - Parameter limit: In bytes.
    package func read(limit: Int) -> Contents {
        let before = stamp
        do throws(Errno) {
            let (bytes, stamp) = try SmallFile.read(path, limit: limit)
            return Contents(bytes: bytes, stamp: stamp, fault: nil)
        } catch {
            // The usual state; it may be there by now.
            if error == .noSuchFileOrDirectory { return Contents(bytes: [], stamp: nil, fault: nil) }
            let reason =
                switch error {
                case .fileTooLarge: "the file has more than \(limit) bytes"
                case .invalidArgument: "it is no file"
                default: "it cannot be read: \(error)"
                }
            return Contents(
                bytes: [], stamp: before, fault: FileFault(file: path, line: nil, message: reason))
        }
    }
}
