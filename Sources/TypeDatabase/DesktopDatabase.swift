import UserFiles

/// The desktop's database as it is on disk. Installing a program makes it anew, which may be weeks after it was read.
struct DesktopDatabase {
    private let folders: [String]
    private var database: SharedMIMEInfo?
    /// Of what update-mime-database(1) writes last in each folder, from before the database was read.
    private var stamps: [FileStamp?] = []

    /// Reads nothing.
    init(folders: [String]) { self.folders = folders }

    mutating func current() -> SharedMIMEInfo {
        if let database { return database }
        stamps = stampsNow()
        let made = SharedMIMEInfo(folders: folders)
        database = made
        return made
    }

    /// Forgets what was read where it is no longer what is there. It costs a call of stat(2) for each folder.
    mutating func refresh() {
        if database != nil, stampsNow() != stamps { database = nil }
    }

    private func stampsNow() -> [FileStamp?] {
        folders.map { FileStamp(ofFileAt: "\($0)/mime/version") ?? FileStamp(ofFileAt: "\($0)/mime/globs2") }
    }
}
