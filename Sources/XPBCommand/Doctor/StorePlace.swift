import LinuxSystem
import PasteboardWire
import SystemPackage
import UserFiles

/// The folder in which a bridge stores contents, looked at and left as it is.
struct StorePlace: Equatable {
    enum Trouble: Equatable {
        /// Something on the way to it is no folder.
        case blocked(by: String)
        case unusable(String, Errno)
        /// So many bytes can still be written to the disk of the folder.
        case full(String, left: Int)
        /// No more files can be made there.
        case noFiles(String)
    }

    /// Less is no room for an entry of the database.
    static let minRoom = 256 << 10

    let folder: String

    init(_ folder: String) { self.folder = folder }

    /// That of a bridge which is started for a display; nil where the environment has no place for it.
    init?(key: String, environment: [String: String]) {
        guard let state = BaseFolders(environment: environment).state else { return nil }
        folder = "\(state)/xpb/\(key)"
    }

    /// What keeps a bridge from storing there; nil where nothing is to be seen.
    var trouble: Trouble? {
        var path = FilePath(lossless: folder)
        while true {
            do throws(Errno) {
                guard try Stat(path).type == .directory else { return .blocked(by: path.string) }
                try Folder.checkWritable(path.string)
                return Self.trouble(of: try Folder.room(in: path.string), in: path.string)
            } catch {
                // It is made with all that leads to it.
                guard [.noSuchFileOrDirectory, .notDirectory].contains(error), !path.isEmpty,
                    path != path.removingLastComponent()
                else { return .unusable(path.string, error) }
                path.removeLastComponent()
            }
        }
    }

    static func trouble(of room: Folder.Room, in folder: String) -> Trouble? {
        if room.bytes < minRoom { return .full(folder, left: room.bytes) }
        if let files = room.files, files < 4 { return .noFiles(folder) }
        return nil
    }
}

extension StorePlace.Trouble {
    var message: String {
        switch self {
        case .blocked(let path): "nothing can be stored: \(path) is no folder"
        case .unusable(let path, let error): "nothing can be stored in \(path): \(error)"
        case .full(let folder, let left):
            "the disk of \(folder) is full (\(ByteSize.text(left)) left), so what should be kept is refused"
        case .noFiles(let folder):
            "the disk of \(folder) takes no more files, so what should be kept is refused"
        }
    }

    var advice: String {
        switch self {
        case .blocked, .unusable:
            "mend that, or set XDG_STATE_HOME to a folder of your own, then run: xpb bridge restart"
        case .full, .noFiles: "make room there ('xpb history clear' does), or use 'xpb set --memory'"
        }
    }
}
