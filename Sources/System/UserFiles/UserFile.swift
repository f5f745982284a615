import SystemPackage

/// A settings file that the user writes. It may be absent.
package struct UserFile: Sendable {
    package let path: String

    /// Locates the file `name` in xpb's folder of settings, without creating it.
    ///
    /// - Returns: nil if the environment has no folder for settings.
    package init?(named name: String, environment: [String: String]) {
        guard let folder = BaseFolders(environment: environment).config else { return nil }
        path = "\(folder)/xpb/\(name)"
    }

    /// The current state of the file; nil while it is absent.
    package var stamp: FileStamp? { FileStamp(ofFileAt: path) }

    package struct Contents: Sendable {
        /// Empty if the file is absent or cannot be read.
        package let bytes: [UInt8]
        /// The state of the file before it was read, to detect a change during the read; nil if the file was absent.
        package let stamp: FileStamp?
        /// The reason why an existing file could not be read.
        package let fault: FileFault?
    }

    /// Reads the file. `limit` is the maximum size, in bytes. A larger file counts as unreadable.
    package func read(limit: Int) -> Contents {
        let before = stamp
        do throws(Errno) {
            let (bytes, stamp) = try SmallFile.read(path, limit: limit)
            return Contents(bytes: bytes, stamp: stamp, fault: nil)
        } catch {
            // Most users have no such file. The stamp is nil even if the file has been created since.
            if error == .noSuchFileOrDirectory { return Contents(bytes: [], stamp: nil, fault: nil) }
            let reason =
                switch error {
                case .fileTooLarge: "the file has more than \(limit) bytes"
                case .invalidArgument: "it is not a regular file"
                default: "it cannot be read: \(error)"
                }
            return Contents(
                bytes: [], stamp: before, fault: FileFault(file: path, line: nil, message: reason))
        }
    }
}

/// The folders of a user's files, according to the XDG Base Directory Specification. A path that is not absolute counts
/// as unset.
package struct BaseFolders: Equatable, Sendable {
    /// The folder of programs' settings; nil without HOME.
    package let config: String?
    /// The folder of programs' data that users do not edit; nil without HOME.
    package let state: String?
    /// The folders of shared data, the user's own first.
    package let data: [String]

    package init(environment: [String: String]) {
        func absolute(_ path: String?) -> String? {
            path.flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
        }
        let home = absolute(environment["HOME"])
        config = absolute(environment["XDG_CONFIG_HOME"]) ?? home.map { "\($0)/.config" }
        state = absolute(environment["XDG_STATE_HOME"]) ?? home.map { "\($0)/.local/state" }
        let named = environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
        let own = absolute(environment["XDG_DATA_HOME"]) ?? home.map { "\($0)/.local/share" }
        let shared = named.split(separator: ":").compactMap { absolute(String($0)) }
        // No system has more than 64 folders. Each costs some failing calls of open(2).
        data = ([own].compactMap(\.self) + shared.prefix(63))
    }
}

/// A fault in a file that a user writes, or in a variable of the environment.
package struct FileFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path of the file, or the name of the variable.
    package let file: String
    /// The line, counted from 1; nil if the fault concerns the whole file.
    package let line: Int?
    /// A clause without a period.
    package let message: String
    /// The key of the setting, or the unknown word found instead; nil if the fault concerns more than one setting.
    package let key: String?

    package init(file: String, line: Int?, message: String, key: String? = nil) {
        self.file = file
        self.line = line
        self.message = message
        self.key = key
    }

    package var description: String {
        line.map { "\(file):\($0): \(message)" } ?? "\(file): \(message)"
    }
}
