import UniformTypes
import UserFiles

/// The desktop's own database of MIME types, after freedesktop's Shared MIME-info Database specification: the files
/// `aliases`, `subclasses`, `globs2` and `types` of the folders `mime`.
///
/// Each kind of file is read once, when a question first needs it. A file that is not there, cannot be read or has more
/// than 8 MiB says nothing, nor does a line that is damaged. All names are in small letters.
package final class SharedMIMEInfo: DesktopTypes {
    /// The most bytes of a file that is read.
    package static let fileLimit = 8 << 20

    private let aliases: Lazy<NameTable>
    private let subclasses: Lazy<NameTable>
    private let globs: Lazy<MIMEGlobs>
    private let types: Lazy<NameTable>

    /// - Parameter folders: The one that goes before the others first; the files are in their folders `mime`.
    package init(folders: [String]) {
        @Sendable func files(_ name: String) -> [[UInt8]] {
            folders.compactMap { folder in
                try? SmallFile.read("\(folder)/mime/\(name)", limit: Self.fileLimit).bytes
            }
        }
        aliases = Lazy { NameTable { add in files("aliases").forEach { MIMELines.forEachPair(in: $0, add) } } }
        subclasses = Lazy { NameTable { add in files("subclasses").forEach { MIMELines.forEachPair(in: $0, add) } } }
        globs = Lazy { MIMEGlobs(files: files("globs2")) }
        types = Lazy {
            NameTable { add in
                for file in files("types") {
                    MIMELines.forEach(in: file) { line in
                        if let name = MIMELines.name(line) { add(name, []) }
                    }
                }
            }
        }
    }

    /// The type that another name stands for; nil when it is no alias.
    package func canonicalName(ofMIMEType name: String) -> String? {
        aliases.value.values(of: name).first { $0 != name }
    }

    /// What a type is a subclass of, directly. A text that the database knows is plain text, whatever else it is; a text
    /// that it does not know may be in any encoding.
    package func parents(ofMIMEType name: String) -> [String] {
        let name = canonicalName(ofMIMEType: name) ?? name
        var parents = subclasses.value.values(of: name).filter { $0 != name }
        if name.hasPrefix("text/"), name != "text/plain", !parents.contains("text/plain"), knows(mimeType: name) {
            parents.append("text/plain")
        }
        return parents
    }

    /// The best type of the extension.
    package func mimeType(ofExtension name: String) -> String? {
        globs.value.typesByExtension.values(of: name).first
    }

    /// The best first.
    package func extensions(ofMIMEType name: String) -> [String] {
        let table = globs.value.extensionsByType
        let own = table.values(of: name)
        return own.isEmpty ? canonicalName(ofMIMEType: name).map(table.values(of:)) ?? [] : own
    }

    /// Whether the database has the type, by that name or as an alias.
    package func knows(mimeType name: String) -> Bool {
        types.value.contains(name) || aliases.value.contains(name) || globs.value.extensionsByType.contains(name)
            || subclasses.value.contains(name)
    }
}
