import Configuration
import FoundationEssentials
import LinuxSystem
import PasteboardWire
import SystemPackage
import TypeDatabase
import UserFiles

/// What is kept, what the user set, and what was refused.
extension Check {
    static let store = Check("store") { examination in
        guard let status = examination.status else { return storeToCome(examination) }
        let store = status.store
        switch store.state {
        case .kept: return kept(store)
        case .refusing: return [refusing(store)]
        case .memory where store.isWanted:
            return [
                .fault(
                    "nothing is stored, so what is copied is gone when the bridge ends\(store.because)",
                    advice: "mend \(store.folder.map { "the folder \($0)" } ?? "that"), then run: xpb bridge restart")
            ]
        case .memory: return [.note("contents end with the bridge\(store.because)")]
        }
    }

    static func refusing(_ store: WireStore) -> Finding {
        .fault(
            "the store is unusable, so what should be kept is refused\(store.because)",
            advice: "\(mending(store)), then run: xpb bridge restart; meanwhile 'xpb set --memory' goes on")
    }

    private static func mending(_ store: WireStore) -> String {
        let folder = store.folder.map { "the folder \($0)" }
        guard store.reason?.contains("has the store") == true else { return "mend \(folder ?? "that")" }
        return "let that process go on, or end it\(folder.map { ", which has locked \($0)" } ?? "")"
    }

    private static func kept(_ store: WireStore) -> [Finding] {
        if let trouble = store.folder.flatMap({ StorePlace($0).trouble }) {
            return [.fault(trouble.message, advice: trouble.advice)]
        }
        guard let reason = store.reason else { return [.ok(store.text)] }
        return [
            .fault(
                "what was to be stored last could not be: \(reason)",
                advice: "see to the folder \(store.folder ?? ""), or use 'xpb set --memory'")
        ]
    }

    /// That of the bridge which the next command would start.
    private static func storeToCome(_ examination: Examination) -> [Finding] {
        guard case .absent = examination.bridge, examination.display.name?.isForwarded != true,
            EffectiveConfiguration(
                UserFile(named: Configuration.fileName, environment: examination.environment),
                environment: examination.environment
            ).configuration.persist
        else { return [] }
        let key = examination.display.name?.key ?? DisplayName.keyOfNone
        guard let place = StorePlace(key: key, environment: examination.environment) else {
            return [
                .warning(
                    "contents will end with the bridge: neither XDG_STATE_HOME nor HOME is an absolute path",
                    advice: "set one of them")
            ]
        }
        guard let trouble = place.trouble else { return [.ok("contents will be kept in \(place.folder)")] }
        return [.fault(trouble.message, advice: trouble.advice)]
    }

    static let settings = Check("settings") { examination in
        let file = UserFile(named: Configuration.fileName, environment: examination.environment)
        let own = EffectiveConfiguration(file, environment: examination.environment)
        TypeDatabase.install(environment: examination.environment)
        let faults = own.faults + TypeDatabase.user().faults
        guard !faults.isEmpty else { return [.ok("nothing is wrong in them")] }
        return faults.map { .warning("\($0)", advice: "until then the default counts there") }
    }

    /// So long ago is no matter any more.
    private static let recent = 3_600_000

    static let limits = Check("limits") { examination in
        guard let status = examination.status else { return [] }
        return limits(of: status, at: Int(Date().timeIntervalSince1970 * 1000))
    }

    /// - Parameter now: In milliseconds of the Unix epoch.
    static func limits(of status: Methods.Status.Reply, at now: Int) -> [Finding] {
        let reached = status.limits.map(withoutDoctor).filter { $0.limit > 0 && $0.used >= $0.limit }
        var findings: [Finding] = reached.map { limit in
            .warning(
                "\(limit.name) is reached (\(limit.used) of \(limit.limit)), so more is refused",
                advice: "see 'xpb status' for who has them; 'xpb config' tells the setting")
        }
        for refusal in status.refusals where now - refusal.last < recent && !usual.contains(refusal.reason) {
            findings.append(
                .note(
                    "\(refusal.reason): \(refusal.count), the last at \(Moment.text(refusal.last))",
                    advice: "'xpb status --json' tells the limits"))
        }
        return findings.isEmpty ? [.ok("none was reached")] : findings
    }

    /// Whoever asks is a client as well, and gone before anybody else is kept waiting.
    private static func withoutDoctor(_ limit: WireLimit) -> WireLimit {
        var limit = limit
        switch limit.name {
        case "limit-clients": limit.used -= 1
        // Of the process that has the most.
        case "limit-program-clients" where limit.used == 1: limit.used = 0
        default: break
        }
        return limit
    }

    /// What programs meet with every day.
    private static let usual: Set = ["target not on offer", "version not on offer any more"]
}

extension WireStore {
    /// Whether the user would expect contents to be kept, as far as the settings and the display tell.
    var isWanted: Bool {
        guard let reason else { return false }
        return !["'persist'", "forwarded", "part of"].contains { reason.contains($0) }
    }

    fileprivate var because: String { reason.map { ": \($0)" } ?? "" }
}

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
