import BridgeClient
import FoundationEssentials
import LinuxSystem
import SystemPackage

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
