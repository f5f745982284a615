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
        do throws(Errno) {
            let (bytes, stamp) = try SmallFile.read(path, limit: limit)
            return Contents(bytes: bytes, stamp: stamp, fault: nil)
        } catch {
            let reason: String? =
                switch error {
                // Without a link that leads nowhere, this is the usual state.
                case .noSuchFileOrDirectory: nil
                case .fileTooLarge: "the file has more than \(limit) bytes"
                case .invalidArgument: "it is no file"
                default: "it cannot be read: \(error)"
                }
            let fault = reason.map { FileFault(file: path, line: nil, message: $0) }
            return Contents(bytes: [], stamp: stamp, fault: fault)
        }
    }
}
