import CommandCore
import Configuration
import FoundationEssentials
package import LinuxSystem
package import PasteboardWire
package import SystemPackage
import TypeDatabase
import UserFiles

/// The checks of the store, the settings and the limits.
extension Check {
    static let store = Check("store") { examination in
        guard let status = examination.status else { return nextStore(examination) }
        let store = status.store
        switch store.state {
        case .kept where examination.isBridgeOutside: return [.ok(store.text)]
        case .kept: return kept(store)
        case .refusing: return [refusing(store)]
        case .memory where store.isWanted:
            return [
                .fault(
                    "nothing is stored, so copies are lost when the bridge ends\(store.because)",
                    advice: "repair \(store.folder.map { "the folder \($0)" } ?? "that"), then run: xpb bridge restart")
            ]
        case .memory: return [.note("contents end with the bridge\(store.because)")]
        }
    }

    package static func refusing(_ store: WireStore) -> Finding {
        .fault(
            "the store is unusable, so contents to be stored are refused\(store.because)",
            advice: "\(repair(of: store)), then run: xpb bridge restart; until then, use 'xpb set --memory'")
    }

    private static func repair(of store: WireStore) -> String {
        let folder = store.folder.map { "the folder \($0)" }
        guard store.cause == .locked else { return "repair \(folder ?? "that")" }
        return "resume or end the process that has locked \(folder ?? "the store")"
    }

    private static func kept(_ store: WireStore) -> [Finding] {
        if let trouble = store.folder.flatMap({ StorePlace($0).trouble }) {
            return [.fault(trouble.message, advice: trouble.advice)]
        }
        guard let reason = store.reason else { return [.ok(store.text)] }
        return [
            .fault(
                "the latest contents could not be stored: \(reason)",
                advice: "check the folder \(store.folder ?? ""), or use 'xpb set --memory'")
        ]
    }

    /// Checks the store of the bridge that the next command would start.
    private static func nextStore(_ examination: Examination) -> [Finding] {
        guard case .absent = examination.bridge, examination.display.name?.isGuest != true,
            EffectiveConfiguration(environment: examination.environment).configuration.persist
        else { return [] }
        let key = examination.display.name?.key ?? DisplayName.keyWithoutDisplay
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
        let own = EffectiveConfiguration(environment: examination.environment)
        TypeDatabase.install(environment: examination.environment)
        let faults = (own.faults + TypeDatabase.user().faults).map(\.description)
        // The bridge may have faulty variables that this program does not have.
        let others = examination.settingsFaults.filter { !faults.contains($0) }
        guard !faults.isEmpty || !others.isEmpty else { return [.ok("the settings have no errors")] }
        return faults.map { .warning($0, advice: "correct it; it is ignored until then") }
            + others.map {
                .warning("in the running bridge: \($0)", advice: "correct it, and run 'xpb bridge restart'")
            }
    }

    /// The maximum age of a reported refusal, in milliseconds.
    private static let maxRefusalAge = 3_600_000

    static let limits = Check("limits") { examination in
        guard let status = examination.status else { return [] }
        return limits(of: status, at: Int(Date().timeIntervalSince1970 * 1000))
    }

    /// - Parameter now: The time in milliseconds since the Unix epoch.
    package static func limits(of status: Methods.Status.Reply, at now: Int) -> [Finding] {
        let reached = status.limits.map(withoutDoctor).filter { $0.limit > 0 && $0.used >= $0.limit }
        var findings: [Finding] = reached.map { limit in
            .warning(
                "limit reached: \(limit.name) (\(limit.used) of \(limit.limit)); anything more is refused",
                advice: Self.advice(on: limit))
        }
        for refusal in status.refusals where now - refusal.last < maxRefusalAge && refusal.routine != true {
            findings.append(
                .note(
                    "refused \(refusal.count.counting("time")), last at \(Moment.text(refusal.last)): \(refusal.reason)",
                    advice: "'xpb status --json' shows the limits"))
        }
        return findings.isEmpty ? [.ok("no limit was reached")] : findings
    }

    private static func advice(on limit: WireLimit) -> String {
        if limit.name == "descriptors" { return "raise the limit on the bridge's open files, as with 'ulimit -n'" }
        let user = limit.process == nil ? "" : "'xpb status' shows the largest user, and "
        return user + "'xpb config' shows the setting"
    }

    /// Returns the limit without this client, which disconnects soon.
    private static func withoutDoctor(_ limit: WireLimit) -> WireLimit {
        var limit = limit
        switch limit.name {
        case "limit-clients": limit.used -= 1
        // The use is counted for the process with the most clients.
        case "limit-program-clients" where limit.used == 1: limit.used = 0
        default: break
        }
        return limit
    }
}

extension WireStore {
    fileprivate var because: String { reason.map { ": \($0)" } ?? "" }
}

/// The folder in which a bridge stores contents. Checking it changes nothing.
package struct StorePlace: Equatable {
    package enum Trouble: Equatable {
        /// A part of its path is not a folder.
        case blocked(by: String)
        case unusable(String, Errno)
        /// The disk of the folder is full, with few bytes left.
        case full(String, left: Int)
        /// The disk has no room for more files.
        case noFiles(String)
    }

    /// The bytes that an entry of the database needs.
    static let minRoom = 256 << 10

    package let folder: String

    package init(_ folder: String) { self.folder = folder }

    /// The folder of a bridge started for a display; nil if the environment names no folder.
    package init?(key: String, environment: [String: String]) {
        guard let state = BaseFolders(environment: environment).state else { return nil }
        folder = "\(state)/xpb/\(key)"
    }

    /// The obstacle to storing contents there; nil if there is none.
    package var trouble: Trouble? {
        var path = FilePath(lossless: folder)
        while true {
            do throws(Errno) {
                guard try Stat(path).type == .directory else { return .blocked(by: path.string) }
                try Folder.checkWritable(path.string)
                return Self.trouble(of: try Folder.room(in: path.string), in: path.string)
            } catch {
                // A missing folder is created together with its parents.
                guard [.noSuchFileOrDirectory, .notDirectory].contains(error), !path.isEmpty,
                    path != path.removingLastComponent()
                else { return .unusable(path.string, error) }
                path.removeLastComponent()
            }
        }
    }

    package static func trouble(of room: Folder.Room, in folder: String) -> Trouble? {
        if room.bytes < minRoom { return .full(folder, left: room.bytes) }
        if let files = room.files, files < 4 { return .noFiles(folder) }
        return nil
    }
}

extension StorePlace.Trouble {
    package var message: String {
        switch self {
        case .blocked(let path): "nothing can be stored: \(path) is not a folder"
        case .unusable(let path, let error): "nothing can be stored in \(path): \(error)"
        case .full(let folder, let left):
            "the disk of \(folder) is full (\(ByteSize.text(left)) left), so contents to be stored are refused"
        case .noFiles(let folder):
            "the disk of \(folder) has no room for more files, so contents to be stored are refused"
        }
    }

    var advice: String {
        switch self {
        case .blocked, .unusable:
            "repair that, or set XDG_STATE_HOME to a folder of your own, then run: xpb bridge restart"
        case .full, .noFiles: "make room there, for example with 'xpb history clear', or use 'xpb set --memory'"
        }
    }
}
