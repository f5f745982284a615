import CommandCore
import Configuration
import FoundationEssentials
import LinuxSystem
import PasteboardWire

/// The checks of the owners of the pasteboards, and of other clipboard managers.
extension Check {
    static let owners = Check("owner") { examination in
        guard case .answering(let answering) = examination.bridge, answering.status.attached else { return [] }
        guard let boards = try? ask(Methods.List.self, .init(), answering, examination) else {
            return [
                .fault(
                    "the bridge reports its status, but not the owners of the pasteboards",
                    advice: "check whether a program grabs the X server")
            ]
        }
        let silent = boards.boards.filter { board in
            guard [.window, .wayland].contains(board.owner.kind) else { return false }
            do {
                let parameters = Methods.Describe.Parameters(
                    pasteboard: board.name, timeout: examination.timeout.millisecondsRoundedDown)
                _ = try ask(Methods.Describe.self, parameters, answering, examination)
                return false
            } catch let error as BridgeError {
                return error.code == .ownerSilent
            } catch {
                return false
            }
        }
        return silent.isEmpty ? [.ok("every owner answers")] : byProgram(silent).map { stuck($0.names, $0.owner) }
    }

    /// Returns each owner once, with the names of its pasteboards.
    private static func byProgram(_ boards: [WireBoard]) -> [(names: [String], owner: WireOwner)] {
        var owners: [(names: [String], owner: WireOwner)] = []
        for board in boards {
            let same = owners.firstIndex { owner in
                board.owner.process.map { $0 == owner.owner.process } ?? (board.owner.window == owner.owner.window)
            }
            if let same { owners[same].names.append(board.name) } else { owners.append(([board.name], board.owner)) }
        }
        return owners
    }

    private static func ask<M: WireMethod>(
        _ method: M.Type, _ parameters: M.Parameters, _ answering: FoundBridge.Answering, _ examination: Examination
    ) throws -> M.Reply {
        // The bridge waits for the owner, and this call waits a little longer for the bridge.
        try answering.connection.call(method, parameters, idleTimeout: examination.timeout + .seconds(2)).reply
    }

    private static func stuck(_ pasteboards: [String], _ owner: WireOwner) -> Finding {
        let program = owner.program ?? "a program"
        let window = owner.window.map { "window 0x\(String($0, radix: 16))" }
        let details = [owner.process.map { "process \($0)" }, window].compactMap(\.self).joined(separator: ", ")
        let pasteboard = pasteboards.first ?? "general"
        let stale =
            "'xpb get\(pasteboard == "general" ? "" : " -p \(pasteboard)") --stale' writes what was captured earlier"
        let who = "\(program) (\(details)), which owns \(pasteboards.joined(separator: " and ")),"
        guard let process = owner.process else {
            // This is most likely an xclip: the process that connected has ended, but its child is still running.
            return .fault(
                "\(who) does not answer", advice: "copy something else, or end the program if you know it; \(stale)")
        }
        if ProcessState.isStopped(Int32(clamping: process)) == true {
            return .fault("\(who) is stopped", advice: "resume it: kill -CONT \(process); \(stale)")
        }
        return .fault(
            "\(who) does not answer", advice: "end it (kill \(process)), or copy something else; \(stale)")
    }

    static let losses = Check("losses") { examination in
        let losses = examination.status?.losses ?? []
        return losses.map { loss in
            .note(
                "lost with its program: \(loss.text(at: Date()))",
                advice: "copy it again, and end the program only after 'xpb status' reports the contents as captured")
        }
    }

    static let manager = Check("manager") { examination in
        // On the display of another machine or user, the role belongs to a program there.
        guard examination.display.name?.isGuest != true else { return [] }
        let own = EffectiveConfiguration(environment: examination.environment).configuration
        let holder = examination.status?.manager
        if let holder, holder.kind == .window {
            let program = holder.program ?? "another program"
            let process = holder.process.map { " (process \($0))" } ?? ""
            return [
                .note(
                    "\(program)\(process) is the display's clipboard manager, so programs that end save their contents "
                        + "there and not in the bridge",
                    advice: "both can run; end that program only if the bridge should have its role")
            ]
        }
        let others = programs(own.managers, in: examination)
        if !others.isEmpty {
            return [
                .note(
                    others.count == 1
                        ? "\(others[0]) is also a clipboard manager, and may restore contents that were cleared"
                        : "\(others.joined(separator: " and ")) are also clipboard managers, and may restore contents that "
                            + "were cleared",
                    advice: "if that is not wanted, end \(others.count == 1 ? "it" : "them"), or turn the history off")
            ]
        }
        guard let holder else { return [] }
        if holder.kind == .client { return [.ok("the bridge is the display's clipboard manager")] }
        return own.manager ? [] : [.ok("the display has no clipboard manager, according to the setting 'manager'")]
    }

    static let abandoned = Check("pasteboards") { examination in
        guard case .answering(let answering) = examination.bridge else { return [] }
        guard let boards = try? ask(Methods.List.self, .init(), answering, examination).boards else { return [] }
        return boards.compactMap { board in
            guard board.persistent, let maker = board.maker else { return nil }
            guard (try? FileStatus(ofPath: maker, followsSymlink: true)) == nil else { return nil }
            return .note(
                "the pasteboard \(board.name) is kept, although the program that made it persistent is gone: \(maker)",
                advice: "if nothing else needs it: xpb remove \(board.name)")
        }
    }

    static let senders = Check("senders") { examination in
        let found = programs(Configuration.senders, in: examination)
        guard !found.isEmpty else { return [] }
        return [
            .note(
                "\(found.joined(separator: " and ")) \(found.count == 1 ? "sends" : "send") copies to another display or "
                    + "machine; 'xpb set --concealed' and '--local-only' keep contents from them",
                advice: "turn the clipboard off there if that is not wanted")
        ]
    }

    /// Returns the programs of the session that have one of the names, each once with its processes.
    private static func programs(_ names: [String], in examination: Examination) -> [String] {
        var processes: [String: [Int32]] = [:]
        for (process, name) in ProcessName.running(names, of: examination.user)
        where isOfSession(process, examination.environment) {
            processes[ProcessName.whole(of: process) ?? name, default: []].append(process)
        }
        return processes.sorted { $0.key < $1.key }.map { name, processes in
            let numbers = processes.sorted().map(String.init).joined(separator: ", ")
            return "\(name) (\(processes.count == 1 ? "process" : "processes") \(numbers))"
        }
    }

    /// Returns false for a program that was started for another display. A program may hide its environment.
    private static func isOfSession(_ process: Int32, _ environment: [String: String]) -> Bool {
        guard let own = ProcessState.environment(of: process) else { return true }
        let (x11, wayland) = (own["DISPLAY"], own["WAYLAND_DISPLAY"])
        if x11 == nil, wayland == nil { return true }
        let isOnX11 = x11.flatMap { DisplayName($0) }.map { $0 == environment["DISPLAY"].flatMap { DisplayName($0) } }
        return isOnX11 == true || wayland != nil && wayland == environment["WAYLAND_DISPLAY"]
    }
}
