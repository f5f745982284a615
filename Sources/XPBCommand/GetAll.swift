import BridgeClient
import FoundationEssentials
import LinuxSystem
import SystemPackage
import UniformTypes

/// `xpb get --all DIR`.
extension GetCommand {
    private static let manifestName = "manifest.json"

    static func performAll(
        _ options: GetOptions, _ pasteboard: String, into path: String, in session: Session
    ) throws {
        let isAlone =
            options.types.isEmpty && options.output == nil && options.item == nil && !options.newline && !options.trim
            && !options.stale
        guard isAlone else {
            throw Failure.usage(
                "--all writes all there is, as it is; leave -t, -o, --item, --newline, --trim and --stale out")
        }
        // Before anything is fetched: a folder that cannot be used costs no waiting.
        let folder = try folder(path)
        let contents = try session.fetch(pasteboard, by: try session.connect())
        session.lookTypesUp()
        let manifest = try write(contents, of: pasteboard, into: folder, at: path)
        if session.common.json { try session.output.write(json: manifest) }
        if let problem = contents.problem { throw problem }
    }

    private static func folder(_ path: String) throws(Failure) -> ReplacementFolder {
        do throws(Errno) {
            return try ReplacementFolder(path: path)
        } catch .directoryNotEmpty {
            throw .usage("\(path) is not empty, hidden files count; name a new folder or an empty one")
        } catch .notDirectory {
            throw .usage("\(path) is no folder; name a new folder or an empty one")
        } catch .noSuchFileOrDirectory {
            throw .usage("\(path) cannot be made: the folder it is to be in is not there")
        } catch {
            throw .usage("\(path) cannot be made: \(error); name another folder")
        }
    }

    private static func write(
        _ contents: FetchedContents, of pasteboard: String, into folder: ReplacementFolder, at path: String
    ) throws -> ContentsManifest {
        var names = RepresentationFileNames(itemCount: (contents.forms.last?.item ?? 0) + 1, taken: manifestName)
        var manifest = ContentsManifest(pasteboard: pasteboard, count: contents.count)
        do {
            for form in contents.forms {
                guard case .range(let file, let range) = form.bytes else {
                    manifest.add(form, file: nil)
                    continue
                }
                let name = names.name(for: form)
                let output = try folder.makeFile(name)
                try Transfer.copy(from: file, range: range, to: output.fileDescriptor)
                manifest.add(form, file: name)
            }
            try write(manifest, into: folder)
            try folder.commit(last: manifestName)
        } catch {
            throw Failure(.broken, "\(path) cannot be written: \(error); nothing of it was left there")
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

/// What `get --all` says of the files it wrote.
struct ContentsManifest: Encodable {
    struct Entry: Encodable, Equatable {
        let item: Int
        let type: String
        let target: String?
        let exact: Bool
        /// Nil where the bytes could not be had.
        let file: String?
        let length: Int?
        /// Why they could not.
        let missing: String?
    }

    let pasteboard: String
    let count: Int
    private(set) var representations: [Entry] = []

    init(pasteboard: String, count: Int) {
        self.pasteboard = pasteboard
        self.count = count
    }

    mutating func add(_ form: FetchedForm, file: String?) {
        var length: Int?
        var missing: String?
        switch form.bytes {
        case .range(_, let range): length = range.count
        case .missing(let reason): missing = reason
        }
        representations.append(
            Entry(
                item: form.item, type: form.type, target: form.target, exact: form.exact, file: file, length: length,
                missing: missing))
    }
}

/// Names of files for representations: `0-html.html`, `0-utf8-plain-text.txt`, `1-x-kaya-note`.
struct RepresentationFileNames {
    private let width: Int
    /// In small letters, as some file systems see no difference.
    private var taken: Set<String>

    /// - Parameter taken: A name that no representation may have.
    init(itemCount: Int, taken: String) {
        // Listed by name, the items are in their order.
        width = String(max(itemCount - 1, 0)).count
        self.taken = [taken]
    }

    mutating func name(for form: FetchedForm) -> String {
        let number = String(form.item)
        let padding = String(repeating: "0", count: max(0, width - number.count))
        let type = UniformType(form.type)
        let stem = "\(padding)\(number)-\(Self.word(form.type, isDynamic: type?.isDynamic ?? true, form.target))"
        let suffix = type.flatMap(Self.filenameExtension).map { ".\($0)" } ?? ""
        var name = stem + suffix
        var copy = 2
        while !taken.insert(name.lowercased()).inserted {
            name = "\(stem)-\(copy)\(suffix)"
            copy += 1
        }
        return name
    }

    /// That of the type, else of the nearest type that it conforms to: a text in UTF-8 is a `txt`.
    private static func filenameExtension(of type: UniformType) -> String? {
        let types = type.isDynamic ? [type] : [type] + type.supertypes
        return types.lazy.compactMap(\.preferredFilenameExtension).first.map(safe).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The last part of the identifier; of a dynamic one, which says nothing to people, that of the target.
    private static func word(_ identifier: String, isDynamic: Bool, _ target: String?) -> String {
        let name = isDynamic ? target ?? identifier : identifier
        let essence = name.prefix { $0 != ";" }
        let part = essence.split { $0 == "/" || (!isDynamic && $0 == ".") }.last ?? essence
        let word = safe(String(part))
        return word.isEmpty ? "data" : word
    }

    /// Letters, digits, hyphens, underscores and points within, at most 40.
    private static func safe(_ text: String) -> String {
        let characters = text.unicodeScalars.map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains(scalar))
                ? Character(scalar) : "-"
        }
        let trimmed = characters.drop { "-.".contains($0) }.prefix(40)
        return String(trimmed.reversed().drop { "-.".contains($0) }.reversed())
    }
}
