import BridgeClient
import LinuxSystem
import PasteboardWire

extension Check {
    /// A bridge that serves the display and is not found where this command looks: none can be started here beside it.
    static func elsewhere(_ examination: Examination) -> Finding? {
        guard case .answering(let wanted, let server) = examination.display, let holder = server.bridge else {
            return nil
        }
        // Its own, or one that is about to attach.
        if let status = examination.status, status.attached || holder.process.map(Int.init) == status.process {
            return nil
        }
        let display = wanted.name.canonical
        guard let process = holder.process, let program = ProcessName.of(process) else {
            return .fault(
                "a bridge on another machine, or in another container, serves \(display), so none can be started here",
                advice: "end that one; 'xpbd --replace' takes over from it")
        }
        let who = "\(program) (process \(process))"
        guard let environment = ProcessState.environment(of: process) else {
            return .fault(
                "\(who) serves \(display) and is found in another folder than here, which it does not let be seen",
                advice: "set XDG_RUNTIME_DIR to that which it was started with, or let 'xpbd --replace' take over")
        }
        let (there, here) = (Rendezvous.Place(environment: environment), place(examination))
        guard there.folder != here.folder else {
            return .fault(
                "\(who) serves \(display), and its socket in \(here.folder) is gone, so no command reaches it",
                advice: "end it: kill \(process); the next command starts another one, which has what was stored")
        }
        let choice =
            environment["XDG_RUNTIME_DIR"]?.hasPrefix("/") == true
            ? "set XDG_RUNTIME_DIR to \(there.parent)"
            : "unset XDG_RUNTIME_DIR, and set TMPDIR to \(there.parent)"
        return .fault(
            "\(who) serves \(display) and is found in \(there.folder), not in \(here.folder), so no bridge can be "
                + "started here", advice: "\(choice), to use it, or let 'xpbd --replace' take over from it")
    }

    private static func place(_ examination: Examination) -> Rendezvous.Place {
        Rendezvous.Place(environment: examination.environment)
    }
}
