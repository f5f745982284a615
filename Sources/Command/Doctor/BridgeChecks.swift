import ArgumentParser
import BridgeClient
import CommandCore
import LinuxSystem
import PasteboardWire
import SystemPackage

/// The checks of the bridge: its folder, its program, its state and its log.
extension Check {
    static let folder = Check("folder") { examination in
        let place = RuntimeDirectory.Place(environment: examination.environment)
        switch examination.folder {
        case .failure(let error):
            return [.fault("no bridge can be found: \(error.problem)", advice: error.advice)]
        case .success:
            break
        }
        let socket = "\(place.folder)/\(examination.display.name?.key ?? DisplayName.keyWithoutDisplay).sock"
        if socket.utf8.count > UnixSocket.maxPathLength {
            return [
                .fault(
                    "the path of the socket, \(socket), is longer than \(UnixSocket.maxPathLength) bytes",
                    advice: "set XDG_RUNTIME_DIR to a folder with a shorter path")
            ]
        }
        let isOfSession = place.folder == "/run/user/\(examination.user)/xpb"
        switch examination.environment["XDG_RUNTIME_DIR"] {
        case nil where isOfSession, "" where isOfSession:
            return [.ok("the runtime folder is \(place.folder), the session's own")]
        // For example, root through sudo(8), whose session has no folder.
        case nil where examination.display.name?.isGuest == true:
            return [.ok("the runtime folder for this display of another user or machine is \(place.folder)")]
        case nil, "":
            return [
                .note(
                    "XDG_RUNTIME_DIR is not set, so the runtime folder is \(place.folder); programs that have it "
                        + "find other bridges", advice: "set it as your session does, to /run/user/\(examination.user)")
            ]
        case let path? where !path.hasPrefix("/"):
            return [
                .warning(
                    "XDG_RUNTIME_DIR is '\(path)', which is not an absolute path and counts as unset",
                    advice: "set it as your session does, to /run/user/\(examination.user)")
            ]
        case let path? where place.parent != FilePath(path).string:
            return [
                .note(
                    "XDG_RUNTIME_DIR, \(path), belongs to another user, so root's runtime folder is \(place.folder)")
            ]
        default:
            return [.ok("the runtime folder is \(place.folder)")]
        }
    }

    static let program = Check("program") { examination in
        let candidates = BridgeLauncher(environment: examination.environment).candidates
        if let found = candidates.first(where: isProgram) {
            let launcher = BridgeLauncher(environment: examination.environment)
            guard let fault = launcher.fault(until: .now + examination.timeout) else {
                return [.ok("the bridge's program is \(found)")]
            }
            return [
                .fault(
                    "the bridge's program \(found) cannot run: \(fault)",
                    advice:
                        "install what it lacks; on Debian and Ubuntu, the packages libsqlite3-0, libx11-6, libxfixes3 "
                        + "and libxres1")
            ]
        }
        if examination.isBridgeOutside {
            return [.ok("the bridge's program is outside this container")]
        }
        let isChosen = examination.variable("XPB_XPBD") != nil
        return [
            .fault(
                isChosen
                    ? "XPB_XPBD is '\(candidates.first ?? "")', which is not a program"
                    : "the bridge's program xpbd is neither beside xpb nor in PATH",
                advice: isChosen ? "unset it, or set it to the path of xpbd" : "install it, or set XPB_XPBD to its path"
            )
        ]
    }

    static func isProgram(_ path: String) -> Bool {
        guard let status = try? Stat(FilePath(lossless: path)) else { return false }
        return status.type == .regular && status.permissions.rawValue & 0o111 != 0
    }

    static let bridge = Check("bridge") { examination in
        switch examination.bridge {
        case .nowhere: []
        case .absent where elsewhere(examination) != nil: [elsewhere(examination)].compactMap(\.self)
        case .absent: [.ok("no bridge is running for this display; the next command that needs one starts it")]
        case .several(let keys):
            [
                .warning(
                    "several bridges are running (\(keys.joined(separator: ", "))), and DISPLAY selects none of them",
                    advice: "set DISPLAY")
            ]
        case .foreign(let path):
            [.fault("another user listens at \(path), and could read what is copied", advice: "remove that socket")]
        case .strange(let path):
            [
                .fault(
                    "the listener at \(path) is not a bridge of this version",
                    advice: "restart it with xpb bridge restart, or end it by hand")
            ]
        case .silent(let path, let process): [silent(path, process)]
        case .answering(let answering): answered(answering, examination)
        }
    }

    private static func silent(_ path: String, _ process: Int32?) -> Finding {
        guard let process else {
            return .fault(
                "the listener at \(path) accepts connections but does not answer", advice: "end it, and try again")
        }
        if ProcessState.isStopped(process) == true {
            return .fault(
                "the bridge, process \(process), is stopped",
                advice: "resume it: kill -CONT \(process); or replace it: xpb bridge restart --force")
        }
        return .fault(
            "the bridge, process \(process), does not answer",
            advice: "wait a while, then replace it (stored contents are restored): xpb bridge restart --force")
    }

    private static func answered(_ answering: FoundBridge.Answering, _ examination: Examination) -> [Finding] {
        let status = answering.status
        var findings: [Finding] = []
        if status.version != ProgramVersion.number {
            findings.append(
                .warning(
                    "the bridge has version \(status.version), and xpb \(ProgramVersion.number)",
                    advice: "start the current one: xpb bridge restart"))
        } else if ProcessState.isReplaced(Int32(clamping: status.process)) == true {
            findings.append(
                .warning(
                    "the bridge's program has been replaced since the bridge started",
                    advice: "start the current one: xpb bridge restart"))
        }
        if status.display != nil, !status.attached {
            let since = status.lost.map { " since \(Moment.text($0))" } ?? ""
            findings.append(
                .fault(
                    "the bridge has lost display \(status.display ?? "")\(since), and keeps trying to reconnect",
                    advice: "check that the X server is running; the contents of the pasteboards are kept"))
        }
        if let inherited = status.inherited, !inherited.isEmpty {
            findings.append(
                .note(
                    "the bridge inherited \(inherited.joined(separator: ", ")) from the program that started it",
                    advice: "restart it from a program without that: xpb bridge restart"))
        }
        if let elsewhere = elsewhere(examination) { findings.append(elsewhere) }
        if !findings.isEmpty { return findings }
        return [
            .ok(
                "process \(status.process) has served \(status.display ?? status.wayland?.name ?? "no display") since "
                    + Moment.text(status.since))
        ]
    }

    /// Reports the warnings in the log of the bridge, if there is a log.
    static let log = Check("log") { examination in
        guard case .success(let runtimeDirectory?) = examination.folder,
            case .answering(let answering) = examination.bridge
        else { return [] }
        let path = runtimeDirectory.logPath(answering.key)
        let lines = LogLines(inFileAt: path)
        guard let last = lines.troubles.last else { return [.ok("the log has no warnings")] }
        let count = lines.troubles.count
        let message = "\(count == 1 ? "one warning" : "\(count) warnings") from the bridge; the latest: \(last.message)"
        return last.isError ? [.warning(message, advice: "see \(path)")] : [.note(message, advice: "see \(path)")]
    }
}

extension Check {
    /// Reports a bridge that serves the display from another folder: no other bridge can be started for the display.
    static func elsewhere(_ examination: Examination) -> Finding? {
        guard case .answering(let wanted, let server) = examination.display, let holder = server.bridge else {
            return nil
        }
        // This is the bridge found here, or one that is about to attach.
        if let status = examination.status, status.attached || holder.process.map(Int.init) == status.process {
            return nil
        }
        let display = wanted.name.canonical
        guard let process = holder.process, let program = ProcessName.of(process) else {
            return .fault(
                "a bridge on another machine, or in another container, serves \(display), so none can be started here",
                advice:
                    "in a container, mount the folder of its sockets; elsewhere, end that bridge, or take over from it "
                    + "with 'xpbd --replace'")
        }
        let who = "\(program) (process \(process))"
        guard let environment = ProcessState.environment(of: process) else {
            return .fault(
                "\(who) serves \(display) from another folder, and its environment cannot be read",
                advice: "set XDG_RUNTIME_DIR as it was when it started, or take over with 'xpbd --replace'")
        }
        let (there, here) = (RuntimeDirectory.Place(environment: environment), place(examination))
        guard there.folder != here.folder else {
            return .fault(
                "\(who) serves \(display), and its socket in \(here.folder) is gone, so no command reaches it",
                advice: "end it: kill \(process); the next command starts another, which restores the stored contents")
        }
        let choice =
            environment["XDG_RUNTIME_DIR"]?.hasPrefix("/") == true
            ? "set XDG_RUNTIME_DIR to \(there.parent)"
            : "unset XDG_RUNTIME_DIR, and set TMPDIR to \(there.parent)"
        return .warning(
            "\(who) serves \(display) and is found in \(there.folder), not in \(here.folder), so each command "
                + "searches for it again", advice: "\(choice)")
    }

    private static func place(_ examination: Examination) -> RuntimeDirectory.Place {
        RuntimeDirectory.Place(environment: examination.environment)
    }
}

/// The warnings and errors in a bridge's log.
package struct LogLines: Equatable {
    package struct Trouble: Equatable {
        let message: String
        let isError: Bool

        package init(message: String, isError: Bool) {
            self.message = message
            self.isError = isError
        }
    }

    package let troubles: [Trouble]

    /// Reads the last 64 KiB of the log.
    package init(inFileAt path: String) {
        guard let file = try? Descriptor.open(FilePath(lossless: path), options: .noFollow) else {
            self.init("")
            return
        }
        let length = (try? file.fileDescriptor.seek(offset: 0, from: .end)) ?? 0
        _ = try? file.fileDescriptor.seek(offset: max(0, length - 65_536), from: .start)
        self.init(String(decoding: (try? file.fileDescriptor.readBytes(atMost: 65_536)) ?? [], as: UTF8.self))
    }

    /// Parses lines of the form `TIME LEVEL LABEL: [SOURCE] MESSAGE`.
    package init(_ text: String) {
        troubles = text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ", maxSplits: 2)
            guard words.count == 3, ["warning", "error", "critical"].contains(words[1]) else { return nil }
            let message = words[2].firstRange(of: "] ").map { words[2][$0.upperBound...] } ?? words[2]
            return Trouble(message: String(message), isError: words[1] != "warning")
        }
    }
}
