import Synchronization
import UniformTypes
import UserFiles

/// The desktop's database of MIME types, as in freedesktop's Shared MIME-info Database specification: the files
/// `aliases`, `subclasses`, `globs2` and `types` of the folders `mime`.
///
/// Each kind of file is read once, on demand. Files that are missing, unreadable or larger than 8 MiB are ignored, and
/// so are malformed lines. All names are in lower case.
package final class SharedMIMEInfo: DesktopTypes {
    /// The maximum size of a file, in bytes. A larger file is ignored.
    package static let maxFileSize = 8 << 20

    private let aliases: Lazy<NameTable>
    private let subclasses: Lazy<NameTable>
    private let globs: Lazy<MIMEGlobs>
    private let types: Lazy<NameTable>

    /// - Parameter folders: The folders that contain the folders `mime`, in the order of precedence.
    package init(folders: [String]) {
        @Sendable func files(_ name: String) -> [[UInt8]] {
            folders.compactMap { folder in
                try? SmallFile.read("\(folder)/mime/\(name)", limit: Self.maxFileSize).bytes
            }
        }
        aliases = Lazy { NameTable { add in files("aliases").forEach { MIMELines.forEachPair(in: $0, add) } } }
        subclasses = Lazy { NameTable { add in files("subclasses").forEach { MIMELines.forEachPair(in: $0, add) } } }
        globs = Lazy { MIMEGlobs(files: files("globs2")) }
        types = Lazy { NameTable { add in files("types").forEach { MIMELines.forEachName(in: $0) { add($0, []) } } } }
    }

    /// Returns the type that an alias stands for; nil if the name is not an alias.
    package func canonicalName(ofMIMEType name: String) -> String? {
        aliases.value.values(of: name).first { $0 != name }
    }

    /// Returns the direct superclasses of a type.
    ///
    /// Every text type that the database knows is also plain text. An unknown text type is not, since it may be in any
    /// encoding.
    package func parents(ofMIMEType name: String) -> [String] {
        let name = canonicalName(ofMIMEType: name) ?? name
        var parents = subclasses.value.values(of: name).filter { $0 != name }
        if name.hasPrefix("text/"), name != "text/plain", !parents.contains("text/plain"), knows(mimeType: name) {
            parents.append("text/plain")
        }
        return parents
    }

    /// Returns the preferred type of a filename extension.
    package func mimeType(ofExtension name: String) -> String? {
        globs.value.typesByExtension.values(of: name).first
    }

    /// Returns the filename extensions of a type, preferred extension first.
    package func extensions(ofMIMEType name: String) -> [String] {
        let table = globs.value.extensionsByType
        let own = table.values(of: name)
        return own.isEmpty ? canonicalName(ofMIMEType: name).map(table.values(of:)) ?? [] : own
    }

    /// Returns true if the database has the type, by that name or as an alias.
    package func knows(mimeType name: String) -> Bool {
        types.value.contains(name) || aliases.value.contains(name) || globs.value.extensionsByType.contains(name)
            || subclasses.value.contains(name)
    }
}

/// The desktop's database on disk. Installing a program rewrites it, possibly weeks after it was read.
struct DesktopDatabase {
    private let folders: [String]
    private var database: SharedMIMEInfo?
    /// For each folder, the state of the file that update-mime-database(1) writes last, from before the database was
    /// read.
    private var stamps: [FileStamp?] = []

    /// Creates the database without reading anything.
    init(folders: [String]) { self.folders = folders }

    mutating func current() -> SharedMIMEInfo {
        if let database { return database }
        stamps = stampsNow()
        let made = SharedMIMEInfo(folders: folders)
        database = made
        return made
    }

    /// Discards the database if it has changed on disk. This costs one call of stat(2) for each folder.
    mutating func refresh() {
        if database != nil, stampsNow() != stamps { database = nil }
    }

    private func stampsNow() -> [FileStamp?] {
        folders.map { FileStamp(ofFileAt: "\($0)/mime/version") ?? FileStamp(ofFileAt: "\($0)/mime/globs2") }
    }
}

/// A value that is made once, by the thread that uses it first, while other threads wait.
final class Lazy<Value: Sendable>: Sendable {
    private let made = Mutex<Value?>(nil)
    private let make: @Sendable () -> Value

    init(_ make: @escaping @Sendable () -> Value) {
        self.make = make
    }

    var value: Value {
        made.withLock { made in
            if let made { return made }
            let value = make()
            made = value
            return value
        }
    }
}
