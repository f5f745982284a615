package import BridgeClient
import CommandCore
import FoundationEssentials
import LinuxSystem
import SystemPackage
import UniformTypes

/// `xpb get --all DIR`.
extension GetCommand {
    private static let manifestName = "manifest.json"

    static func performAll(_ options: GetOptions, _ pasteboard: String, into path: String, in session: Session)
        throws
    {
        let isAlone =
            options.types.isEmpty && options.output == nil && options.item == nil && !options.newline && !options.trim
            && !options.stale
        guard isAlone else {
            throw Failure.usage(
                "--all writes everything unchanged; leave out -t, -o, --item, --newline, --trim and --stale")
        }
        // The folder is checked first, so that an unusable one is reported before anything is fetched.
        let folder = try folder(path)
        let contents = try session.fetch(pasteboard, by: try session.connect())
        session.installTypes()
        let manifest = try write(contents, of: pasteboard, into: folder, at: path)
        if session.common.json { try session.output.write(json: manifest) }
        if let problem = contents.problem { throw problem }
    }

    private static func folder(_ path: String) throws(Failure) -> ReplacementFolder {
        do {
            return try ReplacementFolder(at: try FilePlace.find(path))
        } catch Errno.directoryNotEmpty {
            throw .usage("\(path) is not empty (hidden files count); name a new or empty folder")
        } catch Errno.notDirectory, FilePlaceError.system(.notDirectory) {
            throw .usage("\(path) is not a folder; name a new or empty folder")
        } catch Errno.noSuchFileOrDirectory, FilePlaceError.system(.noSuchFileOrDirectory) {
            throw .usage("\(path) cannot be created: its parent folder does not exist")
        } catch {
            throw .usage("\(path) cannot be created: \(error); name another folder")
        }
    }

    private static func write(
        _ contents: FetchedContents, of pasteboard: String, into folder: ReplacementFolder, at path: String
    ) throws -> ContentsManifest {
        var names = RepresentationFileNames(
            itemCount: (contents.representations.last?.item ?? 0) + 1, taken: manifestName)
        var manifest = ContentsManifest(pasteboard: pasteboard, count: contents.count)
        do {
            for representation in contents.representations {
                guard case .range(let file, let range) = representation.bytes else {
                    manifest.add(representation, file: nil)
                    continue
                }
                let name = names.name(for: representation)
                let output = try folder.makeFile(name)
                try Transfer.copy(from: file, range: range, to: output.fileDescriptor)
                manifest.add(representation, file: name)
            }
            try write(manifest, into: folder)
            try folder.commit(last: manifestName)
        } catch {
            throw Failure(.broken, "\(path) cannot be written: \(error); nothing was left there")
        }
        return manifest
    }

    private static func write(_ manifest: ContentsManifest, into folder: ReplacementFolder) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let output = try folder.makeFile(manifestName)
        try output.fileDescriptor.writeBytes([UInt8](try encoder.encode(JSONOutput(body: manifest))) + [0x0A])
    }
}

/// The manifest that `get --all` writes beside the files.
package struct ContentsManifest: Encodable {
    package struct Entry: Encodable, Equatable {
        package let item: Int
        package let type: String
        package let target: String?
        package let exact: Bool
        /// The name of the file; nil if the bytes are missing.
        package let file: String?
        package let length: Int?
        /// The reason why the bytes are missing.
        package let missing: String?
    }

    package let pasteboard: String
    package let count: Int
    private(set) var representations: [Entry] = []

    package mutating func add(_ representation: FetchedContents.Representation, file: String?) {
        var length: Int?
        var missing: String?
        switch representation.bytes {
        case .range(_, let range): length = range.count
        case .missing(let reason): missing = reason
        }
        representations.append(
            Entry(
                item: representation.item, type: representation.type, target: representation.target,
                exact: representation.exact, file: file, length: length,
                missing: missing))
    }
}

/// Filenames for representations: `0-html.html`, `0-utf8-plain-text.txt`, `1-x-kaya-note`.
package struct RepresentationFileNames {
    private let width: Int
    /// The used names, in lower case because some file systems ignore case.
    private var taken: Set<String>

    /// - Parameter taken: A name that no representation may get.
    package init(itemCount: Int, taken: String) {
        // With padded numbers, items sorted by name are in order.
        width = String(max(itemCount - 1, 0)).count
        self.taken = [taken]
    }

    package mutating func name(for representation: FetchedContents.Representation) -> String {
        let number = String(representation.item)
        let padding = String(repeating: "0", count: max(0, width - number.count))
        let type = UniformType(representation.type)
        let stem =
            "\(padding)\(number)-\(Self.word(representation.type, isDynamic: type?.isDynamic ?? true, representation.target))"
        let suffix = type.flatMap(Self.filenameExtension).map { ".\($0)" } ?? ""
        var name = stem + suffix
        var copy = 2
        while !taken.insert(name.lowercased()).inserted {
            name = "\(stem)-\(copy)\(suffix)"
            copy += 1
        }
        return name
    }

    /// Returns the extension of the type, or else of the nearest type that it conforms to: `txt` for text in UTF-8.
    private static func filenameExtension(of type: UniformType) -> String? {
        let types = type.isDynamic ? [type] : [type] + type.supertypes
        return types.lazy.compactMap(\.preferredFilenameExtension).first.map(safe).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the last part of the identifier, or of the target if the identifier is dynamic and so unreadable.
    private static func word(_ identifier: String, isDynamic: Bool, _ target: String?) -> String {
        let name = isDynamic ? target ?? identifier : identifier
        let essence = name.prefix { $0 != ";" }
        let part = essence.split { $0 == "/" || (!isDynamic && $0 == ".") }.last ?? essence
        let word = safe(String(part))
        return word.isEmpty ? "data" : word
    }

    /// Returns at most 40 letters, digits, hyphens, underscores and inner points.
    private static func safe(_ text: String) -> String {
        let characters = text.unicodeScalars.map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains(scalar))
                ? Character(scalar) : "-"
        }
        let trimmed = characters.drop { "-.".contains($0) }.prefix(40)
        return String(trimmed.reversed().drop { "-.".contains($0) }.reversed())
    }
}
