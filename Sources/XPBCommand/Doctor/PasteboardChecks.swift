import Configuration
import LinuxSystem
import PasteboardWire
import UserFiles

/// Who owns the pasteboards, and who else looks after them.
extension Check {
    static let owners = Check("owner") { examination in
        guard case .answering(let answering) = examination.bridge, answering.status.attached else { return [] }
        guard let boards = try? ask(Methods.List.self, .init(), answering, examination) else {
            return [
                .fault(
                    "the bridge tells its state, and not who owns the pasteboards",
                    advice: "see whether a program holds the X server grabbed")
            ]
        }
        let silent = boards.boards.filter { board in
            guard board.owner.kind == .window else { return false }
            do {
                let parameters = Methods.Describe.Parameters(
                    pasteboard: board.name, timeout: examination.timeout.wholeMilliseconds)
                _ = try ask(Methods.Describe.self, parameters, answering, examination)
                return false
            } catch let error as BridgeError {
                return error.code == .ownerSilent
            } catch {
                return false
            }
        }
        return silent.isEmpty ? [.ok("every owner answers")] : silent.map { stuck($0.name, $0.owner) }
    }

    private static func ask<M: WireMethod>(
        _ method: M.Type, _ parameters: M.Parameters, _ answering: BridgeState.Answering, _ examination: Examination
    ) throws -> M.Reply {
        // The bridge waits for the owner, and is waited for a little longer.
        try answering.connection.call(method, parameters, silence: examination.timeout + .seconds(2)).reply
    }

    private static func stuck(_ pasteboard: String, _ owner: WireOwner) -> Finding {
        let program = owner.program ?? "a program"
        let window = owner.window.map { "window 0x\(String($0, radix: 16))" }
        let details = [owner.process.map { "process \($0)" }, window].compactMap(\.self).joined(separator: ", ")
        let stale =
            "'xpb get\(pasteboard == "general" ? "" : " -p \(pasteboard)") --stale' writes what was captured of it"
        let who = "\(program) (\(details)), which owns \(pasteboard),"
        guard let process = owner.process else {
            // An xclip, most likely: the process that connected has ended, and its child goes on.
            return .fault(
                "\(who) does not answer", advice: "copy something else, or end it if you know it; \(stale)")
        }
        if ProcessState.isStopped(Int32(clamping: process)) == true {
            return .fault("\(who) is stopped", advice: "let it go on: kill -CONT \(process); \(stale)")
        }
        return .fault(
            "\(who) does not answer", advice: "end it (kill \(process)), or copy something else; \(stale)")
    }

    static let manager = Check("manager") { examination in
        let own = EffectiveConfiguration(
            UserFile(named: Configuration.fileName, environment: examination.environment),
            environment: examination.environment
        ).configuration
        let holder = examination.status?.manager
        if let holder, holder.kind == .window {
            let program = holder.program ?? "another program"
            let process = holder.process.map { " (process \($0))" } ?? ""
            return [
                .note(
                    "\(program)\(process) is the display's clipboard manager, so programs that end hand it their "
                        + "contents, and not the bridge",
                    advice: "end it if xpb is to keep them; it need not be, both may run")
            ]
        }
        let others = managers(own.managers, of: examination.user)
        if !others.isEmpty {
            return [
                .note(
                    "\(others.joined(separator: ", ")) is a clipboard manager as well, and may put contents back that "
                        + "were cleared",
                    advice: "where that is not wanted, end it, or turn its history off")
            ]
        }
        guard let holder else { return [] }
        if holder.kind == .client { return [.ok("the bridge is the display's clipboard manager")] }
        return own.manager ? [] : [.ok("the display has no clipboard manager, as the setting 'manager' has it")]
    }

    /// Programs that run under one of the names.
    private static func managers(_ names: [String], of user: UInt32) -> [String] {
        // The kernel keeps 15 bytes of a name.
        let known = Set(names.map { Array($0.utf8.prefix(15)) })
        return ProcessState.all(of: user).compactMap { process in
            guard let name = ProcessName.of(process), known.contains(Array(name.utf8)) else { return nil }
            return "\(name) (process \(process))"
        }
    }
}
